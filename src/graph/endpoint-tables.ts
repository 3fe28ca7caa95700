/**
 * In which node tables the relationships of a type begin and end: a set that holds at least those of every view, so that a reader who finds it inside the
 * tables of a label need not test the label of each neighbour.
 *
 * Made on first demand by one pass over the rows, continued with the rows that came since. A node that moves to another table (its labels changed) takes
 * its relationships along: the pair of tables is noted, and a set that holds one of the two holds both.
 */
import type { GraphData } from './graph-data.ts';
import { NO_TABLE } from './node-table.ts';
import type { RelationshipTable } from './relationship-table.ts';

export type Endpoint = 'source' | 'target';

/** A pass over more rows would cost more than it saves. */
const MOST_ROWS = 50_000_000;
/** More tables on one side are as good as all of them. */
const MOST_TABLES = 16;

interface Known {
  readonly tables: Set<number>;
  rows: number;
}

export class EndpointTables {
  readonly #data: GraphData;
  readonly #known = new WeakMap<RelationshipTable, Record<Endpoint, Known | null>>();
  readonly #moves: (readonly [number, number])[] = [];
  readonly #seenMoves = new Set<number>();

  constructor(data: GraphData) {
    this.#data = data;
  }

  /** A node moved, in a transaction that may still be taken back: the sets only ever grow. */
  noteMove(from: number, to: number): void {
    const key = from * NO_TABLE + to;
    if (this.#seenMoves.has(key)) return;
    this.#seenMoves.add(key);
    this.#moves.push([from, to]);
  }

  /** Ascending table indexes; null: too many, or not to be told. */
  of(table: RelationshipTable, endpoint: Endpoint): number[] | null {
    if (table.rowCount > MOST_ROWS || (table.files !== null && !table.files.rowsLoaded)) return null;
    let sides = this.#known.get(table);
    if (sides === undefined) {
      sides = { source: { tables: new Set(), rows: 0 }, target: { tables: new Set(), rows: 0 } };
      this.#known.set(table, sides);
    }
    const known = sides[endpoint];
    if (known === null) return null;
    if (!this.#catchUp(known, table, endpoint)) {
      sides[endpoint] = null;
      return null;
    }
    return [...known.tables].sort((a, b) => a - b);
  }

  #catchUp(known: Known, table: RelationshipTable, endpoint: Endpoint): boolean {
    const nodes = endpoint === 'source' ? table.sources : table.targets;
    const { tableOf } = this.#data.directory;
    let last = -1;
    for (let row = known.rows; row < table.rowCount; row++) {
      const index = tableOf[nodes[row] as number] as number;
      if (index === last) continue;
      if (index === NO_TABLE) return false;
      last = index;
      known.tables.add(index);
      if (known.tables.size > MOST_TABLES) return false;
    }
    // Rows of a transaction that is taken back are read again when others stand there.
    known.rows = table.published.rowCount;
    this.#follow(known);
    return known.tables.size <= MOST_TABLES;
  }

  #follow(known: Known): void {
    for (let size = -1; size !== known.tables.size; ) {
      size = known.tables.size;
      for (const [from, to] of this.#moves) {
        if (known.tables.has(from)) known.tables.add(to);
        if (known.tables.has(to)) known.tables.add(from);
      }
    }
  }
}

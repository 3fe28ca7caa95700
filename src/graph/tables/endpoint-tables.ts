/**
 * The node tables that the sources (or targets) of one type's relationships stand in: all of them, for every snapshot,
 * and perhaps others. A reader who finds them inside the tables of a label need not test the label of each neighbour.
 *
 * Made when first asked for, by a look at every row; from then on kept up with new rows and with nodes that move
 * between tables. What it knows only grows, and growing is a change of form.
 *
 * Asked only for views with the directory that is written to: one that took its place has forgotten where nodes stood
 * before, and knows of later moves.
 */
import type { Directory } from './directory.ts';
import { NO_TABLE, type NodeTable } from './node-table.ts';
import type { Shape } from './row-table.ts';

/** A look at more rows would cost more than it saves. */
const MOST_ROWS = 50_000_000;

/** Where nodes stand. */
export interface NodePlaces {
  readonly directory: Directory;
  readonly tables: readonly NodeTable[];
  readonly shape: Shape;
}

/** The node tables at one end of a type's relationships. */
export class EndpointTables {
  /** Tables that are endpoints, by table index. */
  readonly #isEndpoint: boolean[] = [];
  /** Rows below this have been looked at; -1: nobody has asked. */
  #rowsSeen = -1;
  /** A node was not in memory when so many parts of node tables had been loaded. */
  #unknownAfterLoads = -1;
  /** Grows with what is known. */
  version = 0;
  /** The tables that another thread knows of; undefined: this one finds out. */
  #told: readonly number[] | null | undefined;

  /**
   * The first rows, which lie in files, have all these ends in one table: no look at them is needed. Ignored once rows
   * have been looked at.
   */
  begin(rowCount: number, { index }: NodeTable, shape: Shape): void {
    if (this.#rowsSeen >= 0 || this.#told !== undefined) return;
    this.#rowsSeen = rowCount;
    this.#add(index, shape);
  }

  get isNew(): boolean {
    return this.#rowsSeen < 0;
  }

  /** Ascending; null: not known. */
  tables(nodes: Uint32Array, rowCount: number, places: NodePlaces): readonly number[] | null {
    if (this.#told !== undefined) return this.#told;
    if (rowCount > MOST_ROWS) return null;
    this.#rowsSeen = Math.max(this.#rowsSeen, 0);
    this.catchUp(nodes, rowCount, places);
    return this.share(rowCount);
  }

  /** Returns the endpoints known for readers of `rowCount` rows, without a look at any; null: none is known. */
  share(rowCount: number): readonly number[] | null {
    if (this.#rowsSeen < rowCount) return null;
    return [...this.#isEndpoint.keys()].filter((table) => this.#isEndpoint[table] === true);
  }

  /** Answers what another thread has shared: this one does not see nodes move. */
  follow(shared: readonly number[] | null): void {
    this.#told = shared;
  }

  /** Looks at rows that came since. Nothing happens unless somebody has asked for the tables. */
  catchUp(nodes: Uint32Array, rowCount: number, places: NodePlaces): void {
    if (this.#told !== undefined) return;
    if (this.#rowsSeen < 0 || this.#rowsSeen >= rowCount || this.#unknownAfterLoads === loadsOf(places)) return;
    for (;;) {
      this.#rowsSeen = this.#skipKnown(nodes, rowCount, places.directory);
      if (this.#rowsSeen === rowCount || !this.#see(nodes[this.#rowsSeen] as number, places)) break;
      this.#rowsSeen++;
    }
    if (this.#rowsSeen === rowCount) return;
    this.#unknownAfterLoads = loadsOf(places);
    places.shape.version++;
  }

  /** The first row from here on whose node tells something new: most stand where those before them do. */
  #skipKnown(nodes: Uint32Array, rowCount: number, { tableOf, versions }: Directory): number {
    let row = this.#rowsSeen;
    if (versions.bitmap !== null) return row;
    let known = NO_TABLE;
    for (; row < rowCount; row++) {
      const table = tableOf[nodes[row] as number] as number;
      if (table === known && known !== NO_TABLE) continue;
      if (this.#isEndpoint[table] !== true) break;
      known = table;
    }
    return row;
  }

  #see(node: number, places: NodePlaces): boolean {
    const { tableOf, versions } = places.directory;
    const table = tableOf[node] as number;
    if (table === NO_TABLE && !places.tables.every(isLoaded)) return false;
    if (this.#isEndpoint[table] !== true) this.#add(table, places.shape);
    if (versions.bitmap !== null) versions.forEachTable(node, (later) => this.#add(later, places.shape));
    return true;
  }

  #add(table: number, shape: Shape): void {
    if (table === NO_TABLE || this.#isEndpoint[table] === true) return;
    this.#isEndpoint[table] = true;
    this.version++;
    shape.version++;
  }

  /** A node has moved from one table to another. */
  nodeMoved(from: number, to: number, shape: Shape): void {
    if (this.#isEndpoint[from] === true) this.#add(to, shape);
  }

  truncate(rowCount: number): void {
    this.#rowsSeen = Math.min(this.#rowsSeen, rowCount);
  }
}

function isLoaded(table: NodeTable): boolean {
  return table.hasLoaded([]);
}

function loadsOf({ tables }: NodePlaces): number {
  return tables.reduce((sum, table) => sum + (table.files?.loads ?? 0), 0);
}

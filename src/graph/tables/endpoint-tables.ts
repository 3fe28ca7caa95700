/**
 * The node tables at one end, source or target, of the relationships of a type: a superset that holds for every snapshot.
 * When all of these tables have a label, a reader need not test the label of each neighbour.
 *
 * The set is made on first use by a scan of all rows; from then on it follows new rows and nodes that move between tables.
 * It only grows, and each growth raises the shape version.
 *
 * It must only be asked for views that have the directory that transactions write to: a directory that has replaced
 * another does not know where nodes stood earlier, and knows of moves that an older view does not see.
 */
import type { Directory } from './directory.ts';
import { NO_TABLE, type NodeTable } from './node-table.ts';
import type { Shape } from './row-table.ts';

/** A scan of more rows than this would cost more than it saves; the tables are then not known. */
const MOST_ROWS = 50_000_000;

/** The directory and the tables in which nodes are looked up. */
export interface NodePlaces {
  readonly directory: Directory;
  readonly tables: readonly NodeTable[];
  readonly shape: Shape;
}

/** The node tables at one end of a type's relationships. */
export class EndpointTables {
  /** Tables that are endpoints, by table index. */
  readonly #isEndpoint: boolean[] = [];
  /** Rows below this have been looked at; -1 until the tables are asked for. */
  #rowsSeen = -1;
  /** When the scan met a node that was not in memory: how many parts of node tables had been loaded then. -1: never. */
  #unknownAfterLoads = -1;
  /** Grows with each table that is added. */
  version = 0;
  /** The answer that another thread has shared, null when it has none; undefined when this thread finds out by itself. */
  #told: readonly number[] | null | undefined;

  /**
   * Declares that the nodes of the first `rowCount` rows, which are in files, are all in one table, so that these rows
   * need no scan. Does nothing once rows have been looked at.
   */
  begin(rowCount: number, { index }: NodeTable, shape: Shape): void {
    if (this.#rowsSeen >= 0 || this.#told !== undefined) return;
    this.#rowsSeen = rowCount;
    this.#add(index, shape);
  }

  get isNew(): boolean {
    return this.#rowsSeen < 0;
  }

  /** Returns the indexes of the tables, ascending; null when they are not known. */
  tables(nodes: Uint32Array, rowCount: number, places: NodePlaces): readonly number[] | null {
    if (this.#told !== undefined) return this.#told;
    if (rowCount > MOST_ROWS) return null;
    this.#rowsSeen = Math.max(this.#rowsSeen, 0);
    this.catchUp(nodes, rowCount, places);
    return this.share(rowCount);
  }

  /** Returns the tables for readers of `rowCount` rows without scanning; null when some of the rows have not been looked at. */
  share(rowCount: number): readonly number[] | null {
    if (this.#rowsSeen < rowCount) return null;
    return [...this.#isEndpoint.keys()].filter((table) => this.#isEndpoint[table] === true);
  }

  /** Makes `tables` return what another thread has shared, because this thread does not see nodes move. */
  follow(shared: readonly number[] | null): void {
    this.#told = shared;
  }

  /** Scans the rows added since the last scan. Does nothing until the tables have been asked for. */
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

  /** Returns the first row not looked at whose node may be in a new table; skips quickly over nodes in known tables. */
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

  /** Notes that a node has moved from one table to another. */
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

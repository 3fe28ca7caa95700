/** The relationships of a table in files, read by page: their ends, and the adjacencies in both directions. */
import { notLoaded } from '../view/residency.ts';
import type { AdjacencyView, OpenedList } from '../view/view.ts';
import type { LaterFiles } from './later-files.ts';
import type { PagedArray } from './paged-array.ts';
import type { PagedOrdinals } from './paged-ordinals.ts';

/** Relationships that are read by page. */
export interface PagedRelationships {
  /** Rows below this are read by page; the rows of later files, and rows written since, are in memory. */
  readonly rowCount: number;
  readonly ordinals: PagedOrdinals;
  readonly sources: PagedArray;
  readonly targets: PagedArray;
  readonly outgoing: PagedAdjacency;
  readonly incoming: PagedAdjacency;
  /** Tells which rows are in force; null when no later file replaces or deletes rows. */
  readonly laterFiles: LaterFiles | null;
}

/** The arrays of a CSR, with the meaning that `AdjacencyView` describes. */
export interface PagedCsr {
  readonly base: number;
  readonly limit: number;
  readonly offsets: PagedArray;
  readonly neighbours: PagedArray;
  /** The home row of each entry; null when the home row is the position of the entry. */
  readonly rows: PagedArray | null;
  /**
   * Called for a node whose offsets are not in memory, with the share of the nodes that come before it: a guess of where
   * its list lies among all entries. Null when the guess is of no use.
   */
  readonly expectList: ((share: number) => void) | null;
}

const NOBODY = new Uint32Array(0);

/** The relationships after the rows that are read by page, in memory as one linked list per node. */
export interface RelationshipLog {
  readonly logNext: Int32Array;
  readonly logBase: number;
  /** The node at the other end, by home row. */
  readonly ends: Uint32Array;
  /** Enters the rows below `rowCount` into the lists. */
  catchUp(rowCount: number): void;
  /** Returns the newest row below `rowCount` in the list of a node; -1 when there is none. */
  head(node: number, rowCount: number): number;
}

/** The lists of an adjacency in files. */
export class PagedAdjacency {
  readonly csr: PagedCsr;

  constructor(csr: PagedCsr) {
    this.csr = csr;
  }

  /** Sets `list` to the entries of a node. Returns false when there are none, or when they are not in memory, which is noted. */
  open(node: number, list: OpenedList): boolean {
    const { base, limit, offsets, neighbours, rows, expectList } = this.csr;
    if (node < base || node >= limit) return false;
    if (!offsets.open(node - base, node - base + 2)) {
      expectList?.((node - base) / (limit - base));
      return false;
    }
    const first = offsets.list[offsets.at]!;
    const end = offsets.list[offsets.at + 1]!;
    if (first === end) return false;
    const hasNeighbours = neighbours.open(first, end);
    const hasRows = rows === null || rows.open(first, end);
    if (!hasNeighbours || !hasRows) return false;
    list.first = neighbours.at;
    list.end = neighbours.at + end - first;
    list.neighbours = neighbours.list;
    list.rows = rows === null ? null : rows.list;
    list.rowShift = rows === null ? first - neighbours.at : rows.at - neighbours.at;
    return true;
  }
}

/** An adjacency read by page, as readers of `rowCount` rows see it. Properties of the whole adjacency are answered by safe bounds. */
export class PagedAdjacencySnapshot implements AdjacencyView {
  readonly base: number;
  readonly limit: number;
  readonly hasLog: boolean;
  readonly hasLoops = true;
  readonly hasLists = true;
  readonly longestList = Number.POSITIVE_INFINITY;
  readonly mostParallel = Number.POSITIVE_INFINITY;
  readonly logNext: Int32Array;
  readonly logBase: number;
  readonly logEnds: Uint32Array;
  first = 0;
  end = 0;
  neighbours: Uint32Array = NOBODY;
  rows: Uint32Array | null = null;
  rowShift = 0;
  readonly #paged: PagedAdjacency;
  readonly #log: RelationshipLog;
  readonly #rowCount: number;

  constructor(paged: PagedAdjacency, log: RelationshipLog, rowCount: number) {
    const { base, limit } = paged.csr;
    log.catchUp(rowCount);
    this.base = base;
    this.limit = limit;
    this.hasLog = rowCount > log.logBase;
    this.logNext = log.logNext;
    this.logBase = log.logBase;
    this.logEnds = this.hasLog ? log.ends : NOBODY;
    this.#paged = paged;
    this.#log = log;
    this.#rowCount = rowCount;
  }

  /** @throws INTERNAL always: no single array holds all offsets */
  get offsets(): Uint32Array {
    throw notLoaded('an adjacency as a whole');
  }

  openList(node: number): boolean {
    return this.#paged.open(node, this);
  }

  logHead(node: number): number {
    return this.#log.head(node, this.#rowCount);
  }
}

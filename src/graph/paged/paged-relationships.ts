/** The relationships of a table in files, read by page: their ends, and whom they join to whom. */
import { notLoaded } from '../view/residency.ts';
import type { AdjacencyView, OpenedList } from '../view/view.ts';
import type { LaterFiles } from './later-files.ts';
import type { PagedArray } from './paged-array.ts';
import type { PagedOrdinals } from './paged-ordinals.ts';

/** Relationships that are read by page. */
export interface PagedRelationships {
  /** Rows below it are read by page; those of later files and behind are in memory. */
  readonly rowCount: number;
  readonly ordinals: PagedOrdinals;
  readonly sources: PagedArray;
  readonly targets: PagedArray;
  readonly outgoing: PagedAdjacency;
  readonly incoming: PagedAdjacency;
  /** Null: no later file replaces or deletes rows. */
  readonly laterFiles: LaterFiles | null;
}

/** Arrays of a CSR as `AdjacencyView` describes them. */
export interface PagedCsr {
  readonly base: number;
  readonly limit: number;
  readonly offsets: PagedArray;
  readonly neighbours: PagedArray;
  /** null: the home row is the position itself. */
  readonly rows: PagedArray | null;
  /**
   * Called with the share of all nodes that stand before one whose list is not in memory: about where it stands among
   * the neighbours. Null: nobody wants to know.
   */
  readonly expectList: ((share: number) => void) | null;
}

const NOBODY = new Uint32Array(0);

/** Relationships that stand behind the rows of the files, in lists by node. */
export interface RelationshipLog {
  readonly logNext: Int32Array;
  readonly logBase: number;
  /** The node at the other end, by home row. */
  readonly ends: Uint32Array;
  /** Has the rows below `rowCount` in the lists. */
  catchUp(rowCount: number): void;
  /** The first row in a node's list that lies below `rowCount`; -1: none. */
  head(node: number, rowCount: number): number;
}

/** The lists of an adjacency in files. */
export class PagedAdjacency {
  readonly csr: PagedCsr;

  constructor(csr: PagedCsr) {
    this.csr = csr;
  }

  /** Finds the entries of a node: in `list`, which stays what it is. False: there are none, or they are not in memory, and noted. */
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

/** An adjacency that is read by page, as readers of `rowCount` rows see it. What would need a look at all of it is answered cautiously. */
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

  /** INTERNAL: no array has all of it. */
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

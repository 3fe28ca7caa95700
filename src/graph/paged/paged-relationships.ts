/** The relationships of a table in files, read by page: their ends, and whom they join to whom. */
import type { AdjacencyView } from '../view/view.ts';
import type { LaterFiles } from './later-files.ts';
import type { PagedNumbers } from './paged-numbers.ts';
import type { PagedOrdinals } from './paged-ordinals.ts';
import type { Pages } from './pages.ts';

export interface PagedRelationships {
  /** Rows below it are read by page; those of later files and behind are in memory. */
  readonly rowCount: number;
  readonly ordinals: PagedOrdinals;
  readonly sources: PagedNumbers;
  readonly targets: PagedNumbers;
  readonly outgoing: PagedAdjacency;
  readonly incoming: PagedAdjacency;
  /** Null: no later file replaces or deletes rows. */
  readonly laterFiles: LaterFiles | null;
}

/** Arrays of a CSR as `AdjacencyView` describes them, and which pages of them are in memory. */
export interface PagedCsr {
  readonly base: number;
  readonly limit: number;
  readonly offsets: Uint32Array;
  readonly offsetPages: Pages;
  readonly neighbours: Uint32Array;
  readonly neighbourPages: Pages;
  /** null: the home row is the position itself. */
  readonly rows: Uint32Array | null;
  readonly rowPages: Pages | null;
}

const NOBODY = new Uint32Array(0);

/** Relationships that stand behind the rows of the files, in lists by node. */
export interface RelationshipLog {
  readonly logNext: Int32Array;
  readonly logBase: number;
  /** By home row: the node at the other end. */
  readonly ends: Uint32Array;
  /** Has the rows below `rowCount` in the lists. */
  catchUp(rowCount: number): void;
  /** The first row in a node's list that lies below `rowCount`; -1: none. */
  head(node: number, rowCount: number): number;
}

/** Which lists of an adjacency in files are in memory. */
export class PagedAdjacency {
  readonly csr: PagedCsr;

  constructor(csr: PagedCsr) {
    this.csr = csr;
  }

  /** Whether the list of a node is in memory; what is missing is noted. */
  touchList(node: number): boolean {
    const { base, limit, offsets, offsetPages, neighbourPages, rowPages } = this.csr;
    if (node < base || node >= limit) return true;
    const at = node - base;
    if (!offsetPages.touchRange(at, at + 2)) return false;
    const [first, end] = [offsets[at]!, offsets[at + 1]!];
    const hasNeighbours = neighbourPages.touchRange(first, end);
    return (rowPages === null || rowPages.touchRange(first, end)) && hasNeighbours;
  }
}

/** An adjacency of which only the lists can be read for which `touchList` has answered true, as readers of `rowCount` rows see it. What would need a look at all of them is answered cautiously. */
export class PagedAdjacencySnapshot implements AdjacencyView {
  readonly base: number;
  readonly limit: number;
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly rows: Uint32Array | null;
  readonly hasLog: boolean;
  readonly hasLoops = true;
  readonly hasLists = true;
  readonly longestList = Number.POSITIVE_INFINITY;
  readonly mostParallel = Number.POSITIVE_INFINITY;
  readonly logNext: Int32Array;
  readonly logBase: number;
  readonly logEnds: Uint32Array;
  readonly #paged: PagedAdjacency;
  readonly #log: RelationshipLog;
  readonly #rowCount: number;

  constructor(paged: PagedAdjacency, log: RelationshipLog, rowCount: number) {
    const { base, limit, offsets, neighbours, rows } = paged.csr;
    log.catchUp(rowCount);
    this.base = base;
    this.limit = limit;
    this.offsets = offsets;
    this.neighbours = neighbours;
    this.rows = rows;
    this.hasLog = rowCount > log.logBase;
    this.logNext = log.logNext;
    this.logBase = log.logBase;
    this.logEnds = this.hasLog ? log.ends : NOBODY;
    this.#paged = paged;
    this.#log = log;
    this.#rowCount = rowCount;
  }

  touchList(node: number): boolean {
    return this.#paged.touchList(node);
  }

  logHead(node: number): number {
    return this.#log.head(node, this.#rowCount);
  }
}

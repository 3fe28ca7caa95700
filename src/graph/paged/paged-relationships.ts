/** The relationships of a table in files, read by page: their ends, and whom they join to whom. */
import { EMPTY_I32 } from '../arrays/shared-array.ts';
import type { AdjacencyView } from '../view/view.ts';
import type { PagedNumbers } from './paged-numbers.ts';
import type { Pages } from './pages.ts';

export interface PagedRelationships {
  /** By row; null: row r has the least ordinal of the files plus r. */
  readonly ordinals: PagedNumbers | null;
  readonly sources: PagedNumbers;
  readonly targets: PagedNumbers;
  readonly outgoing: PagedAdjacency;
  readonly incoming: PagedAdjacency;
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

/** An adjacency of which only the lists can be read for which `touchList` has answered true. What would need a look at all of them is answered cautiously. */
export class PagedAdjacency implements AdjacencyView {
  readonly base: number;
  readonly limit: number;
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly rows: Uint32Array | null;
  readonly hasLog = false;
  readonly hasLoops = true;
  readonly hasLists = true;
  readonly longestList = Number.POSITIVE_INFINITY;
  readonly mostParallel = Number.POSITIVE_INFINITY;
  readonly logNext = EMPTY_I32;
  readonly logBase: number;
  readonly #csr: PagedCsr;

  constructor(csr: PagedCsr) {
    this.base = csr.base;
    this.limit = csr.limit;
    this.offsets = csr.offsets;
    this.neighbours = csr.neighbours;
    this.rows = csr.rows;
    this.logBase = csr.neighbours.length;
    this.#csr = csr;
  }

  touchList(node: number): boolean {
    const { base, limit, offsets, offsetPages, neighbourPages, rowPages } = this.#csr;
    if (node < base || node >= limit) return true;
    const at = node - base;
    if (!offsetPages.touchRange(at, at + 2)) return false;
    const [first, end] = [offsets[at]!, offsets[at + 1]!];
    const hasNeighbours = neighbourPages.touchRange(first, end);
    return (rowPages === null || rowPages.touchRange(first, end)) && hasNeighbours;
  }

  /** The neighbours of a node; none where they are noted as missing. */
  listOf(node: number): Uint32Array {
    const { base, limit, offsets, neighbours } = this.#csr;
    if (node < base || node >= limit || !this.touchList(node)) return NOBODY;
    return neighbours.subarray(offsets[node - base], offsets[node - base + 1]);
  }

  logHead(): number {
    return -1;
  }
}

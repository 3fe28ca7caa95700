/**
 * The neighbours of nodes over relationships of one type in one direction: a CSR covers the rows below `logBase`, and a log covers the rows
 * from there on as one linked list per node, newest first, with hashed heads. Both are filled on first read, so writing costs nothing.
 *
 * - The CSR only covers rows that are published; a rollback cuts the log.
 * - When the log has grown too long, `settle` gives a new adjacency with a larger CSR; readers of the old one keep it.
 * - `hasLog` is set before the log has its first row, and stays set, so that code generated for no log never runs with one.
 */

import { identityOf } from '../arrays/identity.ts';
import { EMPTY_I32, grown } from '../arrays/shared-array.ts';
import { U32Map } from '../arrays/u32-map.ts';
import type { AdjacencyView } from '../view/view.ts';
import {
  buildCsr,
  type Csr,
  type CsrInput,
  csrOfSorted,
  EMPTY_CSR,
  hasLists,
  hasLoops,
  longestList,
  mergeCsrs,
  mostParallel,
} from './csr.ts';

/** The part of an adjacency that other threads need to read it; each thread builds its own log. */
export interface SharedAdjacency {
  /** Identifies the adjacency: equal numbers mean the same one. */
  readonly id: number;
  readonly logBase: number;
  readonly sequence: number;
  readonly hasLog: boolean;
  /** Null while the CSR is not built. */
  readonly csr: Csr | null;
  readonly predecessor: Predecessor | null;
}

/** The part of a table of relationships that an adjacency reads. */
export interface AdjacentRows {
  /** The ordinals of all nodes at the ends are below this. */
  readonly nodeLimit: number;
  /** The ordinal of the source node of each row. */
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  /** How many of the first rows are sorted by (source, target). */
  readonly sortedRows: number;
  /** The version chains by home row; the bitmap is null while no relationship has been changed or deleted. */
  readonly chains: { readonly bitmap: Uint8Array | null };
  /** False for a row that is a later version of another. */
  isHomeRow(row: number): boolean;
  /** Returns the row that holds the properties at `sequence`; -1 when the relationship is deleted then. */
  rowAt(homeRow: number, sequence: number): number;
}

/** An earlier CSR over the first `rowCount` rows, into which the later rows are merged. */
interface Predecessor {
  readonly csr: Csr;
  readonly rowCount: number;
}

/** The direction of an adjacency. */
export type Direction = 'outgoing' | 'incoming';

const SHORTEST_LOG_TO_MERGE = 1024;
const LOG_SHARE_TO_MERGE = 0.05;
/**
 * Rows stay in the log, without a CSR, when the range of their nodes has more than this many nodes per row: the CSR
 * would consist mostly of empty lists.
 */
const SPARSE_NODES_PER_ROW = 64;
const NOBODY = 0xffffffff;

/** The neighbours of nodes over relationships of one type in one direction. */
export class Adjacency {
  readonly direction: Direction;
  readonly logBase: number;
  hasLog = false;
  logNext: Int32Array = EMPTY_I32;
  readonly #table: AdjacentRows;
  /** The CSR leaves out rows that were dead at this sequence. */
  readonly #sequence: number;
  readonly #heads = new U32Map();
  /** The rows from `logBase` to below this are in the log. */
  #synced: number;
  #csr: Csr | null = null;
  #predecessor: Predecessor | null = null;
  #noMergeBefore = SHORTEST_LOG_TO_MERGE;

  constructor(direction: Direction, table: AdjacentRows, logBase = 0, sequence = 0) {
    this.direction = direction;
    this.logBase = logBase;
    this.#table = table;
    this.#sequence = sequence;
    this.#synced = logBase;
    if (logBase === 0) this.#csr = EMPTY_CSR;
  }

  /** Returns this adjacency, or a new one with a CSR over all published rows when the log has grown too long. */
  settle(publishedRows: number, publishedSequence: number): Adjacency {
    if (publishedRows - this.logBase < this.#noMergeBefore) return this;
    if (publishedRows - this.logBase < this.logBase * LOG_SHARE_TO_MERGE) return this;
    if (this.#isSparse(publishedRows)) {
      this.#noMergeBefore = (publishedRows - this.logBase) * 2;
      return this;
    }
    const successor = new Adjacency(this.direction, this.#table, publishedRows, publishedSequence);
    successor.#predecessor = this.#csr === null ? this.#predecessor : { csr: this.#csr, rowCount: this.logBase };
    return successor;
  }

  #isSparse(rows: number): boolean {
    if (this.#table.nodeLimit <= rows * SPARSE_NODES_PER_ROW) return false;
    const nodes = this.#nodes();
    let low = NOBODY;
    let high = 0;
    for (let row = 0; row < rows; row++) {
      const node = nodes[row] as number;
      if (node < low) low = node;
      if (node > high) high = node;
    }
    return high - low > rows * SPARSE_NODES_PER_ROW;
  }

  #nodes(): Uint32Array {
    return this.direction === 'outgoing' ? this.#table.sources : this.#table.targets;
  }

  /** The node at the other end of each row. */
  get ends(): Uint32Array {
    return this.direction === 'outgoing' ? this.#table.targets : this.#table.sources;
  }

  get hasCsr(): boolean {
    return this.#csr !== null;
  }

  share(): SharedAdjacency {
    const { logBase, hasLog } = this;
    return { id: identityOf(this), logBase, sequence: this.#sequence, hasLog, csr: this.#csr, predecessor: this.#predecessor };
  }

  /** Makes an adjacency that reads what another thread has shared; `table` is this thread's replica of the table. */
  static following(shared: SharedAdjacency, direction: Direction, table: AdjacentRows): Adjacency {
    const adjacency = new Adjacency(direction, table, shared.logBase, shared.sequence);
    adjacency.follow(shared);
    return adjacency;
  }

  follow({ csr, predecessor, hasLog }: SharedAdjacency): void {
    if (csr !== null) this.#csr = csr;
    else if (this.#csr === null) this.#predecessor = predecessor;
    this.hasLog = hasLog;
  }

  csr(): Csr {
    this.#csr ??= this.#build();
    return this.#csr;
  }

  #build(): Csr {
    const table = this.#table;
    const outgoing = this.direction === 'outgoing';
    const first = this.#predecessor;
    const input: CsrInput = {
      nodes: outgoing ? table.sources : table.targets,
      neighbours: outgoing ? table.targets : table.sources,
      firstRow: first?.rowCount ?? 0,
      rowCount: this.logBase,
      isIncluded: table.chains.bitmap === null ? null : (row) => table.isHomeRow(row) && table.rowAt(row, this.#sequence) >= 0,
    };
    this.#predecessor = null;
    if (outgoing && table.sortedRows === this.logBase) return csrOfSorted({ ...input, firstRow: 0 });
    const added = buildCsr(input);
    return first === null || first.rowCount === 0 ? added : mergeCsrs(first.csr, added, input.isIncluded);
  }

  /** Enters the rows below `rowCount` into the log. */
  catchUp(rowCount: number): void {
    if (rowCount <= this.#synced) return;
    this.logNext = grown(this.logNext, rowCount - this.logBase);
    const nodes = this.#nodes();
    for (let row = this.#synced; row < rowCount; row++) {
      if (!this.#table.isHomeRow(row)) continue;
      const node = nodes[row] as number;
      this.logNext[row - this.logBase] = this.#heads.get(node);
      this.#heads.set(node, row);
    }
    this.#synced = rowCount;
  }

  /** Removes the rows from `rowCount` on from the log; must be called while the rows are still in the table. */
  truncate(rowCount: number): void {
    const nodes = this.#nodes();
    while (this.#synced > rowCount) {
      const row = --this.#synced;
      if (this.#table.isHomeRow(row)) this.#heads.set(nodes[row] as number, this.logNext[row - this.logBase] as number);
    }
  }

  /** Returns the newest row below `rowCount` in the log of a node; -1 when there is none. */
  head(node: number, rowCount: number): number {
    let row = this.#heads.get(node);
    while (row >= rowCount) row = this.logNext[row - this.logBase] as number;
    return row;
  }
}

/** An adjacency as readers of `rowCount` rows see it. */
export class AdjacencySnapshot implements AdjacencyView {
  readonly base: number;
  readonly limit: number;
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly rows: Uint32Array | null;
  readonly hasLog: boolean;
  readonly logNext: Int32Array;
  readonly logBase: number;
  readonly logEnds: Uint32Array;
  readonly rowShift = 0;
  first = 0;
  end = 0;
  readonly #adjacency: Adjacency;
  readonly #rowCount: number;

  constructor(adjacency: Adjacency, rowCount: number) {
    const csr = adjacency.csr();
    adjacency.catchUp(rowCount);
    this.base = csr.base;
    this.limit = csr.limit;
    this.offsets = csr.offsets;
    this.neighbours = csr.neighbours;
    this.rows = csr.rows;
    this.hasLog = adjacency.hasLog;
    this.logNext = adjacency.logNext;
    this.logBase = adjacency.logBase;
    this.logEnds = adjacency.ends;
    this.#adjacency = adjacency;
    this.#rowCount = rowCount;
  }

  openList(node: number): boolean {
    if (node < this.base || node >= this.limit) return false;
    this.first = this.offsets[node - this.base]!;
    this.end = this.offsets[node - this.base + 1]!;
    return this.first < this.end;
  }

  get hasLoops(): boolean {
    return hasLoops(this.#adjacency.csr());
  }

  get hasLists(): boolean {
    return hasLists(this.#adjacency.csr());
  }

  get mostParallel(): number {
    return mostParallel(this.#adjacency.csr());
  }

  get longestList(): number {
    return longestList(this.#adjacency.csr());
  }

  logHead(node: number): number {
    return this.#adjacency.head(node, this.#rowCount);
  }
}

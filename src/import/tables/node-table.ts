/**
 * The nodes of one label set that are not written yet: rows that came in block by block, or pieces of chunks that
 * threads have read, but never both.
 */
import { assert } from '../../base/index.ts';
import type { TableName } from '../../storage/index.ts';
import type { Storage } from '../columns/column-builder.ts';
import { storageOfKind } from '../columns/create-column.ts';
import type { JoinJob } from './join-nodes.ts';
import type { NodePiece, TakenPiece } from './node-piece.ts';
import { PropertyColumns } from './property-columns.ts';
import { SHARE_BYTES } from './relationship-table.ts';
import { StringForms } from './string-forms.ts';
import type { BufferedTable, MadeTable, SealedTable, UnwrittenTable } from './table-buffer.ts';

/** The options of a table of nodes. */
export interface NodeTableOptions {
  readonly make: (job: JoinJob) => Promise<MadeTable>;
  /** Called when the memory of a piece may be used again. */
  readonly release: (piece: NodePiece) => void;
}

/** The nodes of a label set that are not written yet. */
export class NodeTable implements BufferedTable {
  readonly index: number;
  readonly labels: readonly string[];
  rows = 0;
  readonly properties = new PropertyColumns();
  readonly #options: NodeTableOptions;
  #pieces: TakenPiece[] = [];
  #pieceBytes = 0;
  readonly #storages = new Map<string, Storage>();
  readonly #forms = new StringForms();

  constructor(index: number, labels: readonly string[], options: NodeTableOptions) {
    this.index = index;
    this.labels = labels;
    this.#options = options;
  }

  get name(): TableName {
    return { kind: 'nodes', labels: this.labels };
  }

  get bytes(): number {
    return this.#pieceBytes + this.properties.bytes;
  }

  get hasPieces(): boolean {
    return this.#pieces.length > 0;
  }

  /** Tells whether a piece can go into the same files as the present rows. */
  accepts({ columns }: NodePiece): boolean {
    if (this.rows > 0 && !this.hasPieces) return false;
    return columns.every(({ name, kind }) => (this.#storages.get(name) ?? storageOfKind(kind)) === storageOfKind(kind));
  }

  add(taken: TakenPiece): void {
    assert(this.hasPieces || this.rows === 0, 'a table has either pieces or blocks');
    const { piece, rows } = taken;
    this.#pieces.push(taken);
    this.rows += rows.length;
    this.#pieceBytes += piece.memory.byteLength;
    for (const { name, kind } of piece.columns) this.#storages.set(name, storageOfKind(kind));
  }

  truncate(rows: number): void {
    this.rows = rows;
    this.properties.truncate(rows);
  }

  take(firstOrdinal: number): UnwrittenTable[] {
    const { rows, bytes } = this;
    this.rows = 0;
    if (this.hasPieces) return this.#takePieces(firstOrdinal);
    const columns = this.properties.take(rows, null);
    const table: SealedTable = { ...this.name, rows, columns, minOrdinal: firstOrdinal, denseOrdinals: true, base: true };
    return [{ bytes, made: async () => ({ kind: 'sealed', table }), release: () => {} }];
  }

  #takePieces(firstOrdinal: number): UnwrittenTable[] {
    const { labels } = this;
    const { make, release } = this.#options;
    const forms = this.#forms.decide(this.#pieces.map(({ piece }) => piece));
    let minOrdinal = firstOrdinal;
    const tables = sharesOf(this.#pieces).map((pieces) => {
      const rows = pieces.reduce((sum, taken) => sum + taken.rows.length, 0);
      const job: JoinJob = { kind: 'nodes', labels, pieces, rows, minOrdinal, forms };
      minOrdinal += rows;
      return {
        bytes: pieces.reduce((sum, { piece }) => sum + piece.memory.byteLength, 0),
        made: () => make(job),
        release: () => {
          for (const { piece } of pieces) release(piece);
        },
      };
    });
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#storages.clear();
    return tables;
  }
}

/** Splits pieces into shares of about as many bytes as one thread joins at a time; each share is a run of pieces. */
function sharesOf(pieces: readonly TakenPiece[]): TakenPiece[][] {
  const shares: TakenPiece[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const taken of pieces) {
    const { byteLength } = taken.piece.memory;
    if (bytes + byteLength > SHARE_BYTES) {
      shares.push([]);
      bytes = 0;
    }
    shares.at(-1)!.push(taken);
    bytes += byteLength;
  }
  return shares;
}

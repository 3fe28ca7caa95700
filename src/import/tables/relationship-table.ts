/** The relationships of one type that are not written yet: pieces, in the order of the files. */
import type { Storage } from '../columns/column-builder.ts';
import { storageOfKind } from '../columns/create-column.ts';
import type { OrderJob, SourceRange } from './order-relationships.ts';
import type { RelationshipPiece } from './relationship-piece.ts';
import { StringForms } from './string-forms.ts';
import type { BufferedTable, MadeTable, UnwrittenTable } from './table-buffer.ts';

/** The bytes that one thread sorts at a time, into one file. Memory holds some five times as many while it is made. */
export const SHARE_BYTES = 32 * 2 ** 20;
const BUCKET_BITS = 16;
const EVERY_SOURCE: SourceRange = { from: 0, to: 2 ** 32 };

/** The options of a table of relationships. */
export interface RelationshipTableOptions {
  readonly type: string;
  readonly make: (job: OrderJob) => Promise<MadeTable>;
  /** Called when the memory of a piece may be used again. */
  readonly release: (piece: RelationshipPiece) => void;
}

/** The relationships of a type that are not written yet. */
export class RelationshipTable implements BufferedTable {
  rows = 0;
  bytes = 0;
  readonly #options: RelationshipTableOptions;
  #pieces: RelationshipPiece[] = [];
  readonly #storages = new Map<string, Storage>();
  readonly #forms = new StringForms();

  constructor(options: RelationshipTableOptions) {
    this.#options = options;
  }

  /** Tells whether a piece can go into the same files as the present rows. */
  accepts({ columns }: RelationshipPiece): boolean {
    return columns.every(({ name, kind }) => (this.#storages.get(name) ?? storageOfKind(kind)) === storageOfKind(kind));
  }

  add(piece: RelationshipPiece): void {
    this.#pieces.push(piece);
    this.rows += piece.rows;
    this.bytes += piece.memory.byteLength;
    for (const { name, kind } of piece.columns) this.#storages.set(name, storageOfKind(kind));
  }

  take(firstOrdinal: number): UnwrittenTable[] {
    const { make, release, type } = this.#options;
    const pieces = this.#pieces;
    const bytesPerRow = this.bytes / this.rows;
    const forms = this.#forms.decide(pieces);
    const shares = sharesOf(pieces, Math.ceil(this.bytes / SHARE_BYTES), this.rows);
    this.#pieces = [];
    this.#storages.clear();
    this.rows = 0;
    this.bytes = 0;
    let minOrdinal = firstOrdinal;
    let left = shares.length;
    return shares.map(({ range, rows }) => {
      const job: OrderJob = { kind: 'relationships', type, pieces, range, rows, minOrdinal, forms };
      minOrdinal += rows;
      return {
        bytes: rows * bytesPerRow,
        made: () => make(job),
        release: () => {
          if (--left === 0) pieces.forEach(release);
        },
      };
    });
  }
}

/** Splits all sources into ranges with about as many rows each; no source is in two ranges. */
function sharesOf(pieces: readonly RelationshipPiece[], count: number, rows: number): { range: SourceRange; rows: number }[] {
  if (count <= 1) return [{ range: EVERY_SOURCE, rows }];
  const largest = pieces.reduce((maximum, { maxSource }) => Math.max(maximum, maxSource), 0);
  const shift = Math.max(0, 32 - Math.clz32(largest) - BUCKET_BITS);
  const histogram = new Uint32Array((largest >>> shift) + 1);
  for (const { sources } of pieces) for (let row = 0; row < sources.length; row++) histogram[sources[row]! >>> shift]!++;
  const shares: { range: SourceRange; rows: number }[] = [];
  const wanted = rows / count;
  let from = 0;
  let gathered = 0;
  for (let bucket = 0; bucket < histogram.length; bucket++) {
    const isLast = bucket === histogram.length - 1;
    gathered += histogram[bucket]!;
    if (gathered === 0 || (gathered < wanted && !isLast)) continue;
    const to = isLast ? EVERY_SOURCE.to : (bucket + 1) * 2 ** shift;
    shares.push({ range: { from, to }, rows: gathered });
    from = to;
    gathered = 0;
  }
  return shares;
}

/** The relationships of one type that are not written yet: pieces, in the order of the files. */
import { ByteDictionary } from '../columns/byte-dictionary.ts';
import type { Storage } from '../columns/column-builder.ts';
import { storageOfKind } from '../columns/create-column.ts';
import type { StringForm } from '../columns/string-column.ts';
import type { OrderJob, SourceRange } from './order-relationships.ts';
import type { RelationshipPiece } from './relationship-piece.ts';
import type { BufferedTable, SealedTable, UnwrittenTable } from './table-buffer.ts';

/** What one thread sorts at a time, and one file: so many bytes are held some five times while it is made. */
export const SHARE_BYTES = 32 * 2 ** 20;
const BUCKET_BITS = 16;
const EVERY_SOURCE: SourceRange = { from: 0, to: 2 ** 32 };

export interface RelationshipTableOptions {
  readonly type: string;
  readonly order: (job: OrderJob) => Promise<SealedTable>;
  /** The memory of a piece may be used again. */
  readonly release: (piece: RelationshipPiece) => void;
}

export class RelationshipTable implements BufferedTable {
  rows = 0;
  bytes = 0;
  readonly #options: RelationshipTableOptions;
  #pieces: RelationshipPiece[] = [];
  readonly #storages = new Map<string, Storage>();
  /** How columns were stored in the files before: those of a table agree where they can. */
  readonly #forms = new Map<string, StringForm>();

  constructor(options: RelationshipTableOptions) {
    this.#options = options;
  }

  /** Can the piece go into the same files? */
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
    const { order, release, type } = this.#options;
    const pieces = this.#pieces;
    const bytesPerRow = this.bytes / this.rows;
    this.#decideForms(pieces);
    const forms = new Map(this.#forms);
    const shares = sharesOf(pieces, Math.ceil(this.bytes / SHARE_BYTES), this.rows);
    this.#pieces = [];
    this.#storages.clear();
    this.rows = 0;
    this.bytes = 0;
    let minOrdinal = firstOrdinal;
    let left = shares.length;
    return shares.map(({ range, rows }) => {
      const job: OrderJob = { type, pieces, range, rows, minOrdinal, forms };
      minOrdinal += rows;
      return {
        bytes: rows * bytesPerRow,
        sealed: () => order(job),
        release: () => {
          if (--left === 0) pieces.forEach(release);
        },
      };
    });
  }

  #decideForms(pieces: readonly RelationshipPiece[]): void {
    for (const [name, storage] of this.#storages) {
      if (storage === 'string' && !this.#forms.has(name)) this.#forms.set(name, formOf(name, pieces));
    }
  }
}

/** A dictionary, as long as at most half of the rows are distinct. */
function formOf(name: string, pieces: readonly RelationshipPiece[]): StringForm {
  const union = new ByteDictionary();
  const [rows, spelledOut] = [{ count: 0 }, { count: 0 }];
  for (const piece of pieces) {
    const column = piece.columns.find((each) => each.name === name);
    if (column === undefined) continue;
    rows.count += piece.rows;
    if (column.dictionary === undefined) spelledOut.count += piece.rows;
  }
  if (2 * spelledOut.count > rows.count) return 'string';
  for (const { columns } of pieces) {
    const dictionary = columns.find((each) => each.name === name)?.dictionary;
    if (dictionary === undefined) continue;
    for (let entry = 0; entry + 1 < dictionary.offsets.length; entry++)
      union.intern(dictionary.heap, dictionary.offsets[entry]!, dictionary.offsets[entry + 1]!);
    if (2 * union.size > rows.count) return 'string';
  }
  return 'dictionary';
}

/** Ranges of sources with about as many rows each; a source is in one of them. */
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

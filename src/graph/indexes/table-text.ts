/**
 * The documents of a full-text index in one table. A document is a row, that is one version of a node or relationship, so
 * that a reader sees the documents of exactly the rows that it sees.
 *
 * When a row changes in place, which only happens to rows of the open transaction, it becomes a new document, and no
 * reader sees the old one any more.
 */
import { type Analyzer, TextSegment } from '../../search/index.ts';
import type { Value } from '../../value/index.ts';
import { bitmapFor, hasBit, setBit } from '../arrays/bitmap.ts';
import { EMPTY_I32, grown } from '../arrays/shared-array.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { Entities } from './entities.ts';

const NO_DOCUMENT = -1;
const NO_ROW = -1;
const NO_TEXTS: readonly string[] = [];

/** The documents that a reader sees. */
export interface SeenDocuments {
  /** Documents from here on were added later; the reader does not see these. */
  readonly documentCount: number;
  /** Bitmap of the documents that the reader sees; null when it sees all. */
  readonly visible: Uint8Array | null;
}

/** The documents of a full-text index in one table. */
export class TableText {
  readonly segment: TextSegment;
  readonly #table: RowTable;
  readonly #keys: readonly number[];
  /** Rows below this have been read: those with texts are documents. */
  #rowsRead = 0;
  #documentOfRow = EMPTY_I32;
  #rowOfDocument = EMPTY_I32;
  /** Bitmap of the documents that no reader sees; null while there are none. */
  #replaced: Uint8Array | null = null;
  /** Rows below `#rowsRead` that have changed; these have no document until they are read again. */
  readonly #changed = new Set<number>();
  /** The read in progress, which the next call of `read` continues; null when there is none. */
  #reading: Generator<number, void, void> | null = null;
  #rowBeingRead = NO_ROW;

  constructor(table: RowTable, keys: readonly number[], analyzer: Analyzer) {
    this.#table = table;
    this.#keys = keys;
    this.segment = new TextSegment(analyzer, keys.length);
  }

  get isRead(): boolean {
    return this.#rowsRead === this.#table.rowCount && this.#changed.size === 0;
  }

  get byteLength(): number {
    return this.segment.byteLength + this.#documentOfRow.byteLength + this.#rowOfDocument.byteLength;
  }

  rowOf(document: number): number {
    return this.#rowOfDocument[document] as number;
  }

  /**
   * Reads all rows, which must be in memory, also those added while it runs. Yields the work of each step. A caller that
   * stops in the middle of a long row leaves the rest of it to the next call.
   */
  *read(): Generator<number, void, void> {
    while (!this.isRead) {
      this.#reading ??= this.#rows();
      const step = this.#reading.next();
      if (step.done === true) this.#reading = null;
      else yield step.value;
    }
  }

  /** Reads more rows, for about `steps` units of work. Returns whether all rows have been read. */
  fill(steps: number): boolean {
    let left = steps;
    for (const taken of this.read()) {
      left -= taken;
      if (left < 0) break;
    }
    return this.isRead;
  }

  *#rows(): Generator<number, void, void> {
    while (!this.isRead) {
      // as: it is not read, so there is one
      const row = this.#rowsRead < this.#table.rowCount ? this.#rowsRead : (this.#changed.values().next().value as number);
      this.#rowBeingRead = row;
      const document = yield* this.segment.adding(this.#valuesOf(row));
      this.#rowBeingRead = NO_ROW;
      this.#documentOfRow = grown(this.#documentOfRow, row + 1);
      this.#documentOfRow[row] = document;
      if (document !== NO_DOCUMENT) {
        this.#rowOfDocument = grown(this.#rowOfDocument, document + 1);
        this.#rowOfDocument[document] = row;
      }
      if (row === this.#rowsRead) this.#rowsRead++;
      else this.#changed.delete(row);
    }
  }

  /** Ends the read of a row that has changed or was rolled back, and hides what it may have added. */
  #breakOff(): void {
    const { documentCount } = this.segment;
    this.#reading?.return();
    this.#reading = null;
    this.#rowBeingRead = NO_ROW;
    if (this.segment.documentCount === documentCount) return;
    this.#rowOfDocument = grown(this.#rowOfDocument, documentCount + 1);
    this.#hide(documentCount);
  }

  #valuesOf(row: number): (readonly string[])[] {
    return this.#keys.map((key) => textsOf(this.#table.get(row, key)));
  }

  /** Notes that a row has changed; it is read again before the next answer. */
  rowChanged(row: number): void {
    if (row === this.#rowBeingRead) this.#breakOff();
    if (row >= this.#rowsRead) return;
    this.#forget(row);
    this.#changed.add(row);
  }

  truncate(rowCount: number): void {
    if (this.#rowBeingRead >= rowCount) this.#breakOff();
    for (; this.#rowsRead > rowCount; this.#rowsRead--) {
      this.#forget(this.#rowsRead - 1);
      this.#changed.delete(this.#rowsRead - 1);
    }
  }

  #forget(row: number): void {
    const document = this.#documentOfRow[row] as number;
    if (document === NO_DOCUMENT) return;
    this.#documentOfRow[row] = NO_DOCUMENT;
    this.#hide(document);
  }

  #hide(document: number): void {
    this.#replaced = bitmapFor(this.#replaced, document + 1);
    setBit(this.#replaced, document);
  }

  /** Returns the documents that a reader sees: O(1) when the table has no versions and the reader sees all rows, else O(documents). */
  seenBy(entities: Entities): SeenDocuments {
    const { documentCount } = this.segment;
    const table = this.#table;
    const rowCount = entities.rowCountOf(table);
    if (this.#replaced === null && table.chains.bitmap === null && rowCount >= this.#rowsRead) return { documentCount, visible: null };
    const visible = new Uint8Array((documentCount >>> 3) + 1);
    let hidden = 0;
    for (let document = 0; document < documentCount; document++) {
      if (this.#isSeen(document, rowCount, entities)) visible[document >>> 3]! |= 1 << (document & 7);
      else hidden++;
    }
    return { documentCount, visible: hidden === 0 ? null : visible };
  }

  #isSeen(document: number, rowCount: number, entities: Entities): boolean {
    const row = this.#rowOfDocument[document] as number;
    if (row >= rowCount) return false;
    const replaced = this.#replaced;
    if (replaced !== null && document >>> 3 < replaced.length && hasBit(replaced, document)) return false;
    const table = this.#table;
    if (!table.mayHaveVersions(row)) return true;
    return entities.locate(table.entityOf(row)) === table && entities.row === row;
  }
}

/** Returns the texts of a value: a string or a list of strings; any other value has none. */
function textsOf(value: Value): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? (value as string[]) : NO_TEXTS; // as: each is one
}

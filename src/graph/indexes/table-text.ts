/**
 * What a full-text index has read of one table. A document is a row, that is one version of a node or relationship, so which documents a reader sees is which rows it sees.
 *
 * A row that changes in place, which only rows of the open transaction do, becomes another document, and the first is seen by nobody any more.
 */
import { type Analyzer, TextSegment } from '../../search/index.ts';
import type { Value } from '../../value/index.ts';
import { bitmapFor, hasBit, setBit } from '../arrays/bitmap.ts';
import { EMPTY_I32, grown } from '../arrays/shared-array.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { Entities } from './entities.ts';

const NO_DOCUMENT = -1;
/** Characters of text that are analysed in one step. */
const CHARACTERS_PER_STEP = 4;
const NO_TEXTS: readonly string[] = [];

/** Which documents a reader sees. */
export interface SeenDocuments {
  /** Documents from here on came later. */
  readonly documentCount: number;
  /** By document; null: the reader sees all. */
  readonly visible: Uint8Array | null;
}

export class TableText {
  readonly segment: TextSegment;
  readonly #table: RowTable;
  readonly #keys: readonly number[];
  /** Rows below this are documents, where they have texts. */
  #rowsRead = 0;
  #documentOfRow = EMPTY_I32;
  #rowOfDocument = EMPTY_I32;
  /** Bitmap of documents that are seen by nobody; null: none. */
  #replaced: Uint8Array | null = null;

  constructor(table: RowTable, keys: readonly number[], analyzer: Analyzer) {
    this.#table = table;
    this.#keys = keys;
    this.segment = new TextSegment(analyzer, keys.length);
  }

  get isRead(): boolean {
    return this.#rowsRead === this.#table.rowCount;
  }

  get byteLength(): number {
    return this.segment.byteLength + this.#documentOfRow.byteLength + this.#rowOfDocument.byteLength;
  }

  rowOf(document: number): number {
    return this.#rowOfDocument[document] as number;
  }

  /** Reads rows that are in memory, as many as there are by then. Yields the steps that the next row takes. */
  *read(): Generator<number, void, void> {
    while (!this.isRead) {
      const row = this.#rowsRead;
      const values = this.#valuesOf(row);
      yield stepsOf(values);
      // Meanwhile others may have read it, or a rollback may have taken it back.
      if (this.#rowsRead !== row || row >= this.#table.rowCount) continue;
      this.#enter(row, this.#valuesOf(row));
      this.#rowsRead = row + 1;
    }
  }

  /** Reads so many rows more at most. Returns whether none is left. */
  fill(rows: number): boolean {
    for (let left = rows; left > 0 && !this.isRead; left--) {
      this.#enter(this.#rowsRead, this.#valuesOf(this.#rowsRead));
      this.#rowsRead++;
    }
    return this.isRead;
  }

  #valuesOf(row: number): (readonly string[])[] {
    return this.#keys.map((key) => textsOf(this.#table.get(row, key)));
  }

  #enter(row: number, values: readonly (readonly string[])[]): void {
    const document = this.segment.add(values);
    this.#documentOfRow = grown(this.#documentOfRow, row + 1);
    this.#documentOfRow[row] = document;
    if (document === NO_DOCUMENT) return;
    this.#rowOfDocument = grown(this.#rowOfDocument, document + 1);
    this.#rowOfDocument[document] = row;
  }

  rowChanged(row: number): void {
    if (row >= this.#rowsRead) return;
    this.#forget(row);
    this.#enter(row, this.#valuesOf(row));
  }

  truncate(rowCount: number): void {
    for (; this.#rowsRead > rowCount; this.#rowsRead--) this.#forget(this.#rowsRead - 1);
  }

  #forget(row: number): void {
    const document = this.#documentOfRow[row] as number;
    if (document === NO_DOCUMENT) return;
    this.#replaced = bitmapFor(this.#replaced, document + 1);
    setBit(this.#replaced, document);
  }

  /** Where the table has no versions and the reader sees all of its rows, nothing is looked at. */
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

/** A text, or a list of texts; any other value has none. */
function textsOf(value: Value): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? (value as string[]) : NO_TEXTS; // as: each is one
}

function stepsOf(values: readonly (readonly string[])[]): number {
  let characters = 0;
  for (const texts of values) for (const text of texts) characters += text.length;
  return 1 + Math.ceil(characters / CHARACTERS_PER_STEP);
}

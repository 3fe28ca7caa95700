/**
 * The binary form of rows in temporary files, column by column: the count of rows, the count of columns, then for each
 * column one byte for its kind, and its content.
 *
 *   0 32-bit integers: 4 bytes each   1 numbers: 8 bytes each
 *   2 texts with one byte per character, 3 with two: the lengths, 4 bytes each, then all texts
 *   4 any values, as by `encodeValue`
 *
 * A field is a value or a plain number (an ordinal, a Float), or null. Decoding returns each field exactly as it was,
 * including the sign of zero. Numbers use the byte order of the machine, because no other machine reads the file.
 */
import { ByteReader, type ByteWriter } from '../../../base/index.ts';
import { decodeValue, encodeValue, type Value } from '../../../value/index.ts';
import { FURTHER_FORMS } from './further-forms.ts';

/** The values of a row. */
export type Row = readonly unknown[];

const INT32 = 0;
const NUMBERS = 1;
const NARROW_TEXTS = 2;
const WIDE_TEXTS = 3;
const VALUES = 4;
/** The tag of a number in a column of any values that is no safe integer, or is -0: 8 bytes follow. */
const TAG_NUMBER = 0x3f;
const BEYOND_ONE_BYTE = /[^\0-\xff]/;

/** Appends the binary form of rows, which must all have the same width. */
export function encodeRows(rows: readonly Row[], writer: ByteWriter): void {
  const width = rows[0]?.length ?? 0;
  writer.varint(rows.length);
  writer.varint(width);
  for (let at = 0; at < width; at++) encodeColumn(rows, at, writer);
}

function encodeColumn(rows: readonly Row[], at: number, writer: ByteWriter): void {
  const kind = kindOf(rows, at);
  if (kind === WIDE_TEXTS) encodeTexts(rows, at, writer);
  else {
    writer.byte(kind);
    if (kind === VALUES) for (const row of rows) encodeField(row[at], writer);
    else writer.raw(bytesOf(numbers(kind === INT32 ? new Int32Array(rows.length) : new Float64Array(rows.length), rows, at)));
  }
}

function kindOf(rows: readonly Row[], at: number): typeof INT32 | typeof NUMBERS | typeof WIDE_TEXTS | typeof VALUES {
  const first = typeof rows[0]![at];
  if (first !== 'number' && first !== 'string') return VALUES;
  let isInt32 = true;
  for (let i = 0; i < rows.length; i++) {
    const value = rows[i]![at];
    if (typeof value !== first) return VALUES;
    if (isInt32 && !Object.is((value as number) | 0, value)) isInt32 = false;
  }
  if (first === 'string') return WIDE_TEXTS;
  return isInt32 ? INT32 : NUMBERS;
}

function numbers<T extends Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(into: T, rows: readonly Row[], at: number): T {
  for (let i = 0; i < rows.length; i++) into[i] = rows[i]![at] as number;
  return into;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function encodeTexts(rows: readonly Row[], at: number, writer: ByteWriter): void {
  const lengths = new Uint32Array(rows.length);
  let all = '';
  for (let i = 0; i < rows.length; i++) {
    const text = rows[i]![at] as string;
    lengths[i] = text.length;
    all += text;
  }
  const isWide = BEYOND_ONE_BYTE.test(all);
  writer.byte(isWide ? WIDE_TEXTS : NARROW_TEXTS);
  writer.raw(bytesOf(lengths));
  writer.raw(Buffer.from(all, isWide ? 'utf16le' : 'latin1'));
}

function encodeField(field: unknown, writer: ByteWriter): void {
  if (typeof field === 'number' && !(Number.isSafeInteger(field) && !Object.is(field, -0))) {
    writer.byte(TAG_NUMBER);
    writer.f64(field);
  } else encodeValue(field as Value, writer, FURTHER_FORMS); // as: fields are numbers and values
}

/** Decodes rows, as new arrays. */
export function decodeRows(bytes: Uint8Array): unknown[][] {
  const reader = new ByteReader(bytes, 'a temporary file');
  const count = reader.varint();
  const width = reader.varint();
  const columns: ArrayLike<unknown>[] = [];
  for (let at = 0; at < width; at++) columns.push(decodeColumn(reader, count));
  const rows: unknown[][] = [];
  for (let i = 0; i < count; i++) {
    const row: unknown[] = [];
    for (let at = 0; at < width; at++) row.push(columns[at]![i]);
    rows.push(row);
  }
  return rows;
}

function decodeColumn(reader: ByteReader, count: number): ArrayLike<unknown> {
  const kind = reader.byte();
  switch (kind) {
    case INT32:
      return new Int32Array(copied(reader, 4 * count));
    case NUMBERS:
      return new Float64Array(copied(reader, 8 * count));
    case NARROW_TEXTS:
    case WIDE_TEXTS:
      return decodeTexts(reader, count, kind === WIDE_TEXTS);
    case VALUES: {
      const values: unknown[] = [];
      for (let i = 0; i < count; i++) values.push(decodeValue(reader, FORMS_OF_FIELDS));
      return values;
    }
    default:
      throw reader.corrupt(`a column of the unknown kind ${kind}`);
  }
}

const FORMS_OF_FIELDS: typeof FURTHER_FORMS = {
  encode: FURTHER_FORMS.encode,
  decode: (tag, reader) => (tag === TAG_NUMBER ? reader.f64() : FURTHER_FORMS.decode(tag, reader)),
};

function copied(reader: ByteReader, bytes: number): ArrayBuffer {
  const copy = new Uint8Array(bytes);
  copy.set(reader.raw(bytes));
  return copy.buffer;
}

/** Decodes each text by itself: slices of one long text would keep all of it in memory. */
function decodeTexts(reader: ByteReader, count: number, isWide: boolean): string[] {
  const lengths = new Uint32Array(copied(reader, 4 * count));
  const texts: string[] = [];
  for (const length of lengths) {
    const { buffer, byteOffset, byteLength } = reader.raw(isWide ? 2 * length : length);
    texts.push(Buffer.from(buffer, byteOffset, byteLength).toString(isWide ? 'utf16le' : 'latin1'));
  }
  return texts;
}

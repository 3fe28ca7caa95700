/** Reads a column over some rows of a block, by pieces of its buffers. */
import type { SstBlock, SstBuffer, SstColumn, SstPart } from '../api.ts';
import type { BufferSource } from './buffer-source.ts';
import { allocateValues, bytesOf, type ColumnValues, fileWidth } from './column-kinds.ts';
import { decodeBooleans, decodeIntegers } from './decode-values.ts';

/** The most rows that are read around one: a piece of values of 4 bytes, two of 8. */
const PART_ROWS = 8_192;
/** The most bytes of values without a fixed width; fewer rows are read where values are larger. */
const PART_HEAP_BYTES = 2 ** 17;

/** A block, and the place of a column in it. */
export interface PartOfBlock {
  readonly kind: SstColumn['kind'];
  readonly block: SstBlock;
  /** The index of the column's first buffer among those of the block. */
  readonly firstBuffer: number;
  /** The bytes of each row when the kind has no fixed width and all rows have equally many; 0 when unknown. */
  readonly width: number;
}

/** The part that was read; its column lacks name and dictionary. */
export type ReadPart = Omit<SstPart, 'column'> & { readonly column: Pick<SstColumn, 'values' | 'valid' | 'heap'> };

/** Reads the rows around a row of the block. `fail` makes the error to throw when the offsets of text are invalid. */
export async function readPart(part: PartOfBlock, row: number, source: BufferSource, fail: (what: string) => Error): Promise<ReadPart> {
  const firstRow = row - (row % PART_ROWS);
  const rows = Math.min(PART_ROWS, part.block.rows - firstRow);
  if (part.width > 0 && bufferAt(part, 2)[0][1] === part.block.rows * part.width) return readRow(part, row, source);
  if (part.kind === 'string' || part.kind === 'vector' || part.kind === 'any')
    return readVariable(part, { firstRow, rows, row }, source, fail);
  const [values, valid] = await Promise.all([readFixed(part, firstRow, rows, source), readValid(part, firstRow, rows, source)]);
  return { firstRow, rows, column: { values, valid } };
}

function bufferAt({ block, firstBuffer }: PartOfBlock, at: number): readonly [SstBuffer, string] {
  return [block.buffers[firstBuffer + at]!, block.pieces?.[firstBuffer + at] ?? ''];
}

/** Reads the bitmap of rows that have a value; null when all rows have one. */
async function readValid(part: PartOfBlock, firstRow: number, rows: number, source: BufferSource): Promise<Uint8Array | null> {
  const [buffer, checksums] = bufferAt(part, 0);
  if (buffer[1] === 0) return null;
  const from = firstRow >> 3;
  // A copy, since a view would keep the whole array alive.
  return (await source.fetchPart(buffer, checksums, from, from + ((rows + 7) >> 3))).slice();
}

async function readFixed(part: PartOfBlock, firstRow: number, rows: number, source: BufferSource): Promise<ColumnValues> {
  const { kind } = part;
  const [buffer, checksums] = bufferAt(part, 1);
  const values = allocateValues(kind, rows);
  if (kind === 'boolean') {
    decodeBooleans(await source.fetchPart(buffer, checksums, firstRow >> 3, (firstRow + rows + 7) >> 3), values as Uint8Array);
    return values;
  }
  const width = fileWidth(kind);
  const bytes = await source.fetchPart(buffer, checksums, firstRow * width, (firstRow + rows) * width);
  if (kind === 'integer') decodeIntegers(bytes, values as Float64Array);
  else bytesOf(values).set(bytes);
  return values;
}

/** Reads a single row of a known width. */
async function readRow(part: PartOfBlock, row: number, source: BufferSource): Promise<ReadPart> {
  const { kind, width } = part;
  const [buffer, checksums] = bufferAt(part, 2);
  const heap = await source.fetchPart(buffer, checksums, row * width, (row + 1) * width);
  const values = allocateValues(kind, 1);
  values[1] = width;
  return { firstRow: row, rows: 1, column: { values, valid: null, heap: heap.slice() } };
}

async function readVariable(
  part: PartOfBlock,
  around: { readonly firstRow: number; readonly rows: number; readonly row: number },
  source: BufferSource,
  fail: (what: string) => Error,
): Promise<ReadPart> {
  const [offsetsBuffer, offsetsChecksums] = bufferAt(part, 1);
  const [heapBuffer, heapChecksums] = bufferAt(part, 2);
  const unit = part.kind === 'vector' ? 4 : 1;
  const { firstRow, rows, row } = around;
  const bytes = (await source.fetchPart(offsetsBuffer, offsetsChecksums, 4 * firstRow, 4 * (firstRow + rows + 1))).slice();
  const offsets = new Uint32Array(bytes.buffer);
  const isSound = offsets.every((offset, i) => i === 0 || offset >= offsets[i - 1]!) && offsets.at(-1)! * unit <= heapBuffer[1];
  if (!isSound) throw fail('the offsets of text do not match its bytes');
  const window = windowAround(offsets, row - firstRow, PART_HEAP_BYTES / unit);
  const [start, end] = [offsets[window.from]! * unit, offsets[window.to]! * unit];
  const [heap, valid] = await Promise.all([
    source.fetchPart(heapBuffer, heapChecksums, start, end),
    readValid(part, firstRow + window.from, window.to - window.from, source),
  ]);
  const values = allocateValues(part.kind, window.to - window.from);
  for (let i = 0; i <= window.to - window.from; i++) values[i] = offsets[window.from + i]! * unit - start;
  return { firstRow: firstRow + window.from, rows: window.to - window.from, column: { values, valid, heap: heap.slice() } };
}

/** Returns the rows around `row` that have at most `most` units of text, at least eight, so that validity begins at a byte. */
function windowAround(offsets: Uint32Array, row: number, most: number): { readonly from: number; readonly to: number } {
  let [from, to] = [0, offsets.length - 1];
  for (let size = PART_ROWS / 2; size >= 8 && offsets[to]! - offsets[from]! > most; size /= 2) {
    from = row - (row % size);
    to = Math.min(from + size, offsets.length - 1);
  }
  return { from, to };
}

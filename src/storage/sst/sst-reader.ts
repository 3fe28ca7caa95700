/**
 * Reads an SST by column, straight into shared arrays, checking every buffer (B7).
 *
 * Small files are fetched whole, once. Others by ranged reads, one per buffer and block, several at a time; what a caller does not ask for is not read.
 */
import { crc32, zstdDecompressSync } from 'node:zlib';
import { assert } from '../../base/index.ts';
import type { ObjectStore } from '../../object-store/index.ts';
import type { SstBlock, SstBuffer, SstColumn, SstColumnInfo, SstFile, SstReader } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { corruption } from '../faults.ts';
import { bufferCount } from '../manifest/manifest-shape.ts';
import { copyBits, setBits } from './bits.ts';
import { allocateBitmap, allocateValues, bytesOf, type ColumnValues, isVariableWidth } from './column-kinds.ts';

const SMALL_FILE_BYTES = 256 * 1024;
const CONCURRENT_READS = 16;

export function openSstReader(store: ObjectStore, file: SstFile): SstReader {
  return new ArrowSstReader(store, file);
}

interface Target {
  readonly values: ColumnValues;
  readonly valid: Uint8Array | null;
}

/** One block's part of a column. */
interface ColumnPart {
  readonly info: SstColumnInfo;
  readonly block: SstBlock;
  readonly firstRow: number;
  /** Of the column's buffers: validity, then values. */
  readonly buffers: readonly SstBuffer[];
  /** Bytes of text in the blocks before. */
  readonly heapOffset: number;
}

class ArrowSstReader implements SstReader {
  readonly file: SstFile;
  readonly #store: ObjectStore;
  #whole: Promise<Uint8Array> | null = null;

  constructor(store: ObjectStore, file: SstFile) {
    this.#store = store;
    this.file = file;
  }

  async readColumn(name: string, target?: Target): Promise<SstColumn | null> {
    const info = this.file.columns.find((column) => column.name === name);
    if (info === undefined) return null;
    const parts = this.#parts(info);
    const { values, valid } = target ?? this.#allocate(info);
    this.#assertTarget(info, values, valid);
    const heap = isVariableWidth(info.kind) ? new Uint8Array(new SharedArrayBuffer(heapBytes(parts))) : undefined;
    const [dictionary] = await Promise.all([
      info.dictionary === undefined ? undefined : this.#readDictionary(info.dictionary),
      mapConcurrently(parts, CONCURRENT_READS, async (part) => {
        await Promise.all([this.#readValidity(part, valid), this.#readValues(part, values, heap)]);
      }),
    ]);
    return {
      name,
      kind: info.kind,
      values,
      valid,
      ...(heap === undefined ? {} : { heap }),
      ...(dictionary === undefined ? {} : { dictionary }),
    };
  }

  #allocate({ kind, nullCount }: SstColumnInfo): Target {
    const { rows } = this.file;
    return { values: allocateValues(kind, rows), valid: nullCount === 0 ? null : allocateBitmap(rows) };
  }

  #assertTarget({ name, kind, nullCount }: SstColumnInfo, values: ColumnValues, valid: Uint8Array | null): void {
    const { rows } = this.file;
    assert(values.length === (isVariableWidth(kind) ? rows + 1 : rows), `column ${name}: the target has another length than the file`);
    assert(valid !== null || nullCount === 0, `column ${name} has nulls, the target has no bitmap`);
  }

  #parts(info: SstColumnInfo): ColumnPart[] {
    const { columns, blocks } = this.file;
    const index = columns.indexOf(info);
    const first = columns.slice(0, index).reduce((sum, { kind }) => sum + bufferCount(kind), 0);
    const parts: ColumnPart[] = [];
    let firstRow = 0;
    let heapOffset = 0;
    for (const block of blocks) {
      const buffers = block.buffers.slice(first, first + bufferCount(info.kind));
      parts.push({ info, block, firstRow, buffers, heapOffset });
      firstRow += block.rows;
      if (isVariableWidth(info.kind)) heapOffset += unpackedBytes(buffers[2]!);
    }
    return parts;
  }

  async #readValidity({ buffers, block, firstRow }: ColumnPart, valid: Uint8Array | null): Promise<void> {
    if (valid === null) return;
    const buffer = buffers[0]!;
    if (buffer[1] === 0) return setBits(valid, firstRow, block.rows);
    const bits = await this.#fetch(buffer, (block.rows + 7) >> 3);
    copyBits(bits, 0, valid, firstRow, block.rows);
  }

  async #readValues(part: ColumnPart, values: ColumnValues, heap: Uint8Array | undefined): Promise<void> {
    const { info, block, firstRow, buffers } = part;
    const rows = block.rows;
    switch (info.kind) {
      case 'integer':
        return decodeIntegers(await this.#fetch(buffers[1]!, 8 * rows), values as Float64Array, firstRow, rows);
      case 'boolean':
        return decodeBooleans(await this.#fetch(buffers[1]!, (rows + 7) >> 3), values as Uint8Array, firstRow, rows);
      case 'string':
      case 'any':
        return this.#readText(part, values as Uint32Array, heap!);
      default: {
        const target = bytesOf(values.subarray(firstRow, firstRow + rows));
        await this.#fetchInto(buffers[1]!, target);
      }
    }
  }

  async #readText({ block, firstRow, buffers, heapOffset }: ColumnPart, values: Uint32Array, heap: Uint8Array): Promise<void> {
    const length = unpackedBytes(buffers[2]!);
    const [offsets] = await Promise.all([
      this.#fetch(buffers[1]!, 4 * (block.rows + 1)),
      this.#fetchInto(buffers[2]!, heap.subarray(heapOffset, heapOffset + length)),
    ]);
    const words = new Int32Array(offsets.buffer, offsets.byteOffset, block.rows + 1);
    if (words[block.rows] !== length) throw corruption(this.file.key, 'the offsets of a text column do not match its bytes');
    for (let row = 0; row <= block.rows; row++) values[firstRow + row] = heapOffset + words[row]!;
  }

  async #readDictionary({ size, offsets, heap }: NonNullable<SstColumnInfo['dictionary']>): Promise<NonNullable<SstColumn['dictionary']>> {
    const dictionary = {
      offsets: new Uint32Array(new SharedArrayBuffer(4 * (size + 1))),
      heap: new Uint8Array(new SharedArrayBuffer(unpackedBytes(heap))),
    };
    await Promise.all([this.#fetchInto(offsets, bytesOf(dictionary.offsets)), this.#fetchInto(heap, dictionary.heap)]);
    return dictionary;
  }

  /** The unpacked bytes of a buffer, at an offset that suits any typed array. */
  async #fetch(buffer: SstBuffer, expected: number): Promise<Uint8Array> {
    const target = new Uint8Array(expected);
    await this.#fetchInto(buffer, target);
    return target;
  }

  async #fetchInto(buffer: SstBuffer, target: Uint8Array): Promise<void> {
    const [, stored] = buffer;
    if (unpackedBytes(buffer) !== target.length)
      throw corruption(this.file.key, `a buffer has ${unpackedBytes(buffer)} bytes instead of ${target.length}`);
    if (stored === 0) return;
    if (this.file.compression === undefined) return this.#readStored(buffer, target);
    const packed = new Uint8Array(stored);
    await this.#readStored(buffer, packed);
    target.set(this.#unpack(packed, target.length));
  }

  async #readStored([offset, length, checksum]: SstBuffer, target: Uint8Array): Promise<void> {
    if (this.file.bytes <= SMALL_FILE_BYTES) target.set((await this.#readWhole()).subarray(offset, offset + length));
    else this.#checkLength(await this.#store.readInto(this.file.key, offset, target), length);
    if (crc32(target) !== checksum) throw corruption(this.file.key, `the checksum of the ${length} bytes at ${offset} does not match`);
  }

  #readWhole(): Promise<Uint8Array> {
    this.#whole ??= this.#getWhole().catch((error: unknown) => {
      this.#whole = null;
      throw error;
    });
    return this.#whole;
  }

  async #getWhole(): Promise<Uint8Array> {
    const bytes = await this.#store.get(this.file.key);
    this.#checkLength(bytes?.length ?? null, this.file.bytes);
    return bytes!;
  }

  #checkLength(read: number | null, expected: number): void {
    if (read === null) throw corruption(this.file.key, 'it is missing, though the manifest names it');
    if (read !== expected) throw corruption(this.file.key, `it ends too early or too late: ${read} bytes read, ${expected} expected`);
  }

  #unpack(packed: Uint8Array, length: number): Uint8Array {
    const prefix = new DataView(packed.buffer, packed.byteOffset, 8).getBigInt64(0, true);
    const body = packed.subarray(8);
    if (prefix === -1n) return body;
    if (prefix !== BigInt(length)) throw corruption(this.file.key, 'a compressed buffer has another length than the manifest says');
    try {
      return zstdDecompressSync(body, { maxOutputLength: Math.max(length, 1) });
    } catch (error) {
      throw corruption(this.file.key, 'a compressed buffer cannot be unpacked', error);
    }
  }
}

function unpackedBytes([, stored, , unpacked]: SstBuffer): number {
  return unpacked ?? stored;
}

function heapBytes(parts: readonly ColumnPart[]): number {
  const last = parts.at(-1);
  return last === undefined ? 0 : last.heapOffset + unpackedBytes(last.buffers[2]!);
}

function decodeIntegers(bytes: Uint8Array, values: Float64Array, firstRow: number, rows: number): void {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, 2 * rows);
  for (let row = 0, at = 0; row < rows; row++, at += 2) values[firstRow + row] = words[at + 1]! * 2 ** 32 + (words[at]! >>> 0);
}

function decodeBooleans(bytes: Uint8Array, values: Uint8Array, firstRow: number, rows: number): void {
  for (let row = 0; row < rows; row++) values[firstRow + row] = (bytes[row >> 3]! >> (row & 7)) & 1;
}

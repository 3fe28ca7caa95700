/**
 * Reads an SST by column, directly into shared arrays, or by block.
 *
 * Small files are fetched whole, once. Of others the layout is read first, once, by one ranged read; then a column by
 * ranged reads, one per buffer and block, several at a time (other columns are not read); a block by one ranged read.
 * Buffers and small files are kept in the cache, if there is one; otherwise a small file stays with its reader. Blocks
 * are not cached: they are read once, to be merged or scanned.
 */
import { crc32 } from 'node:zlib';
import { assert, onNextTurn } from '../../base/index.ts';
import type { SstBlock, SstBuffer, SstColumn, SstColumnInfo, SstDictionaryPlace, SstFile, SstLayout, SstPart, SstReader } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { corruption } from '../faults.ts';
import { allocateBytes } from '../files/background-thread.ts';
import { CheckedRanges } from '../files/checked-ranges.ts';
import type { FileSource } from '../files/file-access.ts';
import type { StorePages } from '../page-cache/page-cache.ts';
import { copyBits, isSet, setBits } from './bits.ts';
import { BufferSource, checkLength, unpackedBytes } from './buffer-source.ts';
import { allocateBitmap, allocateValues, bufferCount, bytesOf, type ColumnValues, isVariableWidth } from './column-kinds.ts';
import { decodeBooleans, decodeIntegers } from './decode-values.ts';
import { decodeLayout, isLayout } from './file-layout.ts';
import { readPart } from './read-part.ts';
import { nameOfFile, type StoreCache } from './sst-cache.ts';

const SMALL_FILE_BYTES = 256 * 1024;
const CONCURRENT_READS = 32;
/** Columns that are less than this part of a block are read by buffer instead of with the whole block. */
const SMALL_PART = 1 / 2;

/** Opens a reader, without a request. `pages` is the store's cache on a local disk; null without one. */
export function openSstReader(
  source: FileSource,
  file: SstFile,
  cache: StoreCache | null = null,
  pages: StorePages | null = null,
): SstReader {
  return new ArrowSstReader(source, file, cache, new CheckedRanges(source, pages));
}

interface Target {
  readonly values: ColumnValues;
  readonly valid: Uint8Array | null;
}

/** A column's part in one block, and its place in the whole column. */
interface ColumnPart {
  readonly kind: SstColumnInfo['kind'];
  readonly rows: number;
  readonly firstRow: number;
  /** The buffers of the column: validity, then values. */
  readonly buffers: readonly SstBuffer[];
  /** The bytes of text in the blocks before. */
  readonly heapOffset: number;
}

type Dictionary = NonNullable<SstColumn['dictionary']>;

class ArrowSstReader implements SstReader {
  readonly file: SstFile;
  readonly #store: FileSource;
  readonly #cache: StoreCache | null;
  readonly #ranges: CheckedRanges;
  readonly #source: BufferSource;
  readonly #small: boolean;
  /** The read of a small file: set while it is under way, without a cache also afterwards. */
  #whole: Promise<Uint8Array> | null = null;
  #layout: Promise<SstLayout> | null = null;
  readonly #dictionaries = new Map<string, Promise<Dictionary>>();

  constructor(store: FileSource, file: SstFile, cache: StoreCache | null, ranges: CheckedRanges) {
    this.#store = store;
    this.#cache = cache;
    this.#ranges = ranges;
    this.file = file;
    this.#small = file.bytes <= SMALL_FILE_BYTES;
    this.#source = this.#small ? BufferSource.image(file, () => this.#readWhole(), 0) : BufferSource.ranged(ranges, file, cache);
  }

  async readColumn(name: string, target?: Target): Promise<SstColumn | null> {
    const info = this.file.columns.find((column) => column.name === name);
    if (info === undefined) return null;
    if (target !== undefined) this.#assertTarget(info, target);
    return this.#read(info, (await this.readLayout()).blocks, this.#source, target);
  }

  async readBlock(index: number, names?: ReadonlySet<string>): Promise<readonly SstColumn[]> {
    const block = (await this.readLayout()).blocks[index];
    assert(block !== undefined, `file ${this.file.key} has no block ${index}`);
    const infos = names === undefined ? this.file.columns : this.file.columns.filter(({ name }) => names.has(name));
    const source = this.#small || this.#isSmallPart(infos, block) ? this.#source : await this.#blockSource(block);
    return Promise.all(infos.map((info) => this.#read(info, [block], source)));
  }

  #isSmallPart(infos: readonly SstColumnInfo[], block: SstBlock): boolean {
    const buffers = infos.flatMap((info) => this.#parts(info, [block])[0]!.buffers);
    return buffers.reduce((bytes, [, stored]) => bytes + stored, 0) < block.bytes * SMALL_PART;
  }

  async readAround(name: string, block: number, row: number, width = 0): Promise<SstPart | null> {
    const info = this.file.columns.find((column) => column.name === name);
    if (info === undefined) return null;
    const place = (await this.readLayout()).blocks[block];
    assert(place !== undefined && row < place.rows, `file ${this.file.key} has row ${row} of block ${block}`);
    if (this.#small || place.pieces === undefined) {
      const column = (await this.readBlock(block, new Set([name])))[0]!;
      return { firstRow: 0, rows: place.rows, column };
    }
    const { kind } = info;
    const firstBuffer = this.#firstBufferOf(info);
    const fail = (what: string): Error => corruption(this.file.key, what);
    const [{ firstRow, rows, column }, dictionary] = await Promise.all([
      readPart({ kind, block: place, firstBuffer, width }, row, this.#source, fail),
      kind === 'dictionary' ? this.#dictionary(info) : undefined,
    ]);
    if (name === '_ordinal') this.#checkOrdinals(column.values as Uint32Array);
    if (dictionary !== undefined) this.#checkCodes(column.values as Int32Array, column.valid, dictionary.offsets.length - 1);
    return { firstRow, rows, column: { name, kind, ...column, ...(dictionary === undefined ? {} : { dictionary }) } };
  }

  async readDictionary(name: string): Promise<Dictionary | null> {
    const info = this.file.columns.find((column) => column.name === name);
    return info?.kind === 'dictionary' ? this.#dictionary(info) : null;
  }

  readLayout(): Promise<SstLayout> {
    this.#layout ??= this.#findLayout().catch((error: unknown) => {
      this.#layout = null;
      throw error;
    });
    return this.#layout;
  }

  async #findLayout(): Promise<SstLayout> {
    const { layout } = this.file;
    return isLayout(layout) ? layout : decodeLayout(this.file, await this.#source.fetchStored(layout));
  }

  async #read(info: SstColumnInfo, blocks: readonly SstBlock[], source: BufferSource, target?: Target): Promise<SstColumn> {
    const parts = this.#parts(info, blocks);
    const { values, valid } = target ?? allocate(info, parts);
    const heap = isVariableWidth(info.kind) ? new Uint8Array(allocateBytes(heapBytes(parts))) : undefined;
    const [dictionary] = await Promise.all([
      info.kind === 'dictionary' ? this.#dictionary(info) : undefined,
      mapConcurrently(parts, CONCURRENT_READS, async (part) => {
        await Promise.all([readValidity(part, source, valid), this.#readValues(part, source, values, heap)]);
      }),
    ]);
    const { name, kind } = info;
    if (name === '_ordinal') this.#checkOrdinals(values as Uint32Array);
    if (dictionary !== undefined) this.#checkCodes(values as Int32Array, valid, dictionary.offsets.length - 1);
    return { name, kind, values, valid, ...(heap === undefined ? {} : { heap }), ...(dictionary === undefined ? {} : { dictionary }) };
  }

  #checkCodes(codes: Int32Array, valid: Uint8Array | null, size: number): void {
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!;
      if ((code < 0 || code >= size) && (valid === null || isSet(valid, row)))
        throw corruption(this.file.key, `code ${code} of text is not among the ${size} of its dictionary`);
    }
  }

  /** Checks ordinals against the manifest, since readers allocate memory up to the highest one. @throws CORRUPTION */
  #checkOrdinals(ordinals: Uint32Array): void {
    const { key, minOrdinal, maxOrdinal } = this.file;
    for (const ordinal of ordinals)
      if (ordinal < minOrdinal || ordinal > maxOrdinal)
        throw corruption(key, `ordinal ${ordinal} is not among those that the manifest says`);
  }

  #firstBufferOf(info: SstColumnInfo): number {
    const { columns } = this.file;
    return columns.slice(0, columns.indexOf(info)).reduce((sum, column) => sum + bufferCount(column.kind), 0);
  }

  #parts(info: SstColumnInfo, blocks: readonly SstBlock[]): ColumnPart[] {
    const { kind } = info;
    const first = this.#firstBufferOf(info);
    const parts: ColumnPart[] = [];
    let firstRow = 0;
    let heapOffset = 0;
    for (const { rows, buffers: all } of blocks) {
      const buffers = all.slice(first, first + bufferCount(kind));
      parts.push({ kind, rows, firstRow, buffers, heapOffset });
      firstRow += rows;
      if (isVariableWidth(kind)) heapOffset += unpackedBytes(buffers[2]!);
    }
    return parts;
  }

  async #readValues(part: ColumnPart, source: BufferSource, values: ColumnValues, heap: Uint8Array | undefined): Promise<void> {
    const { kind, rows, firstRow, buffers } = part;
    switch (kind) {
      case 'integer':
        return decodeIntegers(await source.fetch(buffers[1]!, 8 * rows), (values as Float64Array).subarray(firstRow, firstRow + rows));
      case 'boolean':
        return decodeBooleans(await source.fetch(buffers[1]!, (rows + 7) >> 3), (values as Uint8Array).subarray(firstRow, firstRow + rows));
      case 'string':
      case 'vector':
      case 'any':
        return this.#readText(part, source, values as Uint32Array, heap!);
      default:
        return source.fetchInto(buffers[1]!, bytesOf(values.subarray(firstRow, firstRow + rows)));
    }
  }

  async #readText(part: ColumnPart, source: BufferSource, values: Uint32Array, heap: Uint8Array): Promise<void> {
    const { kind, rows, firstRow, buffers, heapOffset } = part;
    const unit = kind === 'vector' ? 4 : 1;
    const length = unpackedBytes(buffers[2]!);
    const [offsets] = await Promise.all([
      source.fetch(buffers[1]!, 4 * (rows + 1)),
      source.fetchInto(buffers[2]!, heap.subarray(heapOffset, heapOffset + length)),
    ]);
    const words = new Int32Array(offsets.buffer, offsets.byteOffset, rows + 1);
    for (let row = 0; row <= rows; row++) values[firstRow + row] = heapOffset + words[row]! * unit;
    this.#checkOffsets(values.subarray(firstRow, firstRow + rows + 1), heapOffset, heapOffset + length);
  }

  #checkOffsets(offsets: Uint32Array, start: number, end: number): void {
    let areSound = offsets[0] === start && offsets.at(-1) === end;
    for (let i = 1; i < offsets.length; i++) areSound &&= offsets[i]! >= offsets[i - 1]!;
    if (!areSound) throw corruption(this.file.key, 'the offsets of text do not match its bytes');
  }

  /** Returns a dictionary, which is read once and shared by all reads of this file. */
  #dictionary(info: SstColumnInfo): Promise<Dictionary> {
    const { name } = info;
    const known = this.#dictionaries.get(name);
    if (known !== undefined) return known;
    const reading = this.#readDictionary(info).catch((error: unknown) => {
      this.#dictionaries.delete(name);
      throw error;
    });
    this.#dictionaries.set(name, reading);
    return reading;
  }

  async #readDictionary(info: SstColumnInfo): Promise<Dictionary> {
    const size = info.dictionarySize ?? 0;
    const { offsets, heap } = this.#placeOfDictionary(info, await this.readLayout());
    const dictionary = {
      offsets: new Uint32Array(allocateBytes(4 * (size + 1))),
      heap: new Uint8Array(allocateBytes(unpackedBytes(heap))),
    };
    await Promise.all([this.#source.fetchInto(offsets, bytesOf(dictionary.offsets)), this.#source.fetchInto(heap, dictionary.heap)]);
    this.#checkOffsets(dictionary.offsets, 0, dictionary.heap.length);
    return dictionary;
  }

  #placeOfDictionary(info: SstColumnInfo, { dictionaries }: SstLayout): SstDictionaryPlace {
    const place = dictionaries[this.file.columns.filter(({ kind }) => kind === 'dictionary').indexOf(info)];
    assert(place !== undefined, `file ${this.file.key} has a dictionary for ${info.name}`);
    return place;
  }

  #assertTarget({ name, kind, nullCount }: SstColumnInfo, { values, valid }: Target): void {
    const { rows } = this.file;
    assert(values.length === (isVariableWidth(kind) ? rows + 1 : rows), `column ${name}: the target has another length than the file`);
    assert(valid !== null || nullCount === 0, `column ${name} has nulls, the target has no bitmap`);
  }

  async #blockSource({ offset, bytes }: SstBlock): Promise<BufferSource> {
    const image = new Uint8Array(allocateBytes(bytes));
    checkLength(this.file, await this.#store.readInto(this.file.key, offset, image), bytes);
    return BufferSource.image(this.file, async () => image, offset);
  }

  #readWhole(): Promise<Uint8Array> {
    this.#whole ??= this.#findWhole().catch((error: unknown) => {
      this.#whole = null;
      throw error;
    });
    return this.#whole;
  }

  async #findWhole(): Promise<Uint8Array> {
    const cache = this.#cache;
    if (cache === null) return this.#getWhole();
    const name = nameOfFile(cache.location, this.file);
    const known = cache.entries.get(name);
    const bytes = known ?? (await this.#getWhole());
    if (known === undefined) cache.entries.put(name, bytes);
    // Concurrent reads share these bytes; later ones look into the cache.
    onNextTurn(() => {
      this.#whole = null;
    });
    return bytes;
  }

  /** Reads the whole file. Buffers are checked one by one; the checksum of the file decides whether the disk keeps it. */
  async #getWhole(): Promise<Uint8Array> {
    const { file } = this;
    const isWhole = (bytes: Uint8Array): boolean => crc32(bytes) === file.crc32;
    const kept = await this.#ranges.findKept(file, 0, file.bytes, isWhole);
    if (kept !== null) return kept;
    const bytes = await this.#store.get(file.key);
    checkLength(file, bytes?.length ?? null, file.bytes);
    if (isWhole(bytes!)) this.#ranges.keep(file, 0, bytes!);
    return bytes!;
  }
}

function allocate({ kind, nullCount }: SstColumnInfo, parts: readonly ColumnPart[]): Target {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const hasNulls = nullCount > 0 && parts.some(({ buffers }) => buffers[0]![1] > 0);
  return { values: allocateValues(kind, rows), valid: hasNulls ? allocateBitmap(rows) : null };
}

async function readValidity({ rows, firstRow, buffers }: ColumnPart, source: BufferSource, valid: Uint8Array | null): Promise<void> {
  if (valid === null) return;
  const buffer = buffers[0]!;
  if (buffer[1] === 0) return setBits(valid, firstRow, rows);
  copyBits(await source.fetch(buffer, (rows + 7) >> 3), 0, valid, firstRow, rows);
}

function heapBytes(parts: readonly ColumnPart[]): number {
  const last = parts.at(-1);
  return last === undefined ? 0 : last.heapOffset + unpackedBytes(last.buffers[2]!);
}

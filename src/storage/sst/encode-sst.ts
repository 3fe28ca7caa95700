/**
 * Encodes rows of a table as an SST, an Arrow IPC file, with its manifest entry (docs/storage-format.md, "SST").
 *
 * One pass over the columns per block; the image is allocated once, at its largest possible size. Yields to other work
 * every few megabytes, so that flushing does not hold up requests. 5 M rows of 5 columns take about 0.2 s.
 */
import { constants, crc32, zstdCompressSync } from 'node:zlib';
import { assert, nextTurn } from '../../base/index.ts';
import {
  type ArrowBatch,
  type ArrowMessagePlace,
  type ArrowSchema,
  arrowDictionaryBatchMessage,
  arrowFooter,
  arrowRecordBatchMessage,
  arrowSchemaMessage,
} from '../../formats/index.ts';
import type {
  EncodedFile,
  SstBlock,
  SstBuffer,
  SstColumn,
  SstColumnInfo,
  SstContent,
  SstDictionaryPlace,
  SstTable,
  TableName,
} from '../api.ts';
import { pauseIfDue, pieces } from '../files/background-thread.ts';
import { arrowField } from './arrow-field.ts';
import { copyBits } from './bits.ts';
import { assertTable, bytesOf, isVariableWidth } from './column-kinds.ts';
import { encodeValues, valueBufferLengths } from './encode-column.ts';
import { encodeLayout, largestLayoutBytes } from './file-layout.ts';
import { checksumsLength, checksumsOf } from './pieces.ts';
import { columnBounds, countNulls, type RowRange } from './statistics.ts';
import { type UsedDictionary, usedDictionary } from './used-dictionary.ts';

/** The most rows of a block of relationships. */
export const BLOCK_ROWS = 65_536;
/** The most rows of a block of nodes, which are read one by one: in small blocks one request reads several values of one. */
const NODE_BLOCK_ROWS = 16_384;

/** The most bytes of text of one column in a block, unless a single row has more. */
export const BLOCK_TEXT_BYTES = 16 * 2 ** 20;
const ALIGNMENT = 64;
const YIELD_BYTES = 4 * 2 ** 20;
const MAGIC = Buffer.from('ARROW1');
const CONTINUATION = 0xffff_ffff;
const UNCOMPRESSED = -1n;
/** An upper bound of the metadata of one message in bytes, without its vectors. */
const MESSAGE_BYTES = 512;
const ZSTD_OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The options of encoding. */
export interface EncodeOptions {
  readonly compression?: 'zstd' | undefined;
  /** The rows of the table to encode; all of them when left out. */
  readonly range?: RowRange;
  /** Allocates zeroed memory for the file. */
  readonly image?: (length: number) => Uint8Array;
}

/** Encodes a file. Its bytes lie at the beginning of the memory from `image`, or of a buffer of their own. */
export async function encodeSst(table: SstTable, options: EncodeOptions = {}): Promise<EncodedFile> {
  const { range = { from: 0, to: table.rows } } = options;
  assert(range.to > range.from, 'an SST has rows');
  assertTable(table);
  const encoder = new SstEncoder(table, range, options);
  await encoder.run();
  return encoder.finish();
}

/**
 * Divides rows into blocks of at most `BLOCK_ROWS` rows, `NODE_BLOCK_ROWS` of nodes, and at most `BLOCK_TEXT_BYTES` of
 * one column unless a single row has more.
 */
export function blockRanges({ kind: ofTable, columns }: Pick<SstTable, 'kind' | 'columns'>, { from, to }: RowRange): RowRange[] {
  const variable = columns.filter(({ kind }) => isVariableWidth(kind)).map(({ values }) => values as Uint32Array);
  const mostRows = ofTable === 'nodes' ? NODE_BLOCK_ROWS : BLOCK_ROWS;
  const ranges: RowRange[] = [];
  for (let start = from; start < to; ) {
    let end = Math.min(start + mostRows, to);
    for (const offsets of variable) end = Math.max(lastFitting(offsets, start, end), start + 1);
    ranges.push({ from: start, to: end });
    start = end;
  }
  return ranges;
}

/** Returns the largest row ≤ `end` so that the text from `start` to before it has at most `BLOCK_TEXT_BYTES`. */
function lastFitting(offsets: Uint32Array, start: number, end: number): number {
  const limit = offsets[start]! + BLOCK_TEXT_BYTES;
  if (offsets[end]! <= limit) return end;
  let low = start;
  let high = end;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! <= limit) low = middle;
    else high = middle;
  }
  return low;
}

class SstEncoder {
  readonly #table: SstTable;
  readonly #range: RowRange;
  readonly #compressed: boolean;
  readonly #schema: ArrowSchema;
  readonly #ranges: readonly RowRange[];
  readonly #dictionaries: readonly (UsedDictionary | null)[];
  readonly #image: Uint8Array;
  #at = 0;
  #yieldAt = YIELD_BYTES;
  readonly #blocks: SstBlock[] = [];
  readonly #columnInfos: SstColumnInfo[] = [];
  readonly #batchPlaces: ArrowMessagePlace[] = [];
  readonly #dictionaryPlaces: ArrowMessagePlace[] = [];
  readonly #dictionaryBuffers: SstDictionaryPlace[] = [];
  #layout: SstBuffer = [0, 0, 0];

  constructor(table: SstTable, range: RowRange, { compression, image = (length) => new Uint8Array(length) }: EncodeOptions) {
    this.#table = table;
    this.#range = range;
    this.#compressed = compression === 'zstd';
    this.#schema = arrowSchema(table, range);
    this.#ranges = blockRanges(table, range);
    this.#dictionaries = table.columns.map((column) => (column.kind === 'dictionary' ? usedDictionary(column, range) : null));
    this.#image = image(this.#largestSize());
  }

  async run(): Promise<void> {
    this.#append(MAGIC);
    this.#align(8);
    this.#writeMetadata(arrowSchemaMessage(this.#schema), 8);
    for (const range of this.#ranges) {
      this.#writeBlock(range);
      if (this.#at < this.#yieldAt) continue;
      this.#yieldAt = this.#at + YIELD_BYTES;
      await nextTurn();
    }
    this.#dictionaries.forEach((dictionary, id) => {
      if (dictionary !== null) this.#dictionaryBuffers.push(this.#writeDictionary(id, dictionary));
    });
    this.#writeFooter();
    for (const [index, column] of this.#table.columns.entries()) {
      this.#columnInfos.push(this.#columnInfo(column, index));
      if (this.#range.to - this.#range.from > BLOCK_ROWS) await nextTurn();
    }
  }

  finish(): EncodedFile {
    const { minOrdinal, denseOrdinals, base, level, minSequence, maxSequence } = this.#table;
    const { from, to } = this.#range;
    const bytes = this.#image.subarray(0, this.#at);
    const ordinals = denseOrdinals ? { min: minOrdinal + from, max: minOrdinal + to - 1 } : this.#ordinalBounds();
    const content: SstContent = {
      bytes: bytes.length,
      crc32: checksumOf(bytes),
      ...(this.#compressed ? { compression: 'zstd' } : {}),
      rows: to - from,
      level,
      base,
      minOrdinal: ordinals.min,
      maxOrdinal: ordinals.max,
      denseOrdinals,
      minSequence,
      maxSequence,
      blockCount: this.#blocks.length,
      columns: this.#columnInfos,
      layout: this.#layout,
    };
    return { bytes, content };
  }

  #ordinalBounds(): { min: number; max: number } {
    const ordinals = this.#table.columns.find(({ name }) => name === '_ordinal');
    assert(ordinals?.kind === 'uint32', 'ordinals are dense or in a column _ordinal');
    const { min, max } = columnBounds(ordinals, this.#range);
    return { min: Number(min), max: Number(max) };
  }

  #columnInfo(column: SstColumn, index: number): SstColumnInfo {
    const used = this.#dictionaries[index] ?? null;
    return {
      name: column.name,
      kind: column.kind,
      nullCount: countNulls(column, this.#range),
      ...(used === null ? columnBounds(column, this.#range) : { ...used.bounds, distinct: used.size, dictionarySize: used.size }),
    };
  }

  #writeBlock(range: RowRange): void {
    const { columns } = this.#table;
    const nullCounts = columns.map((column) => countNulls(column, range));
    const { from, to } = range;
    const rows = to - from;
    const body = this.#reserveMetadata(this.#bufferCount(), this.#nodeCount());
    const nodes: [number, number][] = [];
    columns.forEach((column, index) => {
      nodes.push([rows, nullCounts[index]!]);
      body.add(nullCounts[index] === 0 ? 0 : (rows + 7) >> 3, (target) => copyBits(column.valid!, from, target, 0, rows));
      const codes = this.#dictionaries[index]?.codes ?? null;
      valueBufferLengths(column, range).forEach((length, part) => {
        if (column.kind === 'vector' && part === 1) {
          nodes.push([length / 4, 0]);
          body.addNothing();
        }
        body.add(length, (target) => encodeValues(column, part, range, codes, target));
      });
    });
    const place = body.finish((batch) => arrowRecordBatchMessage(batch), { rows, nodes });
    this.#batchPlaces.push(place);
    this.#blocks.push({
      rows,
      offset: place.offset + place.metadataBytes,
      bytes: place.bodyBytes,
      buffers: body.buffers,
      ...(body.pieces.some((checksums) => checksums !== '') ? { pieces: body.pieces } : {}),
    });
  }

  #writeDictionary(id: number, { size, offsets, heap }: UsedDictionary): SstDictionaryPlace {
    assert(heap.length < 2 ** 31, 'a dictionary has less than 2^31 bytes of text');
    const body = this.#reserveMetadata(3, 1);
    body.add(0, () => {});
    body.add(4 * (size + 1), (target) => target.set(bytesOf(offsets.subarray(0, size + 1))));
    body.add(heap.length, (target) => target.set(heap));
    this.#dictionaryPlaces.push(body.finish((batch) => arrowDictionaryBatchMessage(id, batch), { rows: size, nodes: [[size, 0]] }));
    return { offsets: body.buffers[1]!, heap: body.buffers[2]! };
  }

  /** Leaves room for the metadata of a batch, and returns a collector of its body. */
  #reserveMetadata(buffers: number, nodes: number): BatchBody {
    this.#align(8);
    const offset = this.#at;
    this.#at += batchMetadataBytes(buffers, nodes);
    this.#align(ALIGNMENT);
    return new BatchBody(this, offset);
  }

  #bufferCount(): number {
    return this.#table.columns.reduce((sum, { kind }) => sum + (kind === 'vector' ? 4 : isVariableWidth(kind) ? 3 : 2), 0);
  }

  #nodeCount(): number {
    return this.#table.columns.reduce((sum, { kind }) => sum + (kind === 'vector' ? 2 : 1), 0);
  }

  #largestSize(): number {
    const columns = this.#table.columns.length;
    const perBuffer = 2 * ALIGNMENT + 8;
    const perBlock = batchMetadataBytes(this.#bufferCount(), this.#nodeCount()) + ALIGNMENT + perBuffer * this.#bufferCount();
    const layout = { blocks: this.#ranges.length, buffers: this.#bufferCount(), dictionaries: this.#dictionaries.length };
    let bytes = 2 * arrowSchemaMessage(this.#schema).length + 4096 + largestLayoutBytes(layout);
    for (const range of this.#ranges) {
      bytes += perBlock + columns * ((range.to - range.from + 7) >> 3);
      for (const column of this.#table.columns)
        for (const length of valueBufferLengths(column, range)) bytes += length + checksumsLength(length);
      bytes += 24;
    }
    for (const dictionary of this.#dictionaries) {
      if (dictionary !== null) bytes += batchMetadataBytes(3, 1) + 4 * perBuffer + 4 * (dictionary.size + 1) + dictionary.heap.length;
    }
    return bytes;
  }

  #writeFooter(): void {
    this.#align(8);
    this.#writeUint32(CONTINUATION);
    this.#writeUint32(0);
    this.#writeLayout();
    const bytes = arrowFooter(this.#schema, this.#dictionaryPlaces, this.#batchPlaces);
    this.#append(bytes);
    this.#writeUint32(bytes.length);
    this.#append(MAGIC);
  }

  /** Writes the layout between the end of the stream and the footer, where readers of Arrow files do not look. */
  #writeLayout(): void {
    const bytes = encodeLayout({ blocks: this.#blocks, dictionaries: this.#dictionaryBuffers });
    this.#layout = [this.#at, bytes.length, crc32(bytes)];
    this.#append(bytes);
    this.#align(8);
  }

  #writeMetadata(message: Uint8Array, alignment: number): void {
    this.#writeUint32(CONTINUATION);
    this.#writeUint32(message.length);
    this.#append(message);
    this.#align(alignment);
  }

  // The members below are for BatchBody.

  get at(): number {
    return this.#at;
  }

  get compressed(): boolean {
    return this.#compressed;
  }

  /** Returns the next `length` bytes of the image, zeroed and aligned. */
  claim(length: number): Uint8Array {
    const bytes = this.#image.subarray(this.#at, this.#at + length);
    assert(bytes.length === length, 'the image of an SST is large enough');
    this.#at += length;
    return bytes;
  }

  alignBuffer(): void {
    this.#align(ALIGNMENT);
  }

  /** Writes the metadata of a batch into the room that was left for it. */
  placeMetadata(offset: number, bodyOffset: number, message: Uint8Array): void {
    const room = bodyOffset - offset - 8;
    assert(message.length <= room, 'the metadata of a batch fits its place');
    const view = new DataView(this.#image.buffer, offset, 8);
    view.setUint32(0, CONTINUATION, true);
    view.setUint32(4, room, true);
    this.#image.set(message, offset + 8);
  }

  #append(bytes: Uint8Array): void {
    this.claim(bytes.length).set(bytes);
  }

  #align(alignment: number): void {
    this.#at = Math.ceil(this.#at / alignment) * alignment;
  }

  #writeUint32(value: number): void {
    const bytes = this.claim(4);
    new DataView(bytes.buffer, bytes.byteOffset, 4).setUint32(0, value, true);
  }
}

/** The body of one record or dictionary batch while it is written. */
class BatchBody {
  /** The buffers that the layout of the file lists. */
  readonly buffers: SstBuffer[] = [];
  /** The checksums of the pieces of each buffer. */
  readonly pieces: string[] = [];
  /** All buffers, with empty ones that Arrow requires, as [offset in the file, bytes]. */
  readonly #all: (readonly [number, number])[] = [];
  readonly #encoder: SstEncoder;
  readonly #offset: number;
  readonly #bodyOffset: number;

  constructor(encoder: SstEncoder, offset: number) {
    this.#encoder = encoder;
    this.#offset = offset;
    this.#bodyOffset = encoder.at;
  }

  add(length: number, fill: (target: Uint8Array) => void): void {
    const offset = this.#encoder.at;
    if (length === 0) {
      this.#push([offset, 0, 0], '');
      return;
    }
    const stored = this.#encoder.compressed ? this.#claimCompressed(length, fill) : this.#encoder.claim(length);
    if (!this.#encoder.compressed) fill(stored);
    const checksum = crc32(stored);
    pauseIfDue();
    if (this.#encoder.compressed) this.#push([offset, stored.length, checksum, length], '');
    else this.#push([offset, stored.length, checksum], checksumsOf(stored));
    this.#encoder.alignBuffer();
  }

  /** Adds the empty validity buffer of vector components, none of which is null. */
  addNothing(): void {
    this.#all.push([this.#encoder.at, 0]);
  }

  #push(buffer: SstBuffer, pieces: string): void {
    this.buffers.push(buffer);
    this.pieces.push(pieces);
    this.#all.push([buffer[0], buffer[1]]);
  }

  finish(message: (batch: ArrowBatch) => Uint8Array, batch: Pick<ArrowBatch, 'rows' | 'nodes'>): ArrowMessagePlace {
    const bodyBytes = this.#encoder.at - this.#bodyOffset;
    const buffers = this.#all.map(([offset, bytes]) => [offset - this.#bodyOffset, bytes] as const);
    const metadata = message({ ...batch, buffers, bodyBytes, compressed: this.#encoder.compressed });
    this.#encoder.placeMetadata(this.#offset, this.#bodyOffset, metadata);
    return { offset: this.#offset, metadataBytes: this.#bodyOffset - this.#offset, bodyBytes };
  }

  /** Claims a packed buffer: 8 bytes of unpacked length, then ZSTD; or −1 and the plain bytes when packing does not pay. */
  #claimCompressed(length: number, fill: (target: Uint8Array) => void): Uint8Array {
    const raw = new Uint8Array(length);
    fill(raw);
    const packed = zstdCompressSync(raw, ZSTD_OPTIONS);
    const smaller = packed.length < raw.length;
    const stored = this.#encoder.claim(8 + (smaller ? packed.length : raw.length));
    new DataView(stored.buffer, stored.byteOffset, 8).setBigInt64(0, smaller ? BigInt(length) : UNCOMPRESSED, true);
    stored.set(smaller ? packed : raw, 8);
    return stored;
  }
}

function checksumOf(bytes: Uint8Array): number {
  let checksum = 0;
  for (const { from, to } of pieces(0, bytes.length, YIELD_BYTES)) checksum = crc32(bytes.subarray(from, to), checksum);
  return checksum;
}

function batchMetadataBytes(buffers: number, nodes: number): number {
  return MESSAGE_BYTES + 16 * (buffers + nodes);
}

function arrowSchema(table: SstTable, range: RowRange): ArrowSchema {
  const { columns, minOrdinal, denseOrdinals } = table;
  return {
    fields: columns.map(({ name, kind, valid }, index) =>
      arrowField({ name, kind, nullable: valid !== null || !isSystemColumn(name), dictionaryId: index }),
    ),
    metadata: {
      'graphdb.format': '1',
      'graphdb.table': JSON.stringify(tableName(table)),
      'graphdb.denseOrdinals': String(denseOrdinals),
      'graphdb.minOrdinal': String(denseOrdinals ? minOrdinal + range.from : minOrdinal),
    },
  };
}

/** Whether a column is a system column: its name starts with exactly one underscore. */
export function isSystemColumn(name: string): boolean {
  return name.startsWith('_') && !name.startsWith('__');
}

/** Returns the name of a table without its other members. */
export function tableName({ kind, labels, type }: TableName): TableName {
  return kind === 'nodes' ? { kind, labels: labels ?? [] } : { kind, type: type ?? '' };
}

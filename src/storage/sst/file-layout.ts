/**
 * The layout of an SST, which holds the places of its blocks and dictionaries: JSON in the file before the footer of
 * Arrow (docs/storage-format.md, "SST"). Files of formats 1 and 2 have it in the manifest. To read a column of a large
 * file, its layout is read first, by one request.
 */
import type { SstBlock, SstBuffer, SstDictionaryPlace, SstFile, SstLayout } from '../api.ts';
import { corruption } from '../faults.ts';
import { Place } from '../json-place.ts';
import { unpackedBytes } from './buffer-source.ts';
import { bufferCount } from './column-kinds.ts';

/** The most bytes of `[offset,bytes,crc32,unpacked],` with numbers below 2^53, and of the quotes around its pieces. */
const LARGEST_BUFFER_BYTES = 3 * 17 + 11 + 3 + 3;
/** The most bytes around the buffers of a block, or of a dictionary. */
const LARGEST_FRAME_BYTES = 128;

/** The members of a file with which its layout must agree. */
export type LaidOut = Pick<SstFile, 'rows' | 'bytes' | 'columns' | 'blockCount'>;

/** Whether a layout stands in the manifest itself. */
export function isLayout(layout: SstBuffer | SstLayout): layout is SstLayout {
  return !Array.isArray(layout);
}

/** Encodes a layout. */
export function encodeLayout(layout: SstLayout): Uint8Array {
  return Buffer.from(JSON.stringify(layout));
}

/** Returns the most bytes of a layout, without checksums of pieces. `buffers` is the number of buffers of each block. */
export function largestLayoutBytes({
  blocks,
  buffers,
  dictionaries,
}: Readonly<Record<'blocks' | 'buffers' | 'dictionaries', number>>): number {
  const perBlock = LARGEST_FRAME_BYTES + buffers * LARGEST_BUFFER_BYTES;
  return LARGEST_FRAME_BYTES + blocks * perBlock + dictionaries * (LARGEST_FRAME_BYTES + 2 * LARGEST_BUFFER_BYTES);
}

/** Decodes the layout of a file. @throws CORRUPTION, which names the path of the wrong member */
export function decodeLayout(file: SstFile, bytes: Uint8Array): SstLayout {
  return parseLayout(new Place(null, file.key, parseJson(file, bytes)), file);
}

function parseJson({ key }: SstFile, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw corruption(key, 'its layout is not JSON', error);
  }
}

/** Parses a layout, and checks that it agrees with the file. @throws CORRUPTION */
export function parseLayout(place: Place, file: LaidOut): SstLayout {
  const layout = { blocks: place.member('blocks').list(parseBlock), dictionaries: place.member('dictionaries').list(parseDictionary) };
  checkLayout(place, layout, file);
  return layout;
}

/** Checks that every block has all buffers, the blocks have all rows of the file, and everything lies within it. */
export function checkLayout(place: Place, { blocks, dictionaries }: SstLayout, file: LaidOut): void {
  if (blocks.length !== file.blockCount) place.member('blocks').fail(`a list of ${file.blockCount} blocks`);
  if (file.rows !== blocks.reduce((sum, block) => sum + block.rows, 0)) place.fail('of as many rows as the file');
  const buffers = file.columns.reduce((sum, { kind }) => sum + bufferCount(kind), 0);
  for (const block of blocks) if (block.buffers.length !== buffers) place.member('blocks').fail('complete: buffers are missing');
  for (const { pieces } of blocks)
    if (pieces !== undefined && pieces.length !== buffers) place.member('blocks').fail('with pieces of each buffer');
  const sizes = file.columns.flatMap(({ kind, dictionarySize = 0 }) => (kind === 'dictionary' ? [dictionarySize] : []));
  if (dictionaries.length !== sizes.length) place.fail('complete: dictionaries are missing');
  // Checked before memory for that many entries is allocated.
  if (dictionaries.some(({ offsets }, index) => unpackedBytes(offsets) !== 4 * (sizes[index]! + 1)))
    place.member('dictionaries').fail('of as many entries as the columns say');
  const places = [...dictionaries.flatMap(({ offsets, heap }) => [offsets, heap]), ...blocks.flatMap((block) => block.buffers)];
  for (const [offset, bytes] of places) if (offset + bytes > file.bytes) place.member('blocks').fail('within the file');
  for (const { offset, bytes } of blocks) if (offset + bytes > file.bytes) place.member('blocks').fail('within the file');
}

/** Parses a block of a layout. */
export function parseBlock(place: Place): SstBlock {
  const pieces = place.optional('pieces', (list) => list.list((checksums) => checksums.text()));
  return {
    rows: place.member('rows').count(),
    offset: place.member('offset').count(),
    bytes: place.member('bytes').count(),
    buffers: place.member('buffers').list(parseBuffer),
    ...(pieces === undefined ? {} : { pieces }),
  };
}

/** Parses the place of a dictionary. */
export function parseDictionary(place: Place): SstDictionaryPlace {
  return { offsets: parseBuffer(place.member('offsets')), heap: parseBuffer(place.member('heap')) };
}

/** Parses the place of a buffer. */
export function parseBuffer(place: Place): SstBuffer {
  const numbers = place.list((entry) => entry.count());
  if (numbers.length !== 3 && numbers.length !== 4) place.fail('a buffer: [offset, bytes, crc32]');
  return numbers as unknown as SstBuffer; // Three or four counts: just checked.
}

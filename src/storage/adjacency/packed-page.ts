/**
 * Packs numbers of 32 bits in blocks of 128, each in the narrowest of three forms (docs/storage-format.md,
 * "Adjacency").
 *
 * A page of n numbers: for each of its ⌈n / 128⌉ blocks a base (u32); for each a byte, form × 64 + width; zeros up to a
 * multiple of 4; then for each block its numbers, `width` bits each, from the lowest bit on, filled up to a multiple of
 * 4 bytes. Number i of a block is, by form, modulo 2^32:
 *   0 base + bits(i)
 *   1 base for the first number, then the number before + bits(i)
 *   2 base for the first number, then the number before + the zigzag of bits(i)
 *
 * Packing and unpacking take some nanoseconds per number. A block can be unpacked without those before it.
 */
const BLOCK = 128;
const FRAME = 0;
const ASCENDING = 1;
const ZIGZAG = 2;
const WIDTH_BITS = 6;
const WIDEST = 32;

/** Packs any number of values into a page. */
export function packPage(values: Uint32Array): Uint8Array {
  const blocks = Math.ceil(values.length / BLOCK);
  const plans = Array.from({ length: blocks }, (_, block) => planBlock(values.subarray(block * BLOCK, (block + 1) * BLOCK)));
  const words = plans.reduce((sum, { width, rows }) => sum + wordsFor(rows, width), 0);
  const headWords = headWordsFor(blocks);
  const page = new Uint32Array(headWords + words);
  const heads = new Uint8Array(page.buffer, 4 * blocks, blocks);
  let at = headWords;
  for (const [block, { form, width, base, rows }] of plans.entries()) {
    page[block] = base;
    heads[block] = (form << WIDTH_BITS) | width;
    packBlock(values, block * BLOCK, { form, width, base, rows }, page.subarray(at));
    at += wordsFor(rows, width);
  }
  return new Uint8Array(page.buffer);
}

/** Unpacks a page of `into.length` numbers; false when the bytes are no page of that many numbers. */
export function unpackPage(bytes: Uint8Array, into: Uint32Array): boolean {
  const blocks = Math.ceil(into.length / BLOCK);
  const headWords = headWordsFor(blocks);
  if (bytes.length % 4 !== 0 || bytes.length < 4 * headWords) return false;
  const page = bytes.byteOffset % 4 === 0 ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4) : wordsOf(bytes);
  const heads = new Uint8Array(page.buffer, page.byteOffset + 4 * blocks, blocks);
  let at = headWords;
  for (let block = 0; block < blocks; block++) {
    const head = heads[block]!;
    const width = head & (2 ** WIDTH_BITS - 1);
    const form = head >> WIDTH_BITS;
    const rows = Math.min(BLOCK, into.length - block * BLOCK);
    const end = at + wordsFor(rows, width);
    if (width > WIDEST || form > ZIGZAG || end > page.length) return false;
    const target = into.subarray(block * BLOCK, block * BLOCK + rows);
    unpackBits(page, at, width, target);
    restore(target, form, page[block]!);
    at = end;
  }
  return at === page.length;
}

function headWordsFor(blocks: number): number {
  return blocks + Math.ceil(blocks / 4);
}

function wordsFor(rows: number, width: number): number {
  return Math.ceil((rows * width) / 32);
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return new Uint32Array(copy.buffer);
}

interface BlockPlan {
  readonly form: number;
  readonly width: number;
  readonly base: number;
  readonly rows: number;
}

function planBlock(block: Uint32Array): BlockPlan {
  const first = block[0]!;
  let [min, max] = [first, first];
  let [steps, turns] = [0, 0];
  let isAscending = true;
  for (let i = 1; i < block.length; i++) {
    const value = block[i]!;
    const before = block[i - 1]!;
    if (value < min) min = value;
    else if (value > max) max = value;
    if (value < before) isAscending = false;
    else steps |= value - before;
    turns |= zigzag(before, value);
  }
  const rows = block.length;
  const frame = { form: FRAME, width: bitsOf(max - min), base: min, rows };
  const delta = isAscending
    ? { form: ASCENDING, width: bitsOf(steps), base: first, rows }
    : { form: ZIGZAG, width: bitsOf(turns), base: first, rows };
  return delta.width < frame.width ? delta : frame;
}

/** Returns the zigzag code of the step from one number to the next, modulo 2^32, which is small when the step is. */
function zigzag(before: number, value: number): number {
  const step = (value - before) | 0;
  return (step << 1) ^ (step >> 31);
}

function bitsOf(value: number): number {
  return 32 - Math.clz32(value);
}

function packBlock(values: Uint32Array, from: number, { form, width, base, rows }: BlockPlan, into: Uint32Array): void {
  if (width === 0) return;
  for (let i = 0, bit = 0; i < rows; i++, bit += width) {
    const value = values[from + i]!;
    const before = i === 0 ? base : values[from + i - 1]!;
    const bits = form === FRAME ? value - base : form === ASCENDING ? value - before : zigzag(before, value);
    const word = bit >>> 5;
    const shift = bit & 31;
    into[word]! |= bits << shift;
    if (shift + width > 32) into[word + 1]! |= bits >>> (32 - shift);
  }
}

function unpackBits(page: Uint32Array, from: number, width: number, into: Uint32Array): void {
  if (width === 0) {
    into.fill(0);
    return;
  }
  const mask = 0xffff_ffff >>> (32 - width);
  for (let i = 0, bit = 0; i < into.length; i++, bit += width) {
    const word = from + (bit >>> 5);
    const shift = bit & 31;
    let bits = page[word]! >>> shift;
    if (shift + width > 32) bits |= page[word + 1]! << (32 - shift);
    into[i] = bits & mask;
  }
}

function restore(values: Uint32Array, form: number, base: number): void {
  if (form === FRAME) {
    for (let i = 0; i < values.length; i++) values[i]! += base;
    return;
  }
  let last = base;
  if (form === ASCENDING) {
    for (let i = 0; i < values.length; i++) {
      last = (last + values[i]!) >>> 0;
      values[i] = last;
    }
    return;
  }
  for (let i = 0; i < values.length; i++) {
    const turn = values[i]!;
    last = (last + ((turn >>> 1) ^ -(turn & 1))) >>> 0;
    values[i] = last;
  }
}

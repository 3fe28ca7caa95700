/**
 * A hash table from text (as bytes) to node numbers, with open addressing in one typed array of 16 bytes per slot. Ids
 * of up to 12 bytes stand in their slot, so that a look-up touches one place of memory; the bytes of longer ones stand
 * in a heap. 21 to 43 bytes per entry, and the bytes of long ids.
 *
 *   short   12 bytes of text, zeros after it; node + 1
 *   long    0xff (no text begins with it) and 24 bits of the hash; place in the heap; 8 bits of the hash and the length; node + 1
 *   free    anything; 0
 */
import { GraphDBError } from '../../base/index.ts';
import { hashBytes } from '../columns/byte-dictionary.ts';
import { grown } from '../columns/growing.ts';

const WORDS = 4;
const NODE = 3;
const SHORT_BYTES = 12;
const SMALLEST_CAPACITY = 1024;
const LONG_MARK = 0xff;
const LONGEST_BYTES = 2 ** 24 - 1;
const LARGEST_HEAP_BYTES = 2 ** 32 - 1;

/** The whole table, in shared memory. */
export interface SharedTextTable {
  readonly size: number;
  readonly slots: Uint32Array;
  readonly heap: Uint8Array;
}

/** A table from text to nodes. */
export class TextTable {
  size: number;
  #slots: Uint32Array;
  #mask: number;
  #heap: Uint8Array;
  #heapLength = 0;
  /** The three words of the key that `#locate` was last called for, as a slot holds them. */
  #first = 0;
  #second = 0;
  #third = 0;

  /** @param shared a table that another thread has filled */
  constructor({ size, slots, heap }: SharedTextTable = emptyTable()) {
    this.size = size;
    this.#slots = slots;
    this.#mask = slots.length / WORDS - 1;
    this.#heap = heap;
  }

  get shared(): SharedTextTable {
    return { size: this.size, slots: this.#slots, heap: this.#heap };
  }

  /** Returns the node of a key; -1: there is none. */
  find(bytes: Uint8Array, from: number, to: number): number {
    return this.#slots[this.#locate(bytes, from, to) + NODE]! - 1;
  }

  /** Adds a key. False: the key is taken. */
  insert(bytes: Uint8Array, from: number, to: number, node: number): boolean {
    const at = this.#locate(bytes, from, to);
    const slots = this.#slots;
    if (slots[at + NODE] !== 0) return false;
    if (isLong(this.#first)) this.#second = this.#store(bytes, from, to);
    slots[at] = this.#first;
    slots[at + 1] = this.#second;
    slots[at + 2] = this.#third;
    slots[at + NODE] = node + 1;
    this.size++;
    if (this.size * 4 > this.#mask * 3) this.#enlarge();
    return true;
  }

  renumber(ordinals: Uint32Array): void {
    const slots = this.#slots;
    for (let at = NODE; at < slots.length; at += WORDS) if (slots[at] !== 0) slots[at] = ordinals[slots[at]! - 1]! + 1;
  }

  /** Returns the slot that holds the key, or the free slot where it belongs. */
  #locate(bytes: Uint8Array, from: number, to: number): number {
    // Zeros at the end of an id could not be told from those that fill its slot.
    return to - from <= SHORT_BYTES && bytes[to - 1] !== 0 ? this.#locateShort(bytes, from, to) : this.#locateLong(bytes, from, to);
  }

  #locateShort(bytes: Uint8Array, from: number, to: number): number {
    const first = word(bytes, from, to);
    const second = word(bytes, from + 4, to);
    const third = word(bytes, from + 8, to);
    const slots = this.#slots;
    const mask = this.#mask;
    this.#first = first;
    this.#second = second;
    this.#third = third;
    for (let slot = hashWords(first, second, third) & mask; ; slot = (slot + 1) & mask) {
      const at = WORDS * slot;
      if (slots[at + NODE] === 0 || (slots[at] === first && slots[at + 1] === second && slots[at + 2] === third)) return at;
    }
  }

  #locateLong(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length > LONGEST_BYTES) throw new GraphDBError('UNSUPPORTED', `an id of more than ${LONGEST_BYTES} bytes`);
    const hash = hashBytes(bytes, from, to);
    const first = ((hash << 8) | LONG_MARK) >>> 0;
    const third = ((length << 8) | (hash >>> 24)) >>> 0;
    const slots = this.#slots;
    const mask = this.#mask;
    this.#first = first;
    this.#third = third;
    for (let slot = hashWords(first, 0, third) & mask; ; slot = (slot + 1) & mask) {
      const at = WORDS * slot;
      if (slots[at + NODE] === 0) return at;
      if (slots[at] === first && slots[at + 2] === third && this.#isAt(slots[at + 1]!, bytes, from, to)) return at;
    }
  }

  #isAt(place: number, bytes: Uint8Array, from: number, to: number): boolean {
    const heap = this.#heap;
    for (let i = from, at = place; i < to; i++, at++) if (heap[at] !== bytes[i]) return false;
    return true;
  }

  /** Appends a long key to the heap. @returns its place there */
  #store(bytes: Uint8Array, from: number, to: number): number {
    const place = this.#heapLength;
    this.#heapLength += to - from;
    if (this.#heapLength > LARGEST_HEAP_BYTES)
      throw new GraphDBError('UNSUPPORTED', 'more than 4 GiB of long ids in one id space; use shorter ids, or integers');
    this.#heap = grown(this.#heap, this.#heapLength);
    for (let i = from, at = place; i < to; i++, at++) this.#heap[at] = bytes[i]!;
    return place;
  }

  #enlarge(): void {
    const old = this.#slots;
    const mask = 2 * this.#mask + 1;
    const slots = emptySlots(mask + 1);
    for (let at = 0; at < old.length; at += WORDS) {
      if (old[at + NODE] === 0) continue;
      let slot = slotHash(old[at]!, old[at + 1]!, old[at + 2]!) & mask;
      while (slots[WORDS * slot + NODE] !== 0) slot = (slot + 1) & mask;
      slots.set(old.subarray(at, at + WORDS), WORDS * slot);
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}

function emptyTable(): SharedTextTable {
  return { size: 0, slots: emptySlots(SMALLEST_CAPACITY), heap: new Uint8Array(new SharedArrayBuffer(0)) };
}

function emptySlots(capacity: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * WORDS * capacity));
}

function isLong(first: number): boolean {
  return (first & 0xff) === LONG_MARK;
}

/** Reads four bytes from `at` on; bytes from `to` on count as 0. */
function word(bytes: Uint8Array, at: number, to: number): number {
  if (at + 4 <= to) return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  let value = 0;
  for (let shift = 0; at < to; at++, shift += 8) value |= bytes[at]! << shift;
  return value >>> 0;
}

/** Hashes a slot's key; for a long key its place in the heap, `second`, does not count. */
function slotHash(first: number, second: number, third: number): number {
  return hashWords(first, isLong(first) ? 0 : second, third);
}

function hashWords(first: number, second: number, third: number): number {
  let hash = Math.imul(first ^ Math.imul(second, 0x9e3779b1) ^ Math.imul(third, 0x7feb352d), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * A hash table from 64-bit integers (as two words) to node numbers, with open addressing in one typed array: low word,
 * high word, node + 1 (0: a free slot). While every high word is 0, as with ids of 32 bits, it is left out, so that
 * more slots lie in the caches. 11 to 33 bytes per entry.
 */
import { NO_NODE } from './no-node.ts';

const NARROW = 2;
const WIDE = 3;
const SMALLEST_CAPACITY = 1024;
/** A table of fewer slots grows to four times its size, a larger one to twice, as memory then costs more than moving entries. */
const FAST_GROWTH = 2 ** 17;
const WORD_VALUES = 2 ** 32;
const FETCHED_TOGETHER = 1024;

/** The slots of a table, in shared memory. */
export interface IntegerSlots {
  readonly words: Uint32Array;
  readonly wordsPerSlot: number;
}

/** A table from 64-bit integers to nodes. */
export class IntegerTable {
  size = 0;
  #slots: Uint32Array;
  #wordsPerSlot: number;
  #mask: number;

  /** @param slots the slots of a table that another thread has filled */
  constructor({ words, wordsPerSlot }: IntegerSlots = { words: emptySlots(SMALLEST_CAPACITY, NARROW), wordsPerSlot: NARROW }) {
    this.#slots = words;
    this.#wordsPerSlot = wordsPerSlot;
    this.#mask = words.length / wordsPerSlot - 1;
  }

  get slots(): IntegerSlots {
    return { words: this.#slots, wordsPerSlot: this.#wordsPerSlot };
  }

  /** Returns the node of a key; -1: there is none. */
  find(low: number, high: number): number {
    if (this.#wordsPerSlot === NARROW) return high === 0 ? findNarrow(this.#slots, this.#mask, low) : -1;
    return this.#slots[this.#wideSlotOf(low, high) + 2]! - 1;
  }

  /** Finds the nodes of many ids at once; NO_NODE: there is none. Ids must be below 2^53; NaN is never found. */
  findAll(ids: Float64Array, count: number, nodes: Uint32Array): void {
    const slots = this.#slots;
    const mask = this.#mask;
    if (this.#wordsPerSlot === NARROW) {
      for (let from = 0; from < count; from += FETCHED_TOGETHER) {
        const to = Math.min(count, from + FETCHED_TOGETHER);
        // These reads do not wait for each other. The comparisons, which do, then find their slots in the caches.
        for (let i = from; i < to; i++) nodes[i] = slots[NARROW * (hashWords(ids[i]! >>> 0, 0) & mask)]!;
        for (let i = from; i < to; i++) {
          const id = ids[i]!;
          nodes[i] = id >= 0 && id < WORD_VALUES ? findNarrow(slots, mask, id >>> 0) : NO_NODE; // -1 is NO_NODE in 32 bits.
        }
      }
      return;
    }
    for (let i = 0; i < count; i++) {
      const id = ids[i]!;
      nodes[i] = id === id ? this.find(id >>> 0, highWord(id)) : NO_NODE;
    }
  }

  /** Makes room for `count` more entries. */
  reserve(count: number): void {
    while ((this.size + count) * 4 > this.#mask * 3) this.#enlarge();
  }

  /** Adds a key. False: the key is taken. */
  insert(low: number, high: number, node: number): boolean {
    this.reserve(1);
    if (high !== 0 && this.#wordsPerSlot === NARROW) this.#widen();
    const isNarrow = this.#wordsPerSlot === NARROW;
    const at = isNarrow ? narrowSlotOf(this.#slots, this.#mask, low) : this.#wideSlotOf(low, high);
    const slots = this.#slots;
    const last = at + this.#wordsPerSlot - 1;
    if (slots[last] !== 0) return false;
    slots[at] = low;
    if (!isNarrow) slots[at + 1] = high;
    slots[last] = node + 1;
    this.size++;
    return true;
  }

  renumber(ordinals: Uint32Array): void {
    const slots = this.#slots;
    const step = this.#wordsPerSlot;
    for (let at = step - 1; at < slots.length; at += step) if (slots[at] !== 0) slots[at] = ordinals[slots[at]! - 1]! + 1;
  }

  #wideSlotOf(low: number, high: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = hashWords(low, high) & mask;
    for (;;) {
      const at = WIDE * slot;
      if (slots[at + 2] === 0 || (slots[at] === low && slots[at + 1] === high)) return at;
      slot = (slot + 1) & mask;
    }
  }

  #enlarge(): void {
    this.#move(this.#mask < FAST_GROWTH ? 4 * this.#mask + 4 : 2 * this.#mask + 2, this.#wordsPerSlot);
  }

  #widen(): void {
    this.#move(this.#mask + 1, WIDE);
  }

  #move(capacity: number, wordsPerSlot: number): void {
    const old = this.#slots;
    const step = this.#wordsPerSlot;
    const slots = emptySlots(capacity, wordsPerSlot);
    const mask = capacity - 1;
    this.#slots = slots;
    this.#mask = mask;
    this.#wordsPerSlot = wordsPerSlot;
    for (let at = 0; at < old.length; at += step) {
      const node = old[at + step - 1]!;
      if (node === 0) continue;
      const low = old[at]!;
      const high = step === WIDE ? old[at + 1]! : 0;
      const target = wordsPerSlot === NARROW ? narrowSlotOf(slots, mask, low) : this.#wideSlotOf(low, high);
      slots[target] = low;
      if (wordsPerSlot === WIDE) slots[target + 1] = high;
      slots[target + wordsPerSlot - 1] = node;
    }
  }
}

/** Returns the upper word of a safe integer. */
export function highWord(id: number): number {
  return Math.floor(id / WORD_VALUES) >>> 0;
}

function findNarrow(slots: Uint32Array, mask: number, low: number): number {
  return slots[narrowSlotOf(slots, mask, low) + 1]! - 1;
}

function narrowSlotOf(slots: Uint32Array, mask: number, low: number): number {
  let slot = hashWords(low, 0) & mask;
  for (;;) {
    const at = NARROW * slot;
    if (slots[at + 1] === 0 || slots[at] === low) return at;
    slot = (slot + 1) & mask;
  }
}

function emptySlots(capacity: number, wordsPerSlot: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * wordsPerSlot * capacity));
}

function hashWords(low: number, high: number): number {
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

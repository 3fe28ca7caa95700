/**
 * The distinct strings of one property key, with dense codes: UTF-8 bytes in a heap, found through an open-addressing
 * table of codes. Codes of strings that others may know are never reused; strings that a transaction added go when it
 * is rolled back. Interning a string seen early costs one Map look-up, any other about 150 ns.
 */
import { assertWellFormed } from '../../value/index.ts';
import { EMPTY_I32, EMPTY_U8, EMPTY_U32, grown, sharedArray, shrunk } from '../arrays/shared-array.ts';
import { copyBytes, decodeUtf8, Utf8Scratch } from '../arrays/utf8.ts';
import type { DictionaryView } from '../view/view.ts';

/** So many strings, the first to come, are found without looking at their bytes. */
const KNOWN_STRINGS = 8192;
/** Longer strings are not worth it. */
const KNOWN_LENGTH = 64;
const SMALLEST_CAPACITY = 16;

const scratch = new Utf8Scratch();

/** A dictionary, as other threads read it. */
export interface SharedDictionary {
  readonly size: number;
  readonly heap: Uint8Array;
  readonly offsets: Uint32Array;
  readonly hashes: Uint32Array;
  readonly slots: Int32Array;
}

/** The distinct strings of a property key. */
export class Dictionary implements DictionaryView {
  size = 0;
  /** Strings below this stay, whichever transaction is rolled back: another thread has them, or they are in files. */
  #kept = 0;
  #heap: Uint8Array = EMPTY_U8;
  /** size + 1 of them. */
  #offsets: Uint32Array = EMPTY_U32;
  /** The hash of each code. */
  #hashes: Uint32Array = EMPTY_U32;
  /** Code + 1; 0 is free. */
  #slots: Int32Array = EMPTY_I32;
  readonly #strings: (string | undefined)[] = [];
  readonly #known = new Map<string, number>();

  /** The strings there are now: size + 1 offsets into the bytes. What is added later does not change them. */
  entries(): { readonly offsets: Uint32Array; readonly heap: Uint8Array } {
    const offsets = this.size === 0 ? sharedArray(EMPTY_U32, 1) : this.#offsets.subarray(0, this.size + 1);
    return { offsets, heap: this.#heap.subarray(0, offsets[this.size]) };
  }

  /** Bytes of its arrays: not of the strings that were decoded. */
  get bytes(): number {
    const heapBytes = this.#offsets[this.size] ?? 0;
    return heapBytes + this.#offsets.byteLength + this.#hashes.byteLength + this.#slots.byteLength;
  }

  share(): SharedDictionary {
    this.keep();
    return { size: this.size, heap: this.#heap, offsets: this.#offsets, hashes: this.#hashes, slots: this.#slots };
  }

  /** To read what another thread has shared: it may add strings meanwhile, which are not there for this one. */
  follow(shared: SharedDictionary): void {
    if (shared.size <= this.size) return;
    this.size = shared.size;
    this.keep();
    this.#heap = shared.heap;
    this.#offsets = shared.offsets;
    this.#hashes = shared.hashes;
    this.#slots = shared.slots;
  }

  decode(code: number): string {
    const known = this.#strings[code];
    if (known !== undefined) return known;
    const text = decodeUtf8(this.#heap, this.#offsets[code] as number, this.#offsets[code + 1] as number);
    while (this.#strings.length <= code) this.#strings.push(undefined);
    this.#strings[code] = text;
    return text;
  }

  find(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.size === 0 || !text.isWellFormed()) return -1;
    scratch.encode(text);
    const code = (this.#slots[this.#slotOfScratch(scratch.hash())] as number) - 1;
    if (code < 0 || code >= this.size) return -1;
    this.#remember(text, code);
    return code;
  }

  /** The code of a string, given now if it is new. */
  intern(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    assertWellFormed(text);
    scratch.encode(text);
    const code = this.#internScratch();
    this.#remember(text, code);
    return code;
  }

  /** The strings that there are now stay. */
  keep(): void {
    this.#kept = this.size;
  }

  /**
   * Forgets the strings from `size` on, but for those that are kept: none of them may be in use. They leave the table
   * in the opposite of the order in which they came, so that each leaves a slot behind which no string lies that was
   * put there after it.
   */
  truncate(size: number): void {
    const end = Math.max(size, this.#kept);
    if (end >= this.size) return;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let code = this.size - 1; code >= end; code--) {
      let slot = (this.#hashes[code] as number) & mask;
      while (slots[slot] !== code + 1) slot = (slot + 1) & mask;
      slots[slot] = 0;
    }
    for (const [text, code] of this.#known) if (code >= end) this.#known.delete(text);
    if (this.#strings.length > end) this.#strings.length = end;
    this.size = end;
    this.#heap = shrunk(this.#heap, end === 0 ? 0 : (this.#offsets[end] as number));
  }

  /** The code of UTF-8 bytes of a file, which stays. */
  internBytes(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > scratch.bytes.length) scratch.bytes = Buffer.allocUnsafeSlow((end - start) * 2);
    copyBytes(bytes, { from: start, count: end - start }, scratch.bytes, 0);
    scratch.length = end - start;
    const code = this.#internScratch();
    this.keep();
    return code;
  }

  #internScratch(): number {
    if (this.size * 4 >= this.#slots.length * 3) this.#rehash();
    const hash = scratch.hash();
    const slot = this.#slotOfScratch(hash);
    const found = (this.#slots[slot] as number) - 1;
    return found >= 0 ? found : this.#append(hash, slot);
  }

  #append(hash: number, slot: number): number {
    const code = this.size++;
    const start = code === 0 ? 0 : (this.#offsets[code] as number);
    const end = start + scratch.length;
    this.#heap = grown(this.#heap, end);
    this.#offsets = grown(this.#offsets, code + 2);
    this.#hashes = grown(this.#hashes, code + 1);
    copyBytes(scratch.bytes, { from: 0, count: scratch.length }, this.#heap, start);
    this.#offsets[code + 1] = end;
    this.#hashes[code] = hash;
    this.#slots[slot] = code + 1;
    return code;
  }

  #slotOfScratch(hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const code = (slots[slot] as number) - 1;
      if (code < 0 || (code < this.size && this.#hashes[code] === hash && this.#isScratch(code))) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isScratch(code: number): boolean {
    return scratch.equals(this.#heap, this.#offsets[code] as number, this.#offsets[code + 1] as number);
  }

  #rehash(): void {
    const capacity = Math.max(SMALLEST_CAPACITY, this.#slots.length * 2);
    const slots = sharedArray(EMPTY_I32, capacity);
    for (let code = 0; code < this.size; code++) {
      let slot = (this.#hashes[code] as number) & (capacity - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (capacity - 1);
      slots[slot] = code + 1;
    }
    this.#slots = slots;
  }

  #remember(text: string, code: number): void {
    if (text.length <= KNOWN_LENGTH && this.#known.size < KNOWN_STRINGS) this.#known.set(text, code);
  }

  /** Takes over strings that are distinct (the dictionary of a file). Codes of an empty dictionary are the positions. */
  adopt(offsets: Uint32Array, heap: Uint8Array, count: number): Int32Array {
    const codes = new Int32Array(count);
    for (let i = 0; i < count; i++) codes[i] = this.internBytes(heap, offsets[i] as number, offsets[i + 1] as number);
    return codes;
  }

  hashOf(code: number): number {
    return this.#hashes[code] as number;
  }
}

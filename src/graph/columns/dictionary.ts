/**
 * The distinct strings of one property key, with dense codes: UTF-8 bytes in a heap, found through an open-addressing
 * table of codes. The code of a string that other threads or files have is never reused; strings that a transaction added
 * are removed when it is rolled back. Interning one of the first strings costs one Map look-up, any other about 150 ns.
 */
import { assertWellFormed } from '../../value/index.ts';
import { EMPTY_I32, EMPTY_U8, EMPTY_U32, grown, sharedArray, shrunk } from '../arrays/shared-array.ts';
import { copyBytes, decodeUtf8, Utf8Scratch } from '../arrays/utf8.ts';
import type { DictionaryView } from '../view/view.ts';

/** How many strings a Map of JavaScript strings holds, which finds a code without encoding the string: the first to come. */
const KNOWN_STRINGS = 8192;
/** Strings with more characters than this are not put into the Map. */
const KNOWN_LENGTH = 64;
const SMALLEST_CAPACITY = 16;

const scratch = new Utf8Scratch();

/** The arrays of a dictionary, for other threads to read. */
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
  /** Strings with codes below this survive any rollback: another thread has them, or files do. */
  #kept = 0;
  #heap: Uint8Array = EMPTY_U8;
  /** Where each string begins in the heap: size + 1 numbers, the last one being the end. */
  #offsets: Uint32Array = EMPTY_U32;
  /** The hash of each code. */
  #hashes: Uint32Array = EMPTY_U32;
  /** The open-addressing table: a slot holds code + 1, or 0 when it is free. */
  #slots: Int32Array = EMPTY_I32;
  readonly #strings: (string | undefined)[] = [];
  readonly #known = new Map<string, number>();

  /** Returns all strings as size + 1 offsets into UTF-8 bytes. Later additions do not change the returned arrays. */
  entries(): { readonly offsets: Uint32Array; readonly heap: Uint8Array } {
    const offsets = this.size === 0 ? sharedArray(EMPTY_U32, 1) : this.#offsets.subarray(0, this.size + 1);
    return { offsets, heap: this.#heap.subarray(0, offsets[this.size]) };
  }

  /** The bytes of the arrays, without the decoded strings. */
  get bytes(): number {
    const heapBytes = this.#offsets[this.size] ?? 0;
    return heapBytes + this.#offsets.byteLength + this.#hashes.byteLength + this.#slots.byteLength;
  }

  share(): SharedDictionary {
    this.keep();
    return { size: this.size, heap: this.#heap, offsets: this.#offsets, hashes: this.#hashes, slots: this.#slots };
  }

  /** Lets this dictionary read what another thread has shared; strings that the other thread adds later are not seen. */
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

  /** Returns the code of a string; a new string gets the next code. */
  intern(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    assertWellFormed(text);
    scratch.encode(text);
    const code = this.#internScratch();
    this.#remember(text, code);
    return code;
  }

  /** Makes all present strings survive any rollback. */
  keep(): void {
    this.#kept = this.size;
  }

  /**
   * Removes the strings with codes from `size` on, except kept ones; no removed code may be in use. They leave the table
   * newest first, so that a slot becomes free only when no later string was placed past it.
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

  /** Returns the code of a string of a file, given as UTF-8 bytes; it survives any rollback. */
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

  /** Interns the distinct strings of a file's dictionary. @returns their codes; in an empty dictionary these are the positions */
  adopt(offsets: Uint32Array, heap: Uint8Array, count: number): Int32Array {
    const codes = new Int32Array(count);
    for (let i = 0; i < count; i++) codes[i] = this.internBytes(heap, offsets[i] as number, offsets[i + 1] as number);
    return codes;
  }

  hashOf(code: number): number {
    return this.#hashes[code] as number;
  }
}

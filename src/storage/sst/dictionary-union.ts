/** Unites dictionaries into one. Cost: a hash look-up per entry of each dictionary that does not continue the union so far. */
import type { SstColumn } from '../api.ts';

/** A dictionary of a column. */
export type Dictionary = NonNullable<SstColumn['dictionary']>;

/** A union of dictionaries. */
export class DictionaryUnion {
  /** The longest dictionary, while each one so far has continued another. */
  #longest: Dictionary | null = null;
  /** The codes by entry, whose bytes are the key as Latin-1 text; null until first needed. */
  #codes: Map<string, number> | null = null;

  /** Adds a dictionary; returns its new codes by old code, null when its codes stay as they are. */
  add(dictionary: Dictionary): Int32Array | null {
    if (this.#codes === null && continues(this.#longest, dictionary)) {
      if (this.#longest === null || dictionary.offsets.length > this.#longest.offsets.length) this.#longest = dictionary;
      return null;
    }
    this.#codes ??= index(this.#longest!);
    const codes = this.#codes;
    return Int32Array.from({ length: dictionary.offsets.length - 1 }, (_, code) => {
      const text = entry(dictionary, code);
      const known = codes.get(text);
      if (known !== undefined) return known;
      codes.set(text, codes.size);
      return codes.size - 1;
    });
  }

  finish(): Dictionary {
    if (this.#codes === null) return this.#longest ?? { offsets: new Uint32Array(1), heap: new Uint8Array(0) };
    const entries = Array.from(this.#codes.keys(), (text) => Buffer.from(text, 'latin1'));
    const offsets = new Uint32Array(entries.length + 1);
    entries.forEach((bytes, code) => {
      offsets[code + 1] = offsets[code]! + bytes.length;
    });
    return { offsets, heap: Uint8Array.from(Buffer.concat(entries)) };
  }
}

/** Whether one dictionary is the beginning of the other. */
function continues(a: Dictionary | null, b: Dictionary): boolean {
  if (a === null || (sameStart(a.offsets, b.offsets) && sameStart(a.heap, b.heap))) return true;
  const size = Math.min(a.offsets.length, b.offsets.length) - 1;
  const sameOffsets = a.offsets.subarray(0, size + 1).every((offset, index) => offset === b.offsets[index]);
  return sameOffsets && Buffer.compare(a.heap.subarray(0, a.offsets[size]), b.heap.subarray(0, b.offsets[size])) === 0;
}

/** Whether two views begin at one place of one buffer, as those of a growing dictionary do. */
function sameStart(a: ArrayBufferView, b: ArrayBufferView): boolean {
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset;
}

function index(dictionary: Dictionary): Map<string, number> {
  const codes = new Map<string, number>();
  for (let code = 0; code < dictionary.offsets.length - 1; code++) codes.set(entry(dictionary, code), code);
  return codes;
}

function entry({ offsets, heap }: Dictionary, code: number): string {
  return Buffer.from(heap.buffer, heap.byteOffset + offsets[code]!, offsets[code + 1]! - offsets[code]!).toString('latin1');
}

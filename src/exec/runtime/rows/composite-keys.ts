/**
 * Keys of several parts, for grouping by several expressions or DISTINCT over several columns. Each part becomes a
 * number: an existing one (an ordinal, a dictionary code, a day, a small Integer), or one assigned in the order in
 * which its values arrive. Pairs of numbers are assigned numbers in turn, so a key of any length ends as one pair, and
 * no text is built for a row.
 */
import type { HashKey } from '../../../value/index.ts';
import type { MemoryAccount } from './memory-account.ts';
import { bytesOfKey } from './value-bytes.ts';

/** V8 limits a Map to 2^24 entries; with this many, another Map is begun. */
const SHARD_LIMIT = 1 << 23;
const BYTES_PER_KEY = 48;
const SMALLEST_CAPACITY = 64;
/** Bytes for an entry of `PairNumbers`: two doubles, and two slots. */
const BYTES_PER_PAIR = 24;

/** Assigns consecutive numbers from 0 to keys, in the order in which they arrive. */
export class KeyNumbers {
  /** Bytes charged so far. */
  bytes = 0;
  #size = 0;
  readonly #shards: Map<HashKey, number>[] = [new Map()];

  of(key: HashKey, memory: MemoryAccount): number {
    for (const shard of this.#shards) {
      const number = shard.get(key);
      if (number !== undefined) return number;
    }
    return this.#add(key, memory);
  }

  #add(key: HashKey, memory: MemoryAccount): number {
    const bytes = BYTES_PER_KEY + bytesOfKey(key);
    memory.chargeBytes(bytes);
    this.bytes += bytes;
    let last = this.#shards.at(-1)!;
    if (last.size >= SHARD_LIMIT) this.#shards.push((last = new Map()));
    last.set(key, this.#size);
    return this.#size++;
  }
}

/**
 * Assigns consecutive numbers from 0 to pairs of JavaScript numbers, in the order in which they arrive. Open
 * addressing; NaN is not allowed.
 */
export class PairNumbers {
  size = 0;
  /** Bytes charged so far. */
  bytes = 0;
  #firsts = new Float64Array(SMALLEST_CAPACITY);
  #seconds = new Float64Array(SMALLEST_CAPACITY);
  /** A hash table of the numbers plus 1, with 0 for an empty slot; twice as long as `#firsts` and `#seconds`. */
  #slots = new Int32Array(2 * SMALLEST_CAPACITY);

  /** Returns the number of a pair; -1 if it has none. */
  find(first: number, second: number): number {
    return (this.#slots[this.#slotOf(first, second)] as number) - 1;
  }

  of(first: number, second: number, memory: MemoryAccount): number {
    const found = this.find(first, second);
    return found >= 0 ? found : this.add(first, second, memory);
  }

  /** Assigns a number to a pair that has none, and returns it. */
  add(first: number, second: number, memory: MemoryAccount): number {
    if (this.size === this.#firsts.length) this.#grow(memory);
    this.#firsts[this.size] = first;
    this.#seconds[this.size] = second;
    this.#slots[this.#slotOf(first, second)] = this.size + 1;
    return this.size++;
  }

  /** Returns the slot of the pair, or the empty slot where it belongs. */
  #slotOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(first, second) & mask;
    for (;;) {
      const number = this.#slots[slot] as number;
      if (number === 0 || (this.#firsts[number - 1] === first && this.#seconds[number - 1] === second)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(memory: MemoryAccount): void {
    const capacity = 2 * this.size;
    memory.chargeBytes(BYTES_PER_PAIR * this.size);
    this.bytes += BYTES_PER_PAIR * this.size;
    const [firsts, seconds] = [this.#firsts, this.#seconds];
    this.#firsts = new Float64Array(capacity);
    this.#firsts.set(firsts);
    this.#seconds = new Float64Array(capacity);
    this.#seconds.set(seconds);
    this.#slots = new Int32Array(2 * capacity);
    for (let number = 0; number < this.size; number++) {
      this.#slots[this.#slotOf(firsts[number] as number, seconds[number] as number)] = number + 1;
    }
  }
}

function hashOf(first: number, second: number): number {
  const mixed = Math.imul((first | 0) ^ Math.imul(second | 0, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** Converts keys into pairs: `keys` are the parts that need numbers, `pairs` the pairs that come before the last one. */
export class CompositeKeys {
  readonly keys: readonly KeyNumbers[];
  readonly pairs: readonly PairNumbers[];
  readonly last = new PairNumbers();

  constructor(keys: number, pairs: number) {
    this.keys = Array.from({ length: keys }, () => new KeyNumbers());
    this.pairs = Array.from({ length: pairs }, () => new PairNumbers());
  }

  /** Bytes charged so far. */
  get bytes(): number {
    return [...this.keys, ...this.pairs, this.last].reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

/** Groups by composite keys. */
export class CompositeGroups extends CompositeKeys {
  readonly #rows: (readonly unknown[])[] = [];

  get size(): number {
    return this.#rows.length;
  }

  fields(group: number): readonly unknown[] {
    return this.#rows[group]!;
  }

  find(first: number, second: number): number {
    return this.last.find(first, second);
  }

  add(first: number, second: number, fields: readonly unknown[], memory: MemoryAccount): number {
    memory.charge(1, fields.length + 1);
    memory.chargeValues(fields);
    this.#rows.push(fields);
    return this.last.add(first, second, memory);
  }
}

/** A set of composite keys, for DISTINCT. */
export class CompositeSet extends CompositeKeys {
  /** Adds a key. Returns true if it was not in the set. */
  add(first: number, second: number, memory: MemoryAccount): boolean {
    if (this.last.find(first, second) >= 0) return false;
    this.last.add(first, second, memory);
    return true;
  }
}

/**
 * From 64-bit integers (as two words) to node numbers, by open addressing in one typed array: low word, high word, node + 1 (0: a free slot). 18 to 36 bytes an entry.
 */
const WORDS = 3;
const SMALLEST_CAPACITY = 1024;
/** Up to some megabytes memory is cheaper than moving everything once more. */
const FAST_GROWTH = 2 ** 17;

export class IntegerTable {
  size = 0;
  #slots: Uint32Array;
  #mask: number;

  /** `slots`: of a table that another thread has filled. */
  constructor(slots: Uint32Array = emptySlots(SMALLEST_CAPACITY)) {
    this.#slots = slots;
    this.#mask = slots.length / WORDS - 1;
  }

  /** In shared memory. */
  get slots(): Uint32Array {
    return this.#slots;
  }

  /** -1: not there. */
  find(low: number, high: number): number {
    return this.#slots[this.#slotOf(low, high) + 2]! - 1;
  }

  /** False: the key is taken. */
  insert(low: number, high: number, node: number): boolean {
    const at = this.#slotOf(low, high);
    const slots = this.#slots;
    if (slots[at + 2] !== 0) return false;
    slots[at] = low;
    slots[at + 1] = high;
    slots[at + 2] = node + 1;
    this.size++;
    if (this.size * 3 > this.#mask * 2) this.#enlarge();
    return true;
  }

  renumber(ordinals: Uint32Array): void {
    const slots = this.#slots;
    for (let at = 2; at < slots.length; at += WORDS) if (slots[at] !== 0) slots[at] = ordinals[slots[at]! - 1]! + 1;
  }

  #slotOf(low: number, high: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = hashWords(low, high) & mask;
    for (;;) {
      const at = WORDS * slot;
      if (slots[at + 2] === 0 || (slots[at] === low && slots[at + 1] === high)) return at;
      slot = (slot + 1) & mask;
    }
  }

  #enlarge(): void {
    const old = this.#slots;
    this.#mask = this.#mask < FAST_GROWTH ? 4 * this.#mask + 3 : 2 * this.#mask + 1;
    this.#slots = emptySlots(this.#mask + 1);
    for (let at = 0; at < old.length; at += WORDS) {
      if (old[at + 2] === 0) continue;
      const target = this.#slotOf(old[at]!, old[at + 1]!);
      this.#slots[target] = old[at]!;
      this.#slots[target + 1] = old[at + 1]!;
      this.#slots[target + 2] = old[at + 2]!;
    }
  }
}

function emptySlots(capacity: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * WORDS * capacity));
}

function hashWords(low: number, high: number): number {
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

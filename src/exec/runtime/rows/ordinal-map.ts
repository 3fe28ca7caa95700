/**
 * Maps and sets of ordinals (integers from 0 to below 2^31) with open addressing over typed arrays, so that no
 * JavaScript Map grows with the graph.
 */

const EMPTY = -1;

function hash(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 0;
}

/** Maps ordinals to 32-bit integers. */
export class OrdinalMap {
  private keys: Int32Array;
  private values: Int32Array;
  private mask: number;
  size = 0;

  constructor(capacity = 16) {
    this.keys = new Int32Array(capacity).fill(EMPTY);
    this.values = new Int32Array(capacity);
    this.mask = capacity - 1;
  }

  /** Returns the value of a key; -1 if the map has none. */
  get(key: number): number {
    let slot = (hash(key) >>> 7) & this.mask;
    for (;;) {
      const found = this.keys[slot]!;
      if (found === key) return this.values[slot]!;
      if (found === EMPTY) return -1;
      slot = (slot + 1) & this.mask;
    }
  }

  set(key: number, value: number): void {
    let slot = (hash(key) >>> 7) & this.mask;
    for (;;) {
      const found = this.keys[slot]!;
      if (found === key) {
        this.values[slot] = value;
        return;
      }
      if (found === EMPTY) break;
      slot = (slot + 1) & this.mask;
    }
    this.keys[slot] = key;
    this.values[slot] = value;
    if (++this.size * 2 > this.mask) this.grow();
  }

  /** Returns the keys, in no particular order. */
  ordinals(): Int32Array {
    return this.keys.filter((key) => key !== EMPTY);
  }

  private grow(): void {
    const { keys, values } = this;
    const capacity = keys.length * 4;
    this.keys = new Int32Array(capacity).fill(EMPTY);
    this.values = new Int32Array(capacity);
    this.mask = capacity - 1;
    this.size = 0;
    for (let i = 0; i < keys.length; i++) if (keys[i] !== EMPTY) this.set(keys[i]!, values[i]!);
  }
}

/** A set for ordinals below at most this limit is a bitmap from the beginning. */
const FEW_ORDINALS = 1 << 18;

/** A set of ordinals: a hash table as long as a bitmap would be larger, then a bitmap. It may contain -1 (null). */
export class OrdinalSet {
  private map: OrdinalMap | null;
  private bits: Uint8Array;
  private hasNull = false;
  private largest = 0;
  size = 0;

  /** @param limit a bound that few ordinals exceed */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.map = limit <= FEW_ORDINALS ? null : new OrdinalMap();
    this.bits = new Uint8Array(limit <= FEW_ORDINALS ? (limit >> 3) + 1 : 0);
  }

  /** Adds an ordinal. Returns true if it was not in the set. */
  add(ordinal: number): boolean {
    if (ordinal < 0) {
      if (this.hasNull) return false;
      this.hasNull = true;
      this.size++;
      return true;
    }
    if (this.map !== null) return this.addSparse(this.map, ordinal);
    const at = ordinal >> 3;
    if (at >= this.bits.length) this.widen(at);
    const bit = 1 << (ordinal & 7);
    if ((this.bits[at]! & bit) !== 0) return false;
    this.bits[at]! |= bit;
    this.size++;
    return true;
  }

  has(ordinal: number): boolean {
    if (ordinal < 0) return this.hasNull;
    if (this.map !== null) return this.map.get(ordinal) >= 0;
    return ((this.bits[ordinal >> 3] ?? 0) & (1 << (ordinal & 7))) !== 0;
  }

  private addSparse(map: OrdinalMap, ordinal: number): boolean {
    if (map.get(ordinal) >= 0) return false;
    map.set(ordinal, 1);
    this.size++;
    if (ordinal > this.largest) this.largest = ordinal;
    if (this.size > 64 && this.size * 64 > this.largest) this.toBitmap(map);
    return true;
  }

  private toBitmap(map: OrdinalMap): void {
    this.bits = new Uint8Array((this.largest >> 3) + 64);
    for (const ordinal of map.ordinals()) this.bits[ordinal >> 3]! |= 1 << (ordinal & 7);
    this.map = null;
  }

  private widen(at: number): void {
    const wider = new Uint8Array(Math.max(at + 1, this.bits.length * 2));
    wider.set(this.bits);
    this.bits = wider;
  }
}

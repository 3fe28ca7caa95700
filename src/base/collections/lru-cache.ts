/**
 * A cache of the entries that were used last, whose weights add up to `capacity` at most; the last entry stays, whatever
 * its weight. By default each entry weighs 1. The order of a Map is the order of use.
 */
export class LRUCache<K, V> {
  private readonly capacity: number;
  private readonly weightOf: ((key: K) => number) | null;
  private readonly entries = new Map<K, V>();
  private weight = 0;

  /** @param weightOf returns the weight of an entry by its key; the same one for a key each time */
  constructor(capacity: number, weightOf: ((key: K) => number) | null = null) {
    this.capacity = capacity;
    this.weightOf = weightOf;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.entries.set(key, value);
    this.weight += this.weigh(key);
    while (this.weight > this.capacity && this.entries.size > 1) this.delete(this.entries.keys().next().value as K);
  }

  delete(key: K): void {
    if (this.entries.delete(key)) this.weight -= this.weigh(key);
  }

  clear(): void {
    this.entries.clear();
    this.weight = 0;
  }

  private weigh(key: K): number {
    return this.weightOf === null ? 1 : this.weightOf(key);
  }
}

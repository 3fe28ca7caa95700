/**
 * The sorted form of an index on one key: (value, ordinal) pairs of all rows read so far, in ORDER BY order, and an unsorted tail of later
 * pairs, which is merged in when it has grown long. A pair says "this node had this value once"; the reader verifies it. The first range
 * look-up sorts, O(n log n); a look-up then takes O(log n + candidates + tail).
 */
import { compare, order, type Value } from '../../value/index.ts';
import { EMPTY_U32, grown } from './shared-array.ts';

/** A range of values. */
export interface ValueRange {
  /** The lower bound; null when the range is open below. `high` likewise. */
  readonly low: Value;
  readonly lowInclusive: boolean;
  readonly high: Value;
  readonly highInclusive: boolean;
}

/** The tail is merged in when it has more pairs than this, and more than `TAIL_SHARE` of the sorted pairs. */
const LONGEST_TAIL = 1024;
const TAIL_SHARE = 0.1;

/** The sorted entries of an index. */
export class SortedEntries {
  #values: Value[] = [];
  #ordinals: Uint32Array = EMPTY_U32;
  #tailValues: Value[] = [];
  #tailOrdinals: Uint32Array = EMPTY_U32;

  add(value: Value, ordinal: number): void {
    const at = this.#tailValues.length;
    this.#tailOrdinals = grown(this.#tailOrdinals, at + 1);
    this.#tailValues.push(value);
    this.#tailOrdinals[at] = ordinal;
  }

  /** Calls `visit` with the pairs whose value lies in the range, ascending by value, then ordinal; equal pairs come one after the other. */
  forEach(range: ValueRange, visit: (value: Value, ordinal: number) => void): void {
    if (this.#tailValues.length > Math.max(LONGEST_TAIL, this.#values.length * TAIL_SHARE)) this.#sortIn();
    const tail = this.#tailInRange(range);
    let next = 0;
    for (let i = this.#lowerBound(range); i < this.#values.length; i++) {
      const value = this.#values[i] as Value;
      if (range.high !== null && order(value, range.high) > 0) break;
      if (!isInRange(value, range)) continue;
      const ordinal = this.#ordinals[i] as number;
      while (next < tail.length && this.#tailBefore(tail[next] as number, value, ordinal)) this.#visitTail(tail[next++] as number, visit);
      visit(value, ordinal);
    }
    while (next < tail.length) this.#visitTail(tail[next++] as number, visit);
  }

  #visitTail(at: number, visit: (value: Value, ordinal: number) => void): void {
    visit(this.#tailValues[at] as Value, this.#tailOrdinals[at] as number);
  }

  #tailBefore(at: number, value: Value, ordinal: number): boolean {
    return (order(this.#tailValues[at] as Value, value) || (this.#tailOrdinals[at] as number) - ordinal) < 0;
  }

  #tailInRange(range: ValueRange): number[] {
    const found: number[] = [];
    for (let i = 0; i < this.#tailValues.length; i++) if (isInRange(this.#tailValues[i] as Value, range)) found.push(i);
    return found.sort((a, b) => this.#compareTail(a, b));
  }

  #compareTail(a: number, b: number): number {
    return (
      order(this.#tailValues[a] as Value, this.#tailValues[b] as Value) ||
      (this.#tailOrdinals[a] as number) - (this.#tailOrdinals[b] as number)
    );
  }

  /** Returns the first position of the sorted part whose value is not below the lower bound. */
  #lowerBound(range: ValueRange): number {
    if (range.low === null) return 0;
    let low = 0;
    let high = this.#values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (order(this.#values[middle] as Value, range.low) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sortIn(): void {
    const count = this.#values.length + this.#tailValues.length;
    const positions = Uint32Array.from(this.#tailValues.keys()).sort((a, b) => this.#compareTail(a, b));
    const values: Value[] = [];
    const ordinals = grown(EMPTY_U32, count);
    let next = 0;
    const take = (value: Value, ordinal: number): void => {
      ordinals[values.length] = ordinal;
      values.push(value);
    };
    for (let i = 0; i < this.#values.length; i++) {
      const value = this.#values[i] as Value;
      const ordinal = this.#ordinals[i] as number;
      while (next < positions.length && this.#tailBefore(positions[next] as number, value, ordinal))
        this.#visitTail(positions[next++] as number, take);
      take(value, ordinal);
    }
    while (next < positions.length) this.#visitTail(positions[next++] as number, take);
    this.#values = values;
    this.#ordinals = ordinals;
    this.#tailValues = [];
    this.#tailOrdinals = EMPTY_U32;
  }
}

/** Tells whether the value lies in the range by comparability (`<`). A value of another type than a bound never does. */
function isInRange(value: Value, range: ValueRange): boolean {
  if (range.low !== null) {
    const sign = compare(value, range.low);
    if (sign === null || !(range.lowInclusive ? sign >= 0 : sign > 0)) return false;
  }
  if (range.high !== null) {
    const sign = compare(value, range.high);
    if (sign === null || !(range.highInclusive ? sign <= 0 : sign < 0)) return false;
  }
  return true;
}

/**
 * Operators on values for generated code. Each counts its work, and holds memory for its result before it makes it
 * (requirement S2). Common operands, numbers and short texts, need only a check of their type.
 */

import type { ValueType } from '../../../cypher/index.ts';
import {
  add,
  aType,
  compareStrings,
  contains,
  elementsOf,
  endsWith,
  equals,
  greaterThan,
  greaterThanOrEqual,
  type HashKey,
  hashKey,
  hashKeyOf,
  isIn,
  isOfType,
  lessThan,
  lessThanOrEqual,
  slice,
  startsWith,
  type Truth,
  typeFault,
  type Value,
  type ValueMap,
} from '../../../value/index.ts';
import { matchesRegularExpression } from '../../functions/regular-expressions.ts';
import type { Limits } from '../limits.ts';
import type { Reads } from '../reads.ts';
import type { MemoryAccount } from '../rows/memory-account.ts';
import { BYTES_PER_ELEMENT, BYTES_PER_ENTRY, flatBytes, isShort, knowBytes } from '../rows/value-bytes.ts';
import { inList } from './list-membership.ts';
import { elements, isNormalized, listOf } from './value-operations.ts';

/** Binary logarithms of the characters compared (`COMPARED`) or matched (`MATCHED`) in the time of one step. */
const COMPARED = 6;
const MATCHED = 0;
/** Binary logarithm of the bytes of a value traversed in the time of one step. */
const WALKED = 3;
/** Bytes of a key for each byte of its value. */
const KEY_BYTES = 2;
/** Bytes for a Float in a list made from a Vector: its place, and a boxed number if it is whole. */
const BYTES_PER_COMPONENT = 32;
/** The hash sets of lists with at most this many elements are not charged: they live no longer than the list. */
const FEW_MEMBERS = 4096;
/** Bytes for an element in the hash sets of a list. */
const BYTES_PER_MEMBER = 48;
/** The share of the memory limit that the hash sets of long lists may take. */
const MEMBERS_SHARE = 0.25;
/** Texts and lists up to this many characters or bytes are made without being held. */
const LONG = 4096;

/** Operators on values that count their work and hold memory for their results. */
export class CountedValues {
  private readonly limits: Limits;
  private readonly memory: MemoryAccount;
  private readonly reads: Reads;
  /** Bytes charged for the hash sets of long lists. */
  private memberBytes = 0;

  constructor(limits: Limits, memory: MemoryAccount, reads: Reads) {
    this.limits = limits;
    this.memory = memory;
    this.reads = reads;
  }

  // ------------------------------------------------------------ sums

  add(a: Value, b: Value): Value {
    if (typeof a === 'number' && typeof b === 'number') return add(a, b);
    if (typeof a === 'string' && typeof b === 'string') return this.text(a + b);
    if (typeof a === 'object' && a !== null && isList(a)) return this.joined(a, b);
    if (typeof b === 'object' && b !== null && isList(b)) return this.joined(a, b);
    const sum = add(a, b);
    return typeof sum === 'string' ? this.text(sum) : sum;
  }

  /** Evaluates `||`, which joins two strings or two lists. @throws TYPE_ERROR for other operands */
  concatenate(a: Value, b: Value): Value {
    if (a === null || b === null) return null;
    const areTexts = typeof a === 'string' && typeof b === 'string';
    if (areTexts || (typeof a === 'object' && typeof b === 'object' && isList(a) && isList(b))) return this.add(a, b);
    throw typeFault(`|| joins two Strings or two Lists, not ${aType(a)} and ${aType(b)}; one or the other is written OR`);
  }

  /** Counts and holds a concatenated text, whose parts V8 copies when the text is read. */
  text(text: string): string {
    if (text.length > LONG) {
      this.limits.count(text.length >> COMPARED);
      this.memory.hold(text.length);
    }
    return text;
  }

  private joined(a: Value, b: Value): Value {
    if (a === null || b === null) return null;
    const bytes = this.bytesAsList(a) + this.bytesAsList(b);
    const length = lengthAsList(a) + lengthAsList(b);
    this.limits.count(length >> 2);
    this.memory.hold(flatBytes(length));
    const list = add(a, b);
    knowBytes(list as Value[], bytes);
    return list;
  }

  private bytesAsList(value: Value): number {
    return Array.isArray(value) ? this.memory.bytesBeside(value) : BYTES_PER_ELEMENT + this.memory.bytesInside(value);
  }

  // ------------------------------------------------------------ comparisons

  equals(a: Value, b: Value): Truth {
    if (typeof a === 'number' && typeof b === 'number') return a === b;
    if (!isShort(a) && !isShort(b)) this.countCommon(a, b);
    return equals(a, b);
  }

  lessThan(a: Value, b: Value): Truth {
    if (typeof a === 'number' && typeof b === 'number') return a < b;
    if (!isShort(a) && !isShort(b)) this.countCommon(a, b);
    return lessThan(a, b);
  }

  lessThanOrEqual(a: Value, b: Value): Truth {
    if (typeof a === 'number' && typeof b === 'number') return a <= b;
    if (!isShort(a) && !isShort(b)) this.countCommon(a, b);
    return lessThanOrEqual(a, b);
  }

  greaterThan(a: Value, b: Value): Truth {
    if (typeof a === 'number' && typeof b === 'number') return a > b;
    if (!isShort(a) && !isShort(b)) this.countCommon(a, b);
    return greaterThan(a, b);
  }

  greaterThanOrEqual(a: Value, b: Value): Truth {
    if (typeof a === 'number' && typeof b === 'number') return a >= b;
    if (!isShort(a) && !isShort(b)) this.countCommon(a, b);
    return greaterThanOrEqual(a, b);
  }

  compareStrings(a: string, b: string): number {
    if (a.length > LONG && b.length > LONG) this.countCommon(a, b);
    return compareStrings(a, b);
  }

  /** Counts a comparison, which ends with the shorter of the two values. */
  private countCommon(a: Value, b: Value): void {
    const isText = typeof a === 'string' && typeof b === 'string';
    const bytes = Math.min(this.memory.bytesBeside(a), this.memory.bytesBeside(b));
    if (bytes > this.memory.limit) this.memory.bytesTraversed(a);
    this.limits.count(bytes >> (isText ? COMPARED : WALKED));
  }

  /** Returns a key of the value for a Map or a Set. */
  hashKey(value: Value): HashKey {
    if (typeof value === 'object' && value !== null) this.countKey(value);
    return hashKey(value);
  }

  /** Returns one key for several values. */
  hashKeyOf(values: readonly Value[]): HashKey {
    for (const value of values) if (!isShort(value)) this.countKey(value);
    return hashKeyOf(values);
  }

  private countKey(value: Value): void {
    const bytes = this.memory.bytesBeside(value);
    this.limits.count(bytes >> WALKED);
    if (bytes > LONG) this.memory.hold(KEY_BYTES * bytes);
  }

  isTyped(value: Value, type: ValueType, negated: boolean): boolean {
    if (!isShort(value)) this.limits.count(this.memory.bytesTraversed(value) >> WALKED);
    return isOfType(value, type) !== negated;
  }

  // ------------------------------------------------------------ texts

  startsWith(text: Value, prefix: Value): Truth {
    this.countText(prefix, COMPARED);
    return startsWith(text, prefix);
  }

  endsWith(text: Value, suffix: Value): Truth {
    this.countText(suffix, COMPARED);
    return endsWith(text, suffix);
  }

  contains(text: Value, part: Value): Truth {
    this.countText(text, WALKED);
    this.countText(part, WALKED);
    return contains(text, part);
  }

  matchesRegularExpression(text: Value, pattern: Value): Value {
    return matchesRegularExpression(this.limits, text, pattern);
  }

  isNormalized(value: Value, form: string, negated: boolean): Value {
    this.countText(value, MATCHED);
    if (typeof value === 'string' && value.length > LONG) this.memory.hold(value.length);
    return isNormalized(value, form, negated);
  }

  private countText(text: Value, shift: number): void {
    if (typeof text === 'string' && text.length > 1 << shift) this.limits.count(text.length >> shift);
  }

  // ------------------------------------------------------------ lists and maps

  /** Evaluates `value IN list`; a list that is asked repeatedly is searched by hash. */
  inList(value: Value, list: Value): Truth {
    if (!Array.isArray(list)) return isIn(value, this.countedList(list));
    return inList(value, list, this);
  }

  /** Counts the comparison of a value with all elements of a list. */
  countElements(list: readonly Value[], value: Value): void {
    const isDeep = !isShort(value);
    this.limits.count(list.length >> 2);
    if (!isDeep) return;
    const bytes = Math.min(this.memory.bytesBeside(list), list.length * this.memory.bytesBeside(value));
    if (bytes > this.memory.limit) this.memory.bytesTraversed(list);
    this.limits.count(bytes >> WALKED);
  }

  /**
   * Charges the hash sets of a long list for the rest of the statement. Returns false, and charges nothing, where those of
   * other lists have taken their share of the memory: the list is then compared element by element.
   */
  keepMembers(count: number): boolean {
    if (count <= FEW_MEMBERS) return true;
    const bytes = BYTES_PER_MEMBER * count;
    if (this.memberBytes + bytes > this.memory.limit * MEMBERS_SHARE || !this.memory.hasRoomFor(bytes)) return false;
    this.memberBytes += bytes;
    this.memory.chargeBytes(bytes);
    return true;
  }

  /** Evaluates `list[from..to]`. */
  slice(list: Value, from: Value | undefined, to: Value | undefined): Value {
    const source = this.countedList(list);
    if (!Array.isArray(source)) return slice(source, from, to);
    const length = slicedLength(source.length, from, to);
    this.limits.count(length >> 2);
    if (length * BYTES_PER_ELEMENT > LONG) this.memory.hold(flatBytes(length));
    const part = slice(source, from, to);
    const isLarge = Array.isArray(part) && part.length * BYTES_PER_ELEMENT > LONG;
    if (isLarge && this.memory.bytesBeside(source) === flatBytes(source.length)) knowBytes(part, flatBytes(part.length));
    return part;
  }

  /** Returns the list that a comprehension, a quantifier or reduce() iterates over; null for null. */
  listOf(value: Value): readonly Value[] | null {
    return listOf(this.countedList(value));
  }

  /** Returns the elements that UNWIND or FOREACH iterates over; none for null. */
  elements(value: Value): readonly Value[] {
    return elements(this.countedList(value));
  }

  /** Converts a Vector to a list; returns any other value as it is. */
  private countedList(value: Value): Value {
    if (!(value instanceof Float32Array)) return value;
    this.limits.count(value.length);
    this.memory.hold(BYTES_PER_COMPONENT * value.length);
    return elementsOf(value);
  }

  /** Returns the entries of a map, or the properties of an entity, as a new map; null for null. */
  projectAll(value: Value): ValueMap | null {
    if (value instanceof Map && value.size > 0) {
      this.limits.count(value.size);
      this.memory.hold(BYTES_PER_ENTRY * value.size);
    }
    return this.reads.projectAll(value);
  }
}

function isList(value: object): boolean {
  return Array.isArray(value) || value instanceof Float32Array;
}

function lengthAsList(value: Value): number {
  return Array.isArray(value) || value instanceof Float32Array ? value.length : 1;
}

/** Returns an upper bound of the number of elements in a slice. */
function slicedLength(length: number, from: Value | undefined, to: Value | undefined): number {
  const start = typeof from === 'number' ? (from < 0 ? from + length : from) : 0;
  const end = typeof to === 'number' ? (to < 0 ? to + length : to) : length;
  return Math.max(0, Math.min(length, end) - Math.max(0, start));
}

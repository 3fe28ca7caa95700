/**
 * `value IN list` for a long list that is asked repeatedly, such as a parameter that is tested for every row: its
 * strings and numbers are found by hash. The remaining elements, of which such lists have few, are compared one by one.
 *
 * The hash sets are kept with the list. A list does not change once it is a value; one that still grows is recognized
 * by its length.
 */
import { CypherFloat, isIn, type Truth, type Value } from '../../../value/index.ts';

/** Shorter lists are compared element by element, which is as fast. */
const LEAST_LENGTH = 32;

interface Members {
  readonly length: number;
  readonly strings: ReadonlySet<string>;
  /** Integers and Floats: equal ones are the same JavaScript number. NaN equals nothing and is left out. */
  readonly numbers: ReadonlySet<number>;
  /** The elements that are neither strings nor JavaScript numbers: null, and values whose comparison may be null. */
  readonly others: readonly Value[];
}

/** Counts the work before a list is traversed, and the memory of its hash sets. */
interface Counter {
  countElements(list: readonly Value[], value: Value): void;
  /** Returns false if there is no memory for hash sets of this many elements. */
  keepMembers(count: number): boolean;
}

/** The hash sets of lists; null for a list that was asked once, for which sets may not pay. */
const known = new WeakMap<readonly Value[], Members | null>();

/** Tells whether a value is in a list; null if unknown, as in Cypher. */
export function inList(value: Value, list: Value[], counter: Counter): Truth {
  if (list.length < LEAST_LENGTH && typeof value !== 'object') return isIn(value, list);
  if (value === null) return list.length === 0 ? false : null;
  const members = typeof value === 'bigint' || list.length < LEAST_LENGTH ? null : membersOf(list, counter);
  const compared = members === null ? list : members.others;
  if (members !== null && isAmong(value, members)) return true;
  if (compared.length > 0) counter.countElements(compared, value);
  return isIn(value, compared as Value[]);
}

function isAmong(value: Value, { strings, numbers }: Members): boolean {
  if (typeof value === 'string') return strings.has(value);
  if (typeof value === 'number') return numbers.has(value);
  return value instanceof CypherFloat && numbers.has(value.value);
}

function membersOf(list: readonly Value[], counter: Counter): Members | null {
  const members = known.get(list);
  if (members?.length === list.length) return members;
  counter.countElements(list, null);
  const made = members === undefined || !counter.keepMembers(list.length) ? null : collect(list);
  known.set(list, made);
  return made;
}

function collect(list: readonly Value[]): Members {
  const strings = new Set<string>();
  const numbers = new Set<number>();
  const others: Value[] = [];
  for (const value of list) {
    if (typeof value === 'string') strings.add(value);
    else if (typeof value === 'number') {
      if (!Number.isNaN(value)) numbers.add(value);
    } else if (value instanceof CypherFloat) {
      if (!Number.isNaN(value.value)) numbers.add(value.value);
    } else others.push(value);
  }
  return { length: list.length, strings, numbers, others };
}

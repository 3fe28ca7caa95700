/**
 * `value IN list` where the same long list is asked again and again, as one that was given as a parameter is for every
 * row: strings and numbers of it are found by hash. The rest of the elements, of which there are few in such lists, is
 * compared one by one.
 *
 * What is known of a list goes with the list. Lists are not changed once they are values; one that still grows is known by its length.
 */
import { CypherFloat, isIn, type Truth, type Value } from '../../../value/index.ts';

/** Shorter ones are compared as fast. */
const LEAST_LENGTH = 32;

interface Members {
  readonly length: number;
  readonly strings: ReadonlySet<string>;
  /** Integers and Floats alike: those that are equal are the same JS number. NaN equals nothing and is left out. */
  readonly numbers: ReadonlySet<number>;
  /** Values that are neither strings nor JS numbers: null and values whose comparison may be null. */
  readonly others: readonly Value[];
}

/** The account that is told before a list is gone through. */
interface Counter {
  countElements(list: readonly Value[], value: Value): void;
}

/** null: seen once, and perhaps never again. */
const known = new WeakMap<readonly Value[], Members | null>();

/** Tells whether a value is in a list; null: not known. */
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
  const made = members === undefined ? null : collect(list);
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

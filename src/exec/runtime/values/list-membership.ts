/**
 * `value IN list` where the same long list is asked again and again, as one that was given as a parameter is for every row: strings and numbers of it are found by
 * hash. The rest of the elements, of which there are few in such lists, is compared one by one.
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
  /** What is neither a string nor a JS number: null and what may be null compared with something. */
  readonly others: readonly Value[];
}

/** null: seen once, and perhaps never again. */
const known = new WeakMap<readonly Value[], Members | null>();

export function inList(value: Value, list: Value): Truth {
  if (!Array.isArray(list) || list.length < LEAST_LENGTH) return isIn(value, list);
  if (value === null) return null;
  const members = typeof value === 'bigint' ? null : membersOf(list);
  if (members === null) return isIn(value, list);
  return isAmong(value, members) || isIn(value, members.others as Value[]);
}

function isAmong(value: Value, { strings, numbers }: Members): boolean {
  if (typeof value === 'string') return strings.has(value);
  if (typeof value === 'number') return numbers.has(value);
  return value instanceof CypherFloat && numbers.has(value.value);
}

function membersOf(list: readonly Value[]): Members | null {
  const members = known.get(list);
  if (members?.length === list.length) return members;
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

/** Sorting functions of APOC. Keys sort descending, or ascending with `^` before the key; a key of null is less than any other. */

import type { FunctionName } from '../../../../functions/index.ts';
import { argumentFault, NodeValue, order, type Value } from '../../../../value/index.ts';
import { integerArgument, listArgument, stringArgument, wrongArgument } from '../../arguments.ts';
import type { Allowed, GraphReads } from '../../definition.ts';

/** Parses a key; `sign` is 1 for an ascending order, -1 for a descending one. */
function sortKey(name: FunctionName, value: Value): { readonly key: string; readonly sign: 1 | -1 } {
  const given = stringArgument(name, value);
  if (given === '') throw argumentFault(`${name}() expects the name of a property, but got an empty String`);
  return given.startsWith('^') ? { key: given.slice(1), sign: 1 } : { key: given, sign: -1 };
}

function nullsFirst(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return order(a, b);
}

/** Counts the comparisons of a sort beforehand. */
function countSort({ allowance }: Allowed, length: number): void {
  if (length > 1) allowance.count(Math.ceil(length * Math.log2(length)));
}

/** Returns the values of a list in ascending order. Each comparison of long ones counts by itself: there may be hours of them. */
export function sorted(context: Allowed, list: Value[]): Value[] {
  countSort(context, list.length);
  return list.toSorted(counted(context, list, order));
}

/** Returns an order of values that counts each comparison, where those of a list are long. */
function counted({ allowance }: Allowed, list: Value[], compare: (a: Value, b: Value) => number): (a: Value, b: Value) => number {
  const steps = list.length < 2 ? 0 : Math.floor(allowance.bytesOf(list) / list.length) >> COMPARED;
  if (steps === 0) return compare;
  return (a, b) => {
    allowance.count(steps);
    return compare(a, b);
  };
}

function mapOf(name: FunctionName, value: Value): ReadonlyMap<string, Value> {
  if (value instanceof Map) return value;
  throw wrongArgument(name, 'a List of Maps', value);
}

/** Binary logarithm of the bytes of a long value that are compared in the time of one step. */
const COMPARED = 6;
/** Bytes for the place of a key, and for what holds the keys of an item. */
const BYTES_PER_KEY = 8;
const BYTES_PER_KEYED = 64;

interface Keyed {
  readonly item: Value;
  readonly keys: readonly Value[];
}

/** Counts and holds the keys of all items, and once more the list of them, before they are read. */
function holdKeys({ allowance }: Allowed, items: number, fields: number): void {
  allowance.count(items * fields);
  allowance.hold(items * (BYTES_PER_KEYED + 2 * BYTES_PER_KEY * fields));
}

function sortedByKeys(context: Allowed, items: Keyed[], signs: readonly number[]): Value[] {
  countSort(context, items.length * signs.length);
  const compare = counted(
    context,
    items.flatMap(({ keys }) => keys),
    nullsFirst,
  );
  items.sort((a, b) => {
    for (const [i, sign] of signs.entries()) {
      const difference = sign * compare(a.keys[i]!, b.keys[i]!);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return items.map(({ item }) => item);
}

/** Evaluates `apoc.coll.sortMaps`. */
export function sortMaps(context: Allowed, list: readonly Value[], prop: Value): Value {
  const { key, sign } = sortKey('apoc.coll.sortMaps', prop);
  holdKeys(context, list.length, 1);
  const items = list.map((item) => ({ item, keys: [mapOf('apoc.coll.sortMaps', item).get(key) ?? null] }));
  return sortedByKeys(context, items, [sign]);
}

interface Page {
  readonly orderFields: Value;
  readonly limit: Value;
  readonly skip: Value;
}

/** Evaluates `apoc.coll.sortMulti`. */
export function sortMulti(context: Allowed, list: readonly Value[], { orderFields, limit, skip }: Page): Value {
  const name = 'apoc.coll.sortMulti';
  const fields = (orderFields === null ? [] : listArgument(name, orderFields)).map((field) => sortKey(name, field));
  holdKeys(context, list.length, fields.length);
  const items = list.map((item) => ({ item, keys: fields.map(({ key }) => mapOf(name, item).get(key) ?? null) }));
  const all = sortedByKeys(
    context,
    items,
    fields.map(({ sign }) => sign),
  );
  const from = Math.max(0, Number(integerArgument(name, skip)));
  const count = Number(integerArgument(name, limit));
  return all.slice(from, count === -1 ? undefined : from + Math.max(0, count));
}

/** Evaluates `apoc.coll.sortNodes`. */
export function sortBy(context: Allowed & GraphReads['properties'], coll: Value, prop: Value): Value {
  const name = 'apoc.coll.sortNodes';
  const { key, sign } = sortKey(name, prop);
  const list = coll === null ? [] : listArgument(name, coll);
  holdKeys(context, list.length, 1);
  const items = list.map((item) => {
    if (!(item instanceof NodeValue)) throw wrongArgument(name, 'a List of Nodes', item);
    return { item, keys: [context.graph.nodeProperties(item).get(key) ?? null] };
  });
  return sortedByKeys(context, items, [sign]);
}

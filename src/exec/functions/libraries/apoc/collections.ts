/** `apoc.coll.*`. Elements are equal if DISTINCT treats them as equal; an index outside of a list leaves the list unchanged. */
import type { Pieces } from '../../../../algorithms/index.ts';
import type { collectionFacts, FunctionName } from '../../../../functions/index.ts';
import {
  argumentFault,
  assertListLength,
  displayText,
  greaterThan,
  type HashKey,
  hashKey,
  lessThan,
  makeFloat,
  makeInteger,
  type Value,
} from '../../../../value/index.ts';
import { integerArgument, listArgument, numberArgument } from '../../arguments.ts';
import type { Allowed, FunctionContext, Implementations } from '../../definition.ts';
import { combinations } from './combinations.ts';
import { sortBy, sorted, sortMaps, sortMulti } from './sorting.ts';

type Random = Allowed & Pick<FunctionContext, 'random'>;

/** Bytes for a list or map of two elements inside a list. */
const BYTES_PER_PAIR = 80;
const BYTES_PER_ITEM = 8;
/** Bytes for a map of an element and its count, and for the element's entry while it is counted. */
const BYTES_PER_COUNTED = 320;
/** Bytes for an entry of a Set or a Map of keys. */
const BYTES_PER_KEY = 48;
/** Bytes of a key for each byte of its element. */
const KEY_BYTES = 2;
/** Elements that are processed before other statements may run. */
const PIECE = 1_024;

function listOrNull(name: FunctionName, value: Value): Value[] | null {
  return value === null ? null : listArgument(name, value);
}

/** Returns the distinct elements by their keys, in the order of their first appearance. */
function distinct({ allowance }: Allowed, ...lists: readonly Value[][]): Map<HashKey, Value> {
  const found = new Map<HashKey, Value>();
  for (const list of lists) {
    allowance.hold(BYTES_PER_KEY * list.length);
    for (const value of list) {
      const key = hashKey(value);
      if (!found.has(key)) found.set(key, value);
    }
  }
  return found;
}

/** Returns the keys of elements, each of which is a text as long as its element; equal ones are kept once. */
function keysOf({ allowance }: Allowed, list: Value[]): Set<HashKey> {
  allowance.hold(BYTES_PER_KEY * list.length + KEY_BYTES * allowance.bytesOf(list));
  const keys = new Set<HashKey>();
  for (const each of list) keys.add(hashKey(each));
  return keys;
}

/** Makes a test for elements that are the same as a value. */
function sameAs(value: Value): (each: Value) => boolean {
  const wanted = hashKey(value);
  if (typeof wanted === 'number' && Number.isNaN(wanted)) return (each) => Number.isNaN(hashKey(each));
  return (each) => hashKey(each) === wanted;
}

interface Counted {
  readonly item: Value;
  count: number;
}

/** Counts equal elements, by their keys, in the order of their first appearance. */
function* counts({ allowance }: Allowed, list: Value[]): Pieces<Map<HashKey, Counted>> {
  const byKey = new Map<HashKey, Counted>();
  allowance.hold(KEY_BYTES * allowance.bytesOf(list));
  for (const [i, item] of list.entries()) {
    if (i % PIECE === 0 && allowance.worked(PIECE)) yield null;
    const key = hashKey(item);
    const known = byKey.get(key);
    if (known !== undefined) known.count++;
    else {
      allowance.hold(BYTES_PER_KEY + BYTES_PER_PAIR);
      byKey.set(key, { item, count: 1 });
    }
  }
  return byKey;
}

function* frequencies(context: Allowed, list: Value[], least: number): Pieces<Value> {
  const { allowance } = context;
  const found: Value[] = [];
  for (const [i, { item, count }] of [...(yield* counts(context, list)).values()].entries()) {
    if (i % PIECE === 0 && allowance.worked(PIECE)) yield null;
    if (count < least) continue;
    allowance.hold(BYTES_PER_COUNTED);
    found.push(new Map<string, Value>().set('item', item).set('count', count));
  }
  return found;
}

/** Counts elements by their text. The counts of different values that have one text, as 1 and '1', add up. */
function* frequenciesAsMap(context: Allowed, list: Value[]): Pieces<Value> {
  const found = new Map<string, number>();
  for (const [i, { item, count }] of [...(yield* counts(context, list)).values()].entries()) {
    if (i % PIECE === 0 && context.allowance.worked(PIECE)) yield null;
    const text = displayText(item);
    found.set(text, (found.get(text) ?? 0) + count);
  }
  return found;
}

function* duplicates(context: Allowed, list: Value[]): Pieces<Value> {
  return [...(yield* counts(context, list)).values()].filter(({ count }) => count > 1).map(({ item }) => item);
}

function sum(name: FunctionName, list: readonly Value[]): number {
  return list.reduce((total: number, each) => total + numberArgument(name, each), 0);
}

function sumLongs(list: readonly Value[]): Value {
  const whole = (each: Value): bigint => {
    if (typeof each === 'bigint') return each;
    const number = Math.trunc(numberArgument('apoc.coll.sumLongs', each));
    if (!Number.isFinite(number)) throw argumentFault(`apoc.coll.sumLongs() expects finite numbers, but got ${number}`);
    return BigInt(number);
  };
  return makeInteger(
    BigInt.asIntN(
      64,
      list.reduce((total: bigint, each) => total + whole(each), 0n),
    ),
  );
}

/** Returns the first element that no other beats; `isBetter` must be false if one of the two is null. */
function best(list: readonly Value[], isBetter: (one: Value, other: Value) => boolean): Value {
  let found: Value = null;
  for (const each of list) if (found === null || isBetter(each, found)) found = each;
  return found;
}

function zip({ allowance }: Allowed, one: readonly Value[], other: readonly Value[]): Value[] {
  if (one.length === 0 || other.length === 0) return [];
  allowance.hold(BYTES_PER_PAIR * one.length);
  return one.map((each, i) => [each, other[i] ?? null]);
}

function partition({ allowance }: Allowed, list: readonly Value[], size: Value): Value[] {
  const batch = positive('apoc.coll.partition', size);
  const pages = Math.ceil(list.length / batch);
  allowance.hold(BYTES_PER_PAIR * pages);
  return Array.from({ length: pages }, (_, page) => list.slice(page * batch, (page + 1) * batch));
}

function positive(name: FunctionName, value: Value): number {
  const given = integerArgument(name, value);
  if (given < 1) throw argumentFault(`${name}() expects a positive number, but got ${given}`, 'NumberOutOfRange');
  return Number(given);
}

function flatten(list: readonly Value[], isDeep: boolean): Value[] {
  const flat: Value[] = [];
  const open: { readonly list: readonly Value[]; at: number }[] = [{ list, at: 0 }];
  while (open.length > 0) {
    const top = open[open.length - 1]!;
    const each = top.list[top.at++];
    if (each === undefined) open.pop();
    else if (Array.isArray(each) && (isDeep || open.length === 1)) open.push({ list: each, at: 0 });
    else flat.push(each);
  }
  return flat;
}

/** Returns a list with elements from an index on replaced; the list itself if the index is outside of 0 to `last`. */
function spliced(name: FunctionName, list: Value[], index: Value, { last, without, values }: Splice): Value[] {
  const at = Number(integerArgument(name, index));
  return at < 0 || at > last ? list : [...list.slice(0, at), ...values, ...list.slice(at + without)];
}

interface Splice {
  readonly last: number;
  readonly without: number;
  readonly values: readonly Value[];
}

function remove(list: Value[], index: Value, length: Value): Value[] {
  const without = Number(integerArgument('apoc.coll.remove', length));
  return without <= 0 ? list : spliced('apoc.coll.remove', list, index, { last: list.length - 1, without, values: [] });
}

function* isEqualCollection(context: Allowed, one: Value[] | null, other: Value[] | null): Pieces<boolean> {
  if (one === null || other === null) return one === other;
  if (one.length !== other.length) return false;
  const left = yield* counts(context, one);
  const right = yield* counts(context, other);
  return left.size === right.size && [...left].every(([key, { count }]) => right.get(key)?.count === count);
}

function shuffled(list: readonly Value[], random: () => number): Value[] {
  const all = [...list];
  for (let last = all.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    [all[last], all[at]] = [all[at]!, all[last]!];
  }
  return all;
}

function randomItems(context: Random, list: readonly Value[], itemCount: Value, allowRepick: Value): Value[] {
  const count = Number(integerArgument('apoc.coll.randomItems', itemCount));
  if (list.length === 0 || count <= 0) return [];
  if (allowRepick !== true) return shuffled(list, context.random).slice(0, count);
  holdItems(context, 'apoc.coll.randomItems', count);
  return Array.from({ length: count }, () => randomItem(context, list));
}

const randomItem = ({ random }: Random, list: readonly Value[]): Value => list[Math.floor(random() * list.length)] ?? null;

function holdItems({ allowance }: Allowed, name: FunctionName, count: number): void {
  assertListLength(count, `${name}()`);
  allowance.count(count);
  allowance.hold(BYTES_PER_ITEM * count);
}

function fill(context: Allowed, item: Value, count: Value): Value[] {
  const length = Number(integerArgument('apoc.coll.fill', count));
  if (length < 0) throw argumentFault(`apoc.coll.fill() expects no negative number, but got ${length}`, 'NumberOutOfRange');
  holdItems(context, 'apoc.coll.fill', length);
  return new Array<Value>(length).fill(item);
}

function withoutNeighbours(list: readonly Value[]): Value[] {
  return list.filter((each, i) => i === 0 || !sameAs(list[i - 1]!)(each));
}

const without = (_: Allowed, list: readonly Value[], unwanted: ReadonlySet<HashKey>): Value[] =>
  list.filter((each) => !unwanted.has(hashKey(each)));

function disjunction(context: Allowed, one: Value[], other: Value[]): Value[] {
  const ofOne = distinct(context, one);
  const ofOther = distinct(context, other);
  const found: Value[] = [];
  for (const [key, value] of ofOne) if (!ofOther.has(key)) found.push(value);
  for (const [key, value] of ofOther) if (!ofOne.has(key)) found.push(value);
  return found;
}

/** Makes a function of two lists that returns the other list if one is null. */
function joined(
  name: FunctionName,
  join: (context: Allowed, one: Value[], other: Value[]) => Value,
): (context: Allowed, one: Value, other: Value) => Value {
  return (context, one, other) => {
    if (one === null || other === null) return listOrNull(name, one ?? other);
    return join(context, listArgument(name, one), listArgument(name, other));
  };
}

function minuend(
  name: FunctionName,
  subtract: (context: Allowed, list: Value[], others: Set<HashKey>) => Value,
): (context: Allowed, one: Value, other: Value) => Value {
  return (context, one, other) => {
    const list = listOrNull(name, one);
    return list === null ? null : subtract(context, list, keysOf(context, listOrNull(name, other) ?? []));
  };
}

/** The functions `apoc.coll.*`. */
export const collectionFunctions: Implementations<typeof collectionFacts> = {
  'apoc.coll.avg': (_, coll) => {
    const list = listArgument('apoc.coll.avg', coll);
    return list.length === 0 ? null : makeFloat(sum('apoc.coll.avg', list) / list.length);
  },
  'apoc.coll.combinations': combinations,
  'apoc.coll.contains': (_, coll, value) => (listOrNull('apoc.coll.contains', coll) ?? []).some(sameAs(value)),
  'apoc.coll.containsAll': (context, coll, values) => {
    const list = listOrNull('apoc.coll.containsAll', coll) ?? [];
    const wanted = listOrNull('apoc.coll.containsAll', values);
    if (list.length === 0 || wanted === null) return false;
    const keys = keysOf(context, list);
    return wanted.every((each) => keys.has(hashKey(each)));
  },
  'apoc.coll.containsDuplicates': (context, coll) => {
    const list = listOrNull('apoc.coll.containsDuplicates', coll) ?? [];
    return keysOf(context, list).size < list.length;
  },
  'apoc.coll.different': (context, coll) => {
    const list = listOrNull('apoc.coll.different', coll);
    return list !== null && keysOf(context, list).size === list.length;
  },
  'apoc.coll.disjunction': joined('apoc.coll.disjunction', disjunction),
  'apoc.coll.dropDuplicateNeighbors': (_, coll) => {
    const list = listOrNull('apoc.coll.dropDuplicateNeighbors', coll);
    return list === null ? null : withoutNeighbours(list);
  },
  'apoc.coll.duplicates': { pieces: (context, coll) => duplicates(context, listOrNull('apoc.coll.duplicates', coll) ?? []) },
  'apoc.coll.duplicatesWithCount': {
    pieces: (context, coll) => frequencies(context, listOrNull('apoc.coll.duplicatesWithCount', coll) ?? [], 2),
  },
  'apoc.coll.fill': fill,
  'apoc.coll.flatten': (_, coll, recursive = false) => flatten(listOrNull('apoc.coll.flatten', coll) ?? [], recursive === true),
  'apoc.coll.frequencies': { pieces: (context, coll) => frequencies(context, listOrNull('apoc.coll.frequencies', coll) ?? [], 1) },
  'apoc.coll.frequenciesAsMap': {
    pieces: (context, coll) => frequenciesAsMap(context, listOrNull('apoc.coll.frequenciesAsMap', coll) ?? []),
  },
  'apoc.coll.indexOf': (_, coll, value) => (listOrNull('apoc.coll.indexOf', coll) ?? []).findIndex(sameAs(value)),
  'apoc.coll.insert': (_, coll, index, value) => {
    const list = listOrNull('apoc.coll.insert', coll);
    if (list === null || value === null) return list;
    return spliced('apoc.coll.insert', list, index, { last: list.length, without: 0, values: [value] });
  },
  'apoc.coll.insertAll': (_, coll, index, values) => {
    const list = listOrNull('apoc.coll.insertAll', coll);
    const added = listOrNull('apoc.coll.insertAll', values);
    if (list === null || added === null) return list;
    return spliced('apoc.coll.insertAll', list, index, { last: list.length, without: 0, values: added });
  },
  'apoc.coll.intersection': (context, first, second) => {
    const one = listOrNull('apoc.coll.intersection', first) ?? [];
    const other = keysOf(context, listOrNull('apoc.coll.intersection', second) ?? []);
    return [...distinct(context, one)].filter(([key]) => other.has(key)).map(([, value]) => value);
  },
  'apoc.coll.isEqualCollection': {
    pieces: (context, coll, values) =>
      isEqualCollection(context, listOrNull('apoc.coll.isEqualCollection', coll), listOrNull('apoc.coll.isEqualCollection', values)),
  },
  'apoc.coll.max': (_, coll) => best(listArgument('apoc.coll.max', coll), (one, other) => greaterThan(one, other) === true),
  'apoc.coll.min': (_, coll) => best(listArgument('apoc.coll.min', coll), (one, other) => lessThan(one, other) === true),
  'apoc.coll.occurrences': (_, coll, item) => (listOrNull('apoc.coll.occurrences', coll) ?? []).filter(sameAs(item)).length,
  'apoc.coll.pairs': (context, coll) => {
    const list = listArgument('apoc.coll.pairs', coll);
    return zip(context, list, list.slice(1));
  },
  'apoc.coll.pairsMin': (context, coll) => {
    const list = listArgument('apoc.coll.pairsMin', coll);
    return zip(context, list.slice(0, -1), list.slice(1));
  },
  'apoc.coll.partition': (context, coll, batchSize) => partition(context, listOrNull('apoc.coll.partition', coll) ?? [], batchSize),
  'apoc.coll.randomItem': (context, coll) => randomItem(context, listOrNull('apoc.coll.randomItem', coll) ?? []),
  'apoc.coll.randomItems': (context, coll, itemCount, allowRepick = false) =>
    randomItems(context, listOrNull('apoc.coll.randomItems', coll) ?? [], itemCount, allowRepick),
  'apoc.coll.remove': (_, coll, index, length = 1) => {
    const list = listOrNull('apoc.coll.remove', coll);
    return list === null ? null : remove(list, index, length);
  },
  'apoc.coll.removeAll': minuend('apoc.coll.removeAll', without),
  'apoc.coll.set': (_, coll, index, value) => {
    const list = listOrNull('apoc.coll.set', coll);
    if (list === null || value === null) return list;
    return spliced('apoc.coll.set', list, index, { last: list.length - 1, without: 1, values: [value] });
  },
  'apoc.coll.shuffle': ({ random }, coll) => shuffled(listOrNull('apoc.coll.shuffle', coll) ?? [], random),
  'apoc.coll.sort': (context, coll) => sorted(context, listOrNull('apoc.coll.sort', coll) ?? []),
  'apoc.coll.sortMaps': (context, coll, prop) => sortMaps(context, listOrNull('apoc.coll.sortMaps', coll) ?? [], prop),
  'apoc.coll.sortMulti': (context, coll, orderFields = [], limit = -1, skip = 0) =>
    sortMulti(context, listOrNull('apoc.coll.sortMulti', coll) ?? [], { orderFields, limit, skip }),
  'apoc.coll.sortNodes': sortBy,
  'apoc.coll.subtract': minuend('apoc.coll.subtract', (context, list, others) =>
    without(context, [...distinct(context, list).values()], others),
  ),
  'apoc.coll.sum': (_, coll) => {
    const list = listArgument('apoc.coll.sum', coll);
    return list.length === 0 ? null : makeFloat(sum('apoc.coll.sum', list));
  },
  'apoc.coll.sumLongs': (_, coll) => sumLongs(listArgument('apoc.coll.sumLongs', coll)),
  'apoc.coll.toSet': (context, coll) => [...distinct(context, listArgument('apoc.coll.toSet', coll)).values()],
  'apoc.coll.union': joined('apoc.coll.union', (context, one, other) => [...distinct(context, one, other).values()]),
  'apoc.coll.unionAll': joined('apoc.coll.unionAll', (_, one, other) => [...one, ...other]),
  'apoc.coll.zip': (context, list1, list2) => zip(context, listArgument('apoc.coll.zip', list1), listArgument('apoc.coll.zip', list2)),
};

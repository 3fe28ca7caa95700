/** `apoc.map.*`. Entries keep the order in which they were first set. */
import type { FunctionName, mapFacts } from '../../../../functions/index.ts';
import {
  argumentFault,
  compareStrings,
  displayText,
  equals,
  NodeValue,
  quoted,
  RelationshipValue,
  type Value,
  type ValueMap,
} from '../../../../value/index.ts';
import { listArgument, stringArgument, wrongArgument } from '../../arguments.ts';
import type { Allowed, GraphReads, Implementations } from '../../definition.ts';

type Entries = ReadonlyMap<string, Value>;

const BYTES_PER_ENTRY = 48;

function mapArgument(name: FunctionName, value: Value): Entries {
  if (value instanceof Map) return value;
  throw wrongArgument(name, 'a Map', value);
}

const mapOrEmpty = (name: FunctionName, value: Value): Entries => (value === null ? new Map() : mapArgument(name, value));

function clean(map: Value, keys: Value, values: Value): ValueMap {
  const entries = mapArgument('apoc.map.clean', map);
  const unwantedKeys = listArgument('apoc.map.clean', keys);
  const unwanted = listArgument('apoc.map.clean', values);
  const isUnwanted = (value: Value): boolean =>
    value === null || unwanted.some((each) => equals(each, value) === true || isTextOf(each, value));
  return new Map([...entries].filter(([key, value]) => !unwantedKeys.includes(key) && !isUnwanted(value)));
}

const isTextOf = (text: Value, value: Value): boolean =>
  typeof text === 'string' && typeof value !== 'string' && displayText(value) === text;

// ---------------------------------------------------------------- made of lists

function fromPairs(name: FunctionName, pairs: Value): ValueMap {
  const map: ValueMap = new Map();
  for (const pair of listArgument(name, pairs)) {
    const [key = null, value = null] = listArgument(name, pair);
    if (key !== null) map.set(displayText(key), value);
  }
  return map;
}

function fromLists(name: FunctionName, keys: Value, values: Value): ValueMap {
  const names = listArgument(name, keys);
  const contents = listArgument(name, values);
  if (names.length !== contents.length)
    throw argumentFault(`${name}() expects as many keys as values, but got ${names.length} and ${contents.length}`);
  return new Map(names.map((key, i) => [displayText(key), contents[i]!]));
}

function fromValues(name: FunctionName, values: Value): ValueMap {
  const list = listArgument(name, values);
  if (list.length % 2 === 1) throw argumentFault(`${name}() expects a value for each key, but got ${list.length} elements`);
  const map: ValueMap = new Map();
  for (let i = 0; i < list.length; i += 2) if (list[i] !== null) map.set(displayText(list[i]!), list[i + 1]!);
  return map;
}

function merged(name: FunctionName, one: Value, other: Value): ValueMap {
  return new Map([...mapOrEmpty(name, one), ...mapOrEmpty(name, other)]);
}

function mergeList(maps: Value): ValueMap {
  const name = 'apoc.map.mergeList';
  const all: ValueMap = new Map();
  for (const map of listArgument(name, maps)) for (const [key, value] of mapArgument(name, map)) all.set(key, value);
  return all;
}

function setEntry(name: FunctionName, map: Value, key: Value, value: Value): ValueMap {
  const entries = mapOrEmpty(name, map);
  return key === null ? new Map(entries) : new Map(entries).set(stringArgument(name, key), value);
}

// ---------------------------------------------------------------- parts of a map

function get(name: FunctionName, entries: Entries, key: Value, { value, fail }: { value: Value; fail: Value }): Value {
  const text = stringArgument(name, key);
  if (fail !== false && value === null && !entries.has(text))
    throw argumentFault(`${name}() found no key ${quoted(text)} among ${[...entries.keys()].map(quoted).join(', ')}`);
  return entries.has(text) ? entries.get(text)! : value;
}

/** Returns keys with their values, or with those of `values` if missing; null if the map or the keys are null. */
function submap(name: FunctionName, map: Value, keys: Value, { values, fail }: { values: Value; fail: Value }): [string, Value][] | null {
  if (map === null || keys === null) return null;
  const entries = mapArgument(name, map);
  const others = values === null ? [] : listArgument(name, values);
  return listArgument(name, keys).map((key, i) => [stringArgument(name, key), get(name, entries, key, { value: others[i] ?? null, fail })]);
}

function valuesOf(map: Value, keys: Value, addNulls: Value): Value {
  const wanted = keys === null ? [] : listArgument('apoc.map.values', keys);
  if (wanted.length === 0) return [];
  const entries = mapArgument('apoc.map.values', map);
  const names = wanted.map((key) => stringArgument('apoc.map.values', key));
  return names.filter((key) => addNulls === true || entries.has(key)).map((key) => entries.get(key) ?? null);
}

function removeKeys(name: FunctionName, map: Value, keys: readonly Value[], config: Value): ValueMap {
  const isDeep = mapOrEmpty(name, config).get('recursive') === true;
  const unwanted = new Set(keys);
  const left = (entries: Entries): ValueMap => {
    const found: ValueMap = new Map();
    for (const [key, value] of entries) if (!unwanted.has(key)) addLeft(found, key, value);
    return found;
  };
  const addLeft = (found: ValueMap, key: string, value: Value): void => {
    if (isDeep && value instanceof Map) {
      const inner = left(value);
      if (inner.size > 0) found.set(key, inner);
    } else if (isDeep && Array.isArray(value)) {
      const inner = value.map((each) => (each instanceof Map ? left(each) : each));
      const kept = inner.filter((each) => !(each instanceof Map && each.size === 0));
      if (kept.length > 0) found.set(key, kept);
    } else found.set(key, value);
  };
  return left(mapArgument(name, map));
}

function removeKey(map: Value, key: Value, config: Value): ValueMap {
  const entries = mapArgument('apoc.map.removeKey', map);
  return entries.has(stringArgument('apoc.map.removeKey', key)) ? removeKeys('apoc.map.removeKey', map, [key], config) : new Map(entries);
}

function sortedProperties({ allowance }: Allowed, map: Value, ignoreCase: Value): Value {
  const entries = [...mapArgument('apoc.map.sortedProperties', map)];
  allowance.hold(2 * BYTES_PER_ENTRY * entries.length);
  const folded = (key: string): string => (ignoreCase === false ? key : key.toUpperCase().toLowerCase());
  return entries.sort(([a], [b]) => compareStrings(folded(a), folded(b)));
}

// ---------------------------------------------------------------- maps in maps

function delimiterOf(name: FunctionName, value: Value): string {
  const given = stringArgument(name, value);
  return given.trim() === '' && name === 'apoc.map.unflatten' ? '.' : given;
}

function flatten({ allowance }: Allowed, map: Value, delimiter: Value = '.'): ValueMap {
  const name = 'apoc.map.flatten';
  const between = delimiterOf(name, delimiter);
  const flat: ValueMap = new Map();
  const add = (entries: Entries, prefix: string): void => {
    allowance.count(entries.size);
    for (const [key, value] of entries) {
      if (value instanceof Map) add(value, prefix + key + between);
      else {
        allowance.hold(BYTES_PER_ENTRY + prefix.length + key.length);
        flat.set(prefix + key, value);
      }
    }
  };
  add(mapArgument(name, map), '');
  return flat;
}

function unflatten({ allowance }: Allowed, map: Value, delimiter: Value = '.'): ValueMap {
  const name = 'apoc.map.unflatten';
  const between = delimiterOf(name, delimiter);
  const all: ValueMap = new Map();
  for (const [path, value] of mapArgument(name, map)) {
    const parts = path.split(between);
    allowance.count(parts.length);
    allowance.hold(2 * BYTES_PER_ENTRY * parts.length + path.length);
    let level: ValueMap = all;
    for (const part of parts.slice(0, -1)) {
      const next = level.get(part) ?? new Map();
      if (!(next instanceof Map)) throw argumentFault(`${name}() found a value and a map for the key ${quoted(part)} of ${quoted(path)}`);
      level.set(part, next);
      level = next;
    }
    level.set(parts.at(-1)!, value);
  }
  return all;
}

// ---------------------------------------------------------------- groups

type PropertyReads = Allowed & GraphReads['properties'];

function keyOf({ graph }: PropertyReads, value: Value, key: string): Value {
  if (value instanceof Map) return value.get(key) ?? null;
  if (value instanceof NodeValue) return graph.nodeProperties(value).get(key) ?? null;
  return value instanceof RelationshipValue ? (graph.relationshipProperties(value).get(key) ?? null) : null;
}

/** Yields values with the text of their key property, without those that have none. */
function* keyed(name: FunctionName, context: PropertyReads, values: Value, key: Value): Generator<[string, Value]> {
  const property = stringArgument(name, key);
  for (const value of listArgument(name, values)) {
    const found = keyOf(context, value, property);
    if (found === null) continue;
    context.allowance.hold(2 * BYTES_PER_ENTRY);
    yield [displayText(found), value];
  }
}

function groupByMulti(context: PropertyReads, values: Value, key: Value): Value {
  const groups = new Map<string, Value[]>();
  for (const [text, value] of keyed('apoc.map.groupByMulti', context, values, key)) {
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [value]);
    else group.push(value);
  }
  return groups;
}

/** The functions `apoc.map.*`. */
export const mapFunctions: Implementations<typeof mapFacts> = {
  'apoc.map.clean': (_, map, keys, values) => clean(map, keys, values),
  'apoc.map.flatten': flatten,
  'apoc.map.fromLists': (_, keys, values) => fromLists('apoc.map.fromLists', keys, values),
  'apoc.map.fromPairs': (_, pairs) => fromPairs('apoc.map.fromPairs', pairs),
  'apoc.map.fromValues': (_, values) => fromValues('apoc.map.fromValues', values),
  'apoc.map.get': (_, map, key, value = null, fail = true) => get('apoc.map.get', mapArgument('apoc.map.get', map), key, { value, fail }),
  'apoc.map.groupBy': (context, values, key) => new Map(keyed('apoc.map.groupBy', context, values, key)),
  'apoc.map.groupByMulti': groupByMulti,
  'apoc.map.merge': (_, map1, map2) => merged('apoc.map.merge', map1, map2),
  'apoc.map.mergeList': (_, maps) => mergeList(maps),
  'apoc.map.mget': (_, map, keys, values = null, fail = true) =>
    submap('apoc.map.mget', map, keys, { values, fail })?.map(([, value]) => value) ?? null,
  'apoc.map.removeKey': (_, map, key, config = null) => removeKey(map, key, config),
  'apoc.map.removeKeys': (_, map, keys, config = null) =>
    removeKeys('apoc.map.removeKeys', map, listArgument('apoc.map.removeKeys', keys), config),
  'apoc.map.setEntry': (_, map, key, value) => setEntry('apoc.map.setEntry', map, key, value),
  'apoc.map.setKey': (_, map, key, value) => setEntry('apoc.map.setKey', map, key, value),
  'apoc.map.setLists': (_, map, keys, values) => merged('apoc.map.setLists', map, fromLists('apoc.map.setLists', keys, values)),
  'apoc.map.setPairs': (_, map, pairs) => merged('apoc.map.setPairs', map, fromPairs('apoc.map.setPairs', pairs)),
  'apoc.map.setValues': (_, map, pairs) => merged('apoc.map.setValues', map, fromValues('apoc.map.setValues', pairs)),
  'apoc.map.sortedProperties': (context, map, ignoreCase = true) => sortedProperties(context, map, ignoreCase),
  'apoc.map.submap': (_, map, keys, values = null, fail = true) => {
    const entries = submap('apoc.map.submap', map, keys, { values, fail });
    return entries === null ? null : new Map(entries);
  },
  'apoc.map.unflatten': unflatten,
  'apoc.map.values': (_, map, keys = null, addNullsForMissing = false) => valuesOf(map, keys, addNullsForMissing),
};

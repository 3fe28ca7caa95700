/** Facts of `apoc.map.*`. Keys that are not text are converted to text. */
import type { FunctionTable } from '../facts.ts';
import { checkedWhenCalled, optional, PURE, parameter } from '../parameters.ts';
import { propagating, takingNulls } from './rows.ts';

const row = takingNulls('Scalar');
const strict = propagating('Scalar');
const map = parameter('map', 'Map');
const key = parameter('key', 'String');
const keys = parameter('keys', 'List');
const pairs = parameter('pairs', 'List');
const values = parameter('values', 'List');
const delimiter = optional('delimiter', 'String');
const config = optional('config', 'Map');
const ofMap = { linearIn: ['map'] } as const;
const ofMapAndKeys = { deepIn: ['map', 'keys'] } as const;
const deepMap = { deepIn: ['map'] } as const;

/** The facts of `apoc.map.*`. */
export const mapFacts = {
  'apoc.map.clean': {
    ...PURE,
    parameters: [checkedWhenCalled(map), checkedWhenCalled(keys), checkedWhenCalled(values)],
    returns: 'Map',
    cost: { productOf: ['map', 'keys', 'values'] },
    category: 'Scalar',
    description: 'The map without the given keys, the given values, and nulls.',
  },
  'apoc.map.flatten': strict(
    [map, delimiter],
    'Map',
    'answer',
    'The map with the entries of maps in it, by keys joined with a dot or the delimiter.',
  ),
  'apoc.map.fromLists': row([keys, values], 'Map', { deepIn: ['keys', 'values'] }, 'A map of keys and, in a list as long, their values.'),
  'apoc.map.fromPairs': strict([pairs], 'Map', { deepIn: ['pairs'] }, 'A map of lists of key and value.'),
  'apoc.map.fromValues': strict([values], 'Map', { deepIn: ['values'] }, 'A map of a list in which keys and values take turns.'),
  'apoc.map.get': row(
    [map, key, optional('value', 'Any'), optional('fail', 'Boolean')],
    'Any',
    'constant',
    'The value of a key, or the given one; a key that is missing is an error, unless fail is false.',
  ),
  'apoc.map.groupBy': {
    ...strict([values, key], 'Map', { deepIn: ['values'] }, 'The last of the maps, nodes or relationships for each value of a key.'),
    reads: 'properties',
  },
  'apoc.map.groupByMulti': {
    ...strict([values, key], 'Map', { deepIn: ['values'] }, 'The list of maps, nodes or relationships for each value of a key.'),
    reads: 'properties',
  },
  'apoc.map.merge': row(
    [parameter('map1', 'Map'), parameter('map2', 'Map')],
    'Map',
    { linearIn: ['map1', 'map2'] },
    'Both maps in one; the second counts where both have a key.',
  ),
  'apoc.map.mergeList': strict(
    [parameter('maps', 'List')],
    'Map',
    { deepIn: ['maps'] },
    'The maps in one; the last one that has a key counts.',
  ),
  'apoc.map.mget': row(
    [map, keys, optional('values', 'List'), optional('fail', 'Boolean')],
    'List',
    { linearIn: ['keys'] },
    'The values of keys, or those given; a key that is missing is an error, unless fail is false.',
  ),
  'apoc.map.removeKey': strict(
    [map, key, config],
    'Map',
    deepMap,
    'The map without a key; in maps and lists within it too with {recursive: true}.',
  ),
  'apoc.map.removeKeys': strict(
    [map, keys, config],
    'Map',
    { deepIn: ['map', 'keys'] },
    'The map without the keys; in maps and lists within it too with {recursive: true}.',
  ),
  'apoc.map.setEntry': row([map, key, parameter('value', 'Any')], 'Map', ofMap, 'The map with an entry set.'),
  'apoc.map.setKey': row([map, key, parameter('value', 'Any')], 'Map', ofMap, 'The map with an entry set.'),
  'apoc.map.setLists': row([map, keys, values], 'Map', ofMapAndKeys, 'The map with entries set, of keys and a list of their values.'),
  'apoc.map.setPairs': row([map, pairs], 'Map', { deepIn: ['map', 'pairs'] }, 'The map with entries set, of lists of key and value.'),
  'apoc.map.setValues': row(
    [map, pairs],
    'Map',
    { deepIn: ['map', 'pairs'] },
    'The map with entries set, of a list in which keys and values take turns.',
  ),
  'apoc.map.sortedProperties': strict(
    [map, optional('ignoreCase', 'Boolean')],
    'List',
    ofMap,
    'Lists of key and value in the order of the keys, without regard to case unless ignoreCase is false.',
  ),
  'apoc.map.submap': row(
    [map, keys, optional('values', 'List'), optional('fail', 'Boolean')],
    'Map',
    { linearIn: ['keys'] },
    'The map of these keys only; a key that is missing is an error, unless fail is false.',
  ),
  'apoc.map.unflatten': strict(
    [map, delimiter],
    'Map',
    'answer',
    'The map with maps in the place of keys that are joined with a dot or the delimiter.',
  ),
  'apoc.map.values': row(
    [map, optional('keys', 'List'), optional('addNullsForMissing', 'Boolean')],
    'List',
    { linearIn: ['keys'] },
    'The values of the keys that there are; null for the others if addNullsForMissing.',
  ),
} as const satisfies FunctionTable;

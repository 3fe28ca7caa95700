/** Facts of `apoc.coll.*`: lists. Two elements are the same if DISTINCT treats them as the same. */
import type { FunctionTable } from '../facts.ts';
import { optional, parameter } from '../parameters.ts';
import { propagating, takingNulls } from './rows.ts';

const row = takingNulls('List');
const strict = propagating('List');
const coll = parameter('coll', 'List');
const first = parameter('first', 'List');
const second = parameter('second', 'List');
const index = parameter('index', 'Integer');
const value = parameter('value', 'Any');
const ofColl = { linearIn: ['coll'] } as const;
const deepColl = { deepIn: ['coll'] } as const;
const deepBoth = { deepIn: ['first', 'second'] } as const;

/** The facts of `apoc.coll.*`. */
export const collectionFacts = {
  'apoc.coll.avg': strict([coll], 'Float', ofColl, 'The mean of the numbers, null for none.'),
  'apoc.coll.combinations': row(
    [coll, parameter('minSelect', 'Integer'), optional('maxSelect', 'Integer')],
    'List',
    'answer',
    'All combinations of minSelect to maxSelect elements; maxSelect is minSelect unless given.',
  ),
  'apoc.coll.contains': row([coll, value], 'Boolean', deepColl, 'Whether the value is in the list.'),
  'apoc.coll.containsAll': row(
    [coll, parameter('values', 'List')],
    'Boolean',
    { deepIn: ['coll', 'values'] },
    'Whether all the values are in the list.',
  ),
  'apoc.coll.containsDuplicates': row([coll], 'Boolean', deepColl, 'Whether an element comes more than once.'),
  'apoc.coll.different': row([coll], 'Boolean', deepColl, 'Whether no element comes more than once.'),
  'apoc.coll.disjunction': row([first, second], 'List', deepBoth, 'The distinct elements that are in one of the lists only.'),
  'apoc.coll.dropDuplicateNeighbors': row([coll], 'List', deepColl, 'The list without elements that are the same as the one before.'),
  'apoc.coll.duplicates': row([coll], 'List', deepColl, 'The distinct elements that come more than once.'),
  'apoc.coll.duplicatesWithCount': row([coll], 'List', deepColl, 'Maps of item and count for the elements that come more than once.'),
  'apoc.coll.fill': strict(
    [parameter('item', 'String'), parameter('count', 'Integer')],
    'List',
    'answer',
    'A list of count times the item.',
  ),
  'apoc.coll.flatten': row(
    [coll, optional('recursive', 'Boolean')],
    'List',
    deepColl,
    'The elements of the lists in the list; of those within them too if recursive.',
  ),
  'apoc.coll.frequencies': row([coll], 'List', deepColl, 'Maps of item and count for the distinct elements.'),
  'apoc.coll.frequenciesAsMap': row([coll], 'Map', deepColl, 'How often elements with each text come, by the text: 1 and "1" have one.'),
  'apoc.coll.indexOf': row([coll, value], 'Integer', deepColl, 'The first place of the value in the list, -1 for none.'),
  'apoc.coll.insert': row([coll, index, value], 'List', ofColl, 'The list with the value before the element at the index.'),
  'apoc.coll.insertAll': row(
    [coll, index, parameter('values', 'List')],
    'List',
    { linearIn: ['coll', 'values'] },
    'The list with the values before the element at the index.',
  ),
  'apoc.coll.intersection': row([first, second], 'List', deepBoth, 'The distinct elements that are in both lists.'),
  'apoc.coll.isEqualCollection': row(
    [coll, parameter('values', 'List')],
    'Boolean',
    { deepIn: ['coll', 'values'] },
    'Whether both lists have the same elements as often, in any order.',
  ),
  'apoc.coll.max': strict([coll], 'Any', deepColl, 'The largest element, null for none.'),
  'apoc.coll.min': strict([coll], 'Any', deepColl, 'The smallest element, null for none.'),
  'apoc.coll.occurrences': row([coll, parameter('item', 'Any')], 'Integer', deepColl, 'How often the item is in the list.'),
  'apoc.coll.pairs': strict([coll], 'List', ofColl, 'Each element with the next one, the last one with null.'),
  'apoc.coll.pairsMin': strict([coll], 'List', ofColl, 'Each element but the last one with the next one.'),
  'apoc.coll.partition': row([coll, parameter('batchSize', 'Integer')], 'List', ofColl, 'Lists of batchSize elements each.'),
  'apoc.coll.randomItem': {
    ...row([coll], 'Any', 'constant', 'An element drawn at random, null for none.'),
    determinism: 'random',
  },
  'apoc.coll.randomItems': {
    ...row(
      [coll, parameter('itemCount', 'Integer'), optional('allowRepick', 'Boolean')],
      'List',
      ofColl,
      'So many elements drawn at random, each once unless allowRepick.',
    ),
    determinism: 'random',
  },
  'apoc.coll.remove': row(
    [coll, index, optional('length', 'Integer')],
    'List',
    ofColl,
    'The list without so many elements from the index on, one unless given.',
  ),
  'apoc.coll.removeAll': row([first, second], 'List', deepBoth, 'The first list without the elements of the second.'),
  'apoc.coll.set': row([coll, index, value], 'List', ofColl, 'The list with the value in the place of the element at the index.'),
  'apoc.coll.shuffle': { ...row([coll], 'List', ofColl, 'The elements in an order drawn at random.'), determinism: 'random' },
  'apoc.coll.sort': row([coll], 'List', deepColl, 'The elements in the order of ORDER BY.'),
  'apoc.coll.sortMaps': row(
    [coll, parameter('prop', 'String')],
    'List',
    deepColl,
    'The maps in descending order of an entry, ascending with ^ before its key.',
  ),
  'apoc.coll.sortMulti': row(
    [coll, optional('orderFields', 'List'), optional('limit', 'Integer'), optional('skip', 'Integer')],
    'List',
    deepColl,
    'The maps in descending order of several entries, ascending with ^ before a key.',
  ),
  'apoc.coll.sortNodes': {
    ...row(
      [coll, parameter('prop', 'String')],
      'List',
      deepColl,
      'The nodes in descending order of a property, ascending with ^ before its key.',
    ),
    reads: 'properties',
  },
  'apoc.coll.subtract': row([first, second], 'List', deepBoth, 'The distinct elements of the first list that are not in the second.'),
  'apoc.coll.sum': strict([coll], 'Float', ofColl, 'The sum of the numbers as a Float, null for none.'),
  'apoc.coll.sumLongs': strict([coll], 'Integer', ofColl, 'The sum of the numbers as an Integer.'),
  'apoc.coll.toSet': strict([coll], 'List', deepColl, 'The distinct elements, in the order in which they come first.'),
  'apoc.coll.union': row([first, second], 'List', deepBoth, 'The distinct elements of both lists.'),
  'apoc.coll.unionAll': row([first, second], 'List', { linearIn: ['first', 'second'] }, 'The elements of both lists.'),
  'apoc.coll.zip': strict(
    [parameter('list1', 'List'), parameter('list2', 'List')],
    'List',
    { linearIn: ['list1', 'list2'] },
    'Each element of the first list with that in the same place of the second, or null.',
  ),
} as const satisfies FunctionTable;

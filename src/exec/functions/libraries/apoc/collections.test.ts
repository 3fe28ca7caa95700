/** `apoc.coll.*` and `apoc.map.*`: the answers that APOC's documentation gives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../../../../base/index.ts';
import { literalText } from '../../../../value/index.ts';
import { ExpressionEvaluator } from '../../testing/expression-evaluator.ts';

function check(cases: Readonly<Record<string, string>>): void {
  for (const [expression, expected] of Object.entries(cases))
    assert.equal(literalText(new ExpressionEvaluator(expression).value()), expected, expression);
}

function checkFaults(...expressions: readonly string[]): void {
  for (const expression of expressions)
    assert.throws(
      () => new ExpressionEvaluator(expression).value(),
      (error) => error instanceof GraphDBError,
      expression,
    );
}

test('numbers of a list', () => {
  check({
    'apoc.coll.sum([1, 2, 3])': '6.0',
    'apoc.coll.sum([])': 'null',
    'apoc.coll.sum(null)': 'null',
    'apoc.coll.sumLongs([1, 3, 3])': '7',
    'apoc.coll.sumLongs([1.9, 2])': '3',
    'apoc.coll.sumLongs([])': '0',
    'apoc.coll.avg([1.4, 3])': '2.2',
    'apoc.coll.avg([])': 'null',
    'apoc.coll.min([5, 2, null, 3])': '2',
    'apoc.coll.max([5, 9, 3])': '9',
    "apoc.coll.max(['b', 'c', 'a'])": "'c'",
    'apoc.coll.max([])': 'null',
  });
  checkFaults("apoc.coll.sum([1, 'a'])", 'apoc.coll.avg([1, null])');
});

test('sets', () => {
  check({
    'apoc.coll.toSet([1, 1, 2, 1])': '[1, 2]',
    'apoc.coll.toSet([])': '[]',
    'apoc.coll.toSet(null)': 'null',
    'apoc.coll.toSet([null, {a: 1}, null, {a: 1}, [1], [1]])': '[null, {a: 1}, [1]]',
    'apoc.coll.union([1, 2], [3, 2])': '[1, 2, 3]',
    'apoc.coll.union(null, [3, 3])': '[3, 3]',
    'apoc.coll.unionAll([1, 2], [3, 2])': '[1, 2, 3, 2]',
    'apoc.coll.unionAll([1], null)': '[1]',
    'apoc.coll.intersection([1, 2, 3, 3], [3, 3, 4])': '[3]',
    'apoc.coll.intersection(null, [1])': '[]',
    'apoc.coll.subtract([1, 1, 2, 3], [3, 4])': '[1, 2]',
    'apoc.coll.subtract(null, [3, 4])': 'null',
    'apoc.coll.removeAll([1, 1, 2, 3], [3, 4])': '[1, 1, 2]',
    'apoc.coll.removeAll([1], null)': '[1]',
    'apoc.coll.disjunction([1, 2, 3], [3, 4, 4])': '[1, 2, 4]',
    'apoc.coll.contains([1, 2], 2)': 'true',
    'apoc.coll.contains(null, 2)': 'false',
    'apoc.coll.containsAll([1, 2, 3], [3, 1])': 'true',
    'apoc.coll.containsAll([1, 2, 3], [3, 4])': 'false',
    'apoc.coll.containsAll([1], null)': 'false',
    'apoc.coll.isEqualCollection([1, 1, 2], [2, 1, 1])': 'true',
    'apoc.coll.isEqualCollection([1, 2, 2], [2, 1, 1])': 'false',
    'apoc.coll.isEqualCollection(null, null)': 'true',
    'apoc.coll.isEqualCollection(null, [])': 'false',
    'apoc.coll.different([1, 2, 3])': 'true',
    'apoc.coll.different([1, 1])': 'false',
    'apoc.coll.containsDuplicates([1, 3, 1])': 'true',
    'apoc.coll.containsDuplicates([1])': 'false',
    'apoc.coll.duplicates([1, 3, 1, 3, 3, 2])': '[1, 3]',
    'apoc.coll.duplicatesWithCount([1, 3, 1])': '[{item: 1, count: 2}]',
    'apoc.coll.frequencies([1, 3, 1])': '[{item: 1, count: 2}, {item: 3, count: 1}]',
    "apoc.coll.frequenciesAsMap(['a', 'b', 'a'])": '{a: 2, b: 1}',
    "apoc.coll.frequenciesAsMap([1, '1', 1, 2])": '{`1`: 3, `2`: 1}',
    'apoc.coll.occurrences([1, 3, 1], 1)': '2',
    'apoc.coll.dropDuplicateNeighbors([1, 1, 2, 2, 1])': '[1, 2, 1]',
  });
});

test('places in a list', () => {
  check({
    'apoc.coll.indexOf([1, 3, 5], 5)': '2',
    'apoc.coll.indexOf([1], 4)': '-1',
    'apoc.coll.indexOf(null, 4)': '-1',
    'apoc.coll.insert([1, 2], 1, 9)': '[1, 9, 2]',
    'apoc.coll.insert([1, 2], 2, 9)': '[1, 2, 9]',
    'apoc.coll.insert([1, 2], 3, 9)': '[1, 2]',
    'apoc.coll.insertAll([1, 2], 1, [8, 9])': '[1, 8, 9, 2]',
    'apoc.coll.insertAll([1, 2], -1, [8, 9])': '[1, 2]',
    'apoc.coll.set([1, 2], 1, 9)': '[1, 9]',
    'apoc.coll.set([1, 2], 2, 9)': '[1, 2]',
    'apoc.coll.remove([1, 2, 3, 4], 1)': '[1, 3, 4]',
    'apoc.coll.remove([1, 2, 3, 4], 1, 2)': '[1, 4]',
    'apoc.coll.remove([1, 2, 3, 4], 1, 9)': '[1]',
    'apoc.coll.remove([1, 2], 1, 0)': '[1, 2]',
    'apoc.coll.zip([1, 2, 3], [4, 5])': '[[1, 4], [2, 5], [3, null]]',
    'apoc.coll.zip([1], [])': '[]',
    'apoc.coll.pairs([1, 2, 3])': '[[1, 2], [2, 3], [3, null]]',
    'apoc.coll.pairsMin([1, 2, 3])': '[[1, 2], [2, 3]]',
    'apoc.coll.pairsMin([])': '[]',
    'apoc.coll.partition([1, 2, 3, 4, 5], 2)': '[[1, 2], [3, 4], [5]]',
    'apoc.coll.flatten([[1, 2], [3, [4]], 5])': '[1, 2, 3, [4], 5]',
    'apoc.coll.flatten([[1, [2, [3]]], []], true)': '[1, 2, 3]',
    'apoc.coll.flatten(null)': '[]',
    "apoc.coll.fill('abc', 2)": "['abc', 'abc']",
    'apoc.coll.combinations([1, 2, 3, 4], 2)': '[[1, 2], [1, 3], [2, 3], [1, 4], [2, 4], [3, 4]]',
    'apoc.coll.combinations([1, 2, 3], 1, 3)': '[[1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3]]',
    'apoc.coll.combinations([1, 2], 3)': '[]',
    'size(apoc.coll.combinations(range(1, 20), 10))': '184756',
  });
  checkFaults('apoc.coll.partition([1], 0)', "apoc.coll.fill('a', -1)", 'apoc.coll.combinations(range(1, 100), 50)');
});

test('order', () => {
  check({
    'apoc.coll.sort([3, 1, 2])': '[1, 2, 3]',
    'apoc.coll.sort(null)': '[]',
    "apoc.coll.sortMaps([{a: 1}, {b: 1}, {a: 2}], 'a')": '[{a: 2}, {a: 1}, {b: 1}]',
    "apoc.coll.sortMaps([{a: 3}, {b: 1}, {a: 2}], '^a')": '[{b: 1}, {a: 2}, {a: 3}]',
    "apoc.coll.sortMulti([{a: 1, b: 1}, {a: 1, b: 2}, {a: 0, b: 3}], ['^a', 'b'])": '[{a: 0, b: 3}, {a: 1, b: 2}, {a: 1, b: 1}]',
    "apoc.coll.sortMulti([{a: 1}, {a: 2}, {a: 3}], ['a'], 1, 1)": '[{a: 2}]',
    'apoc.coll.randomItem([7])': '7',
    'apoc.coll.randomItem([])': 'null',
    'apoc.coll.sort(apoc.coll.shuffle([3, 1, 2]))': '[1, 2, 3]',
    'apoc.coll.sort(apoc.coll.randomItems([3, 1, 2], 9))': '[1, 2, 3]',
    'apoc.coll.randomItems([4], 3, true)': '[4, 4, 4]',
  });
  checkFaults("apoc.coll.sortMaps([1], 'a')", "apoc.coll.sortMaps([{a: 1}], '')");
});

test('maps of lists', () => {
  check({
    "apoc.map.fromPairs([['a', 1], ['b', 2], ['a', 3], [null, 4], [1]])": '{a: 3, b: 2, `1`: null}',
    "apoc.map.fromLists(['a', 'b'], [1, 2])": '{a: 1, b: 2}',
    "apoc.map.fromValues(['a', 1, 'b', 2])": '{a: 1, b: 2}',
    'apoc.map.merge({a: 1, b: 1}, {b: 2})': '{a: 1, b: 2}',
    'apoc.map.merge(null, {b: 2})': '{b: 2}',
    'apoc.map.mergeList([{a: 1}, {b: 2}, {a: 3}])': '{a: 3, b: 2}',
    "apoc.map.setKey({a: 1}, 'b', 2)": '{a: 1, b: 2}',
    "apoc.map.setEntry({a: 1}, 'a', null)": '{a: null}',
    "apoc.map.setPairs({a: 1}, [['b', 2]])": '{a: 1, b: 2}',
    "apoc.map.setLists({a: 1}, ['b'], [2])": '{a: 1, b: 2}',
    "apoc.map.setValues({a: 1}, ['b', 2])": '{a: 1, b: 2}',
    "apoc.map.groupBy([{id: 1, a: 'x'}, {id: 2}, {id: 1, a: 'y'}, {b: 1}], 'id')": "{`1`: {id: 1, a: 'y'}, `2`: {id: 2}}",
    "apoc.map.groupByMulti([{id: 1}, {id: 1}, {id: 2}], 'id')": '{`1`: [{id: 1}, {id: 1}], `2`: [{id: 2}]}',
  });
  checkFaults("apoc.map.fromLists(['a'], [])", "apoc.map.fromValues(['a'])", 'apoc.map.fromPairs([1])');
});

test('NaN is the same as NaN, as in DISTINCT', () => {
  check({
    'apoc.coll.indexOf([1, 0.0 / 0.0], 0.0 / 0.0)': '1',
    'apoc.coll.occurrences([1, 0.0 / 0.0, 0.0 / 0.0], 0.0 / 0.0)': '2',
    'apoc.coll.contains([1, 0.0 / 0.0], 0.0 / 0.0)': 'true',
    'apoc.coll.contains([1, 2], 0.0 / 0.0)': 'false',
    'apoc.coll.indexOf([0.0], -0.0)': '0',
    'size(apoc.coll.dropDuplicateNeighbors([0.0 / 0.0, 0.0 / 0.0, 1]))': '2',
  });
});

test('parts of maps', () => {
  check({
    "apoc.map.get({a: 1}, 'a')": '1',
    "apoc.map.get({a: 1}, 'b', 2)": '2',
    "apoc.map.get({a: 1}, 'b', null, false)": 'null',
    "apoc.map.mget({a: 1, b: 2}, ['a', 'c'], [0, 7])": '[1, 7]',
    "apoc.map.submap({a: 1, b: 2}, ['a', 'c'], [0, 7])": '{a: 1, c: 7}',
    "apoc.map.submap({a: 1, b: 2}, ['a', 'c'], [], false)": '{a: 1, c: null}',
    "apoc.map.values({a: 1, b: 2}, ['b', 'c'])": '[2]',
    "apoc.map.values({a: 1, b: 2}, ['b', 'c'], true)": '[2, null]',
    'apoc.map.values({a: 1})': '[]',
    "apoc.map.removeKey({a: 1, b: 2}, 'a')": '{b: 2}',
    "apoc.map.removeKeys({a: 1, b: {a: 1, c: 2}, d: [{a: 1}, 3]}, ['a'], {recursive: true})": '{b: {c: 2}, d: [3]}',
    "apoc.map.removeKeys({a: 1, b: {a: 1}}, ['a'])": '{b: {a: 1}}',
    "apoc.map.clean({a: 1, b: null, c: '', d: 2, e: 3}, ['d'], ['', '3'])": '{a: 1}',
    'apoc.map.sortedProperties({b: 1, C: 2, a: 3})': "[['a', 3], ['b', 1], ['C', 2]]",
    'apoc.map.sortedProperties({b: 1, C: 2, a: 3}, false)': "[['C', 2], ['a', 3], ['b', 1]]",
    'apoc.map.flatten({a: 1, b: {c: 2, d: {e: 3}}})': '{a: 1, `b.c`: 2, `b.d.e`: 3}',
    "apoc.map.flatten({b: {c: 2}}, '/')": '{`b/c`: 2}',
    'apoc.map.unflatten({a: 1, `b.c`: 2, `b.d.e`: 3})': '{a: 1, b: {c: 2, d: {e: 3}}}',
  });
  checkFaults("apoc.map.get({a: 1}, 'b')", "apoc.map.submap({a: 1}, ['b'])", 'apoc.map.unflatten({a: 1, `a.b`: 2})');
});

/** Equality, equivalence, hash keys and the two orders, against each other and against the examples of the specification. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  CypherDateTime,
  CypherDuration,
  CypherTime,
  compare,
  compareStrings,
  equals,
  equivalent,
  hashKey,
  hashKeyOf,
  makeFloat,
  Node,
  NodeValue,
  order,
  Relationship,
  RelationshipValue,
  type Value,
} from './index.ts';
import { anyValue, float, integer, text } from './testing/arbitraries.ts';

/** As a JS Map compares keys. */
function sameKey(a: unknown, b: unknown): boolean {
  return new Set([a, b]).size === 1;
}

/** Pairs of which a good part are near each other. */
const pair = fc.oneof(
  fc.tuple(anyValue, anyValue),
  anyValue.map((value): [Value, Value] => [value, structuredCopy(value)]),
  fc.tuple(fc.oneof(integer, float), fc.oneof(integer, float)),
);

function structuredCopy(value: Value): Value {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (value instanceof Map) return new Map([...value].reverse().map(([key, each]) => [key, structuredCopy(each)]));
  return value;
}

test('order is 0 exactly for equivalent values, which are exactly those with one hash key', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const same = order(a, b) === 0;
      assert.equal(equivalent(a, b), same);
      assert.equal(sameKey(hashKey(a), hashKey(b)), same);
      assert.equal(sameKey(hashKeyOf([a, 1]), hashKeyOf([b, 1])), same);
    }),
    { numRuns: 3000 },
  );
});

test('order is antisymmetric and transitive', () => {
  fc.assert(
    fc.property(anyValue, anyValue, anyValue, (a, b, c) => {
      assert.equal(Math.sign(order(a, b)) + Math.sign(order(b, a)), 0);
      const [x, y, z] = [a, b, c].sort(order) as [Value, Value, Value];
      assert.ok(order(x, y) <= 0 && order(y, z) <= 0 && order(x, z) <= 0);
    }),
    { numRuns: 2000 },
  );
});

test('equal values are equivalent, and comparison agrees with order', () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      if (equals(a, b) === true) assert.ok(equivalent(a, b));
      const sign = compare(a, b);
      if (sign !== null && !Number.isNaN(sign) && !Array.isArray(a)) assert.equal(Math.sign(sign), Math.sign(order(a, b)));
    }),
    { numRuns: 2000 },
  );
});

test('numbers compare as mathematical values beyond 2^53', () => {
  const above = 2n ** 53n + 1n;
  assert.equal(equals(above, 2 ** 53), false);
  assert.equal(equals(2n ** 53n, 2 ** 53), true);
  assert.ok((compare(above, 2 ** 53) as number) > 0);
  assert.equal(equals(1, makeFloat(1)), true);
  assert.equal(equals(0, makeFloat(-0)), true);
  assert.equal(hashKey(2n ** 53n), hashKey(2 ** 53));
});

test('equality with null and NaN', () => {
  assert.equal(equals(null, null), null);
  assert.equal(equals(Number.NaN, Number.NaN), false);
  assert.equal(equals([1, null], [1, 2]), null);
  assert.equal(equals([1, null], [2, null]), false);
  assert.equal(equals([null], []), false);
  assert.equal(equals(new Map([['k', null]]), new Map([['k', 1]])), null);
  assert.equal(equals(new Map([['k', null]]), new Map()), false);
});

test('a NaN compares with numbers as false and with other types as null', () => {
  assert.ok(Number.isNaN(compare(Number.NaN, 1)));
  assert.equal(compare(Number.NaN, 'a'), null);
  assert.equal(compare(1, 'a'), null);
});

test('hash keys tell text from what looks like the key of something else', () => {
  const keys = [
    hashKey([]),
    hashKey('\u0001l0:'),
    hashKey('l0:'),
    hashKey('\u0001s\u0001l0:'),
    hashKey('1'),
    hashKey(1),
    hashKey(true),
    hashKey('true'),
    hashKey(null),
    hashKey('null'),
  ];
  assert.equal(new Set(keys).size, keys.length);
});

test('strings order by code point, as their UTF-8 bytes do', () => {
  fc.assert(
    fc.property(text, text, (a, b) => assert.equal(Math.sign(compareStrings(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)))),
    { numRuns: 1000 },
  );
  assert.ok(compareStrings('\uffff', '😀') < 0);
});

test('zoned values of one instant differ, and order by offset', () => {
  const utc = new CypherDateTime(0, 3600e9, 0, null);
  const east = new CypherDateTime(0, 7200e9, 3600, null);
  assert.equal(equals(utc, east), false);
  assert.ok(order(utc, east) < 0);
  assert.ok((compare(new CypherTime(0, 3600), new CypherTime(0, 0)) as number) < 0);
  assert.ok(order(new CypherDateTime(0, 0, 0, null), new CypherDateTime(5, 0, 0, null)) < 0);
});

test('durations have no comparison, but an order by mean length', () => {
  const month = new CypherDuration(1, 0, 0, 0);
  const days = new CypherDuration(0, 30, 0, 0);
  assert.equal(compare(month, days), null);
  assert.ok(order(month, days) > 0);
  assert.equal(equals(new CypherDuration(0, 1, 0, 0), new CypherDuration(0, 0, 86_400, 0)), false);
});

test('virtual nodes and relationships have an equality, a key and an order, beside those of the graph', () => {
  const node = (ordinal: number, label: string): Value => new Node(String(ordinal), ordinal, [label], new Map()) as unknown as Value;
  const relationship = (ordinal: number, type: string, target: number): Value =>
    new Relationship({
      ...{ id: String(ordinal), ordinal, type, sourceId: '1', targetId: String(target), sourceOrdinal: 1, targetOrdinal: target },
      properties: new Map(),
    }) as unknown as Value;
  const make = (): Value[] => [
    ...[node(-2, 'A'), node(-1, 'A'), node(-1, 'B'), new NodeValue(0)],
    ...[relationship(-2, 'R', 2), relationship(-1, 'R', 2), relationship(-1, 'S', 2), relationship(-1, 'R', 3)],
    new RelationshipValue(0, 0, 1, 2),
  ];
  const [ones, others] = [make(), make()];
  for (const [i, a] of ones.entries()) {
    for (const [j, b] of others.entries()) {
      assert.equal(equals(a, b), i === j);
      assert.equal(equivalent(a, b), i === j);
      assert.equal(hashKey(a) === hashKey(b), i === j);
      assert.equal(hashKeyOf([a, 1]) === hashKeyOf([b, 1]), i === j);
      assert.equal(order(a, b) === 0, i === j);
      assert.equal(Math.sign(order(a, b)) + Math.sign(order(b, a)), 0);
    }
  }
});

/** Types after `IS ::`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStorable, CypherDate, CypherDuration, isOfType, makeFloat, NodeValue, Point, type Value } from './index.ts';

test('the PROPERTY VALUEs are the values that a property can hold', () => {
  const type = { name: 'PROPERTY VALUE', notNull: false, element: null, alternatives: null };
  const scalars: Value[] = [
    true,
    'a',
    1,
    2n ** 62n,
    makeFloat(1),
    new CypherDate(0),
    new CypherDuration(1, 2, 3, 4),
    new Point(7203, 1, 2),
  ];
  const stored: Value[] = [...scalars, [], scalars, new Uint8Array(1), new Float32Array(1)];
  const lists: Value[] = [[[1]], [[]], [null], [1, null], [new Map()], [new Uint8Array(1)], [new Float32Array(1)], [new NodeValue(1)]];
  for (const value of stored) {
    assert.doesNotThrow(() => assertStorable(value));
    assert.equal(isOfType(value, type), true, String(value));
  }
  for (const value of [new Map(), new NodeValue(1), ...lists]) {
    assert.throws(() => assertStorable(value), { code: 'TYPE_ERROR' });
    assert.equal(isOfType(value, type), false, String(value));
  }
  assert.equal(isOfType(null, type), true);
});

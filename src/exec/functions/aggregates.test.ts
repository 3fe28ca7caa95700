import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type AggregateName, describedAggregates } from '../../functions/index.ts';
import { CypherDuration, CypherFloat, INT64_MAX, makeFloat, order, toNumber, type Value } from '../../value/index.ts';
import { type Accumulator, aggregates, countRows, distinctAccumulator } from './index.ts';

function accumulate(accumulator: Accumulator, values: readonly Value[], argument?: Value): Value {
  for (const value of values) accumulator.add(value, argument);
  accumulator.unsorted?.().sort(order);
  return accumulator.result();
}

function aggregate(name: AggregateName, values: readonly Value[], argument?: Value): Value {
  return accumulate(aggregates[name].create(), values, argument);
}

test('without values', () => {
  const expected: Readonly<Record<AggregateName, Value>> = {
    count: 0,
    sum: 0,
    avg: null,
    min: null,
    max: null,
    collect: [],
    stDev: new CypherFloat(0),
    stDevP: new CypherFloat(0),
    percentileCont: null,
    percentileDisc: null,
    'gds.graph.project': null,
  };
  for (const { name } of describedAggregates) {
    assert.deepEqual(aggregate(name, []), expected[name], name);
    assert.deepEqual(aggregate(name, [null, null], 0.5), expected[name], name);
  }
});

test('count ignores nulls, count(*) does not', () => {
  assert.equal(aggregate('count', [1, null, 'a']), 2);
  assert.equal(accumulate(countRows(), [1, null, 'a']), 3);
});

test('sums of Integers are exact in any order, and checked at the end', () => {
  assert.equal(aggregate('sum', [INT64_MAX, 1, -1]), INT64_MAX);
  assert.equal(aggregate('sum', [2n ** 53n, -1]), 2 ** 53 - 1);
  assert.throws(() => aggregate('sum', [INT64_MAX, 1]), { code: 'ARITHMETIC_ERROR' });
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -(2n ** 58n), max: 2n ** 58n }), { maxLength: 20 }), (values) => {
      const exact = values.reduce((total, value) => total + value, 0n);
      const sum = aggregate(
        'sum',
        values.map((value) => (BigInt.asIntN(54, value) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value)),
      );
      assert.equal(BigInt(sum as bigint), exact);
    }),
  );
});

test('a mean and a deviation inside the range of Floats are found though sums and squares leave it', () => {
  const largest = Number.MAX_VALUE;
  const infinity = Number.POSITIVE_INFINITY;
  for (const [name, values, expected] of [
    ['avg', [1e308, 1e308], 1e308],
    ['avg', [1e308, 1e308, 1e308, -1e308], 5e307],
    ['avg', [largest, largest, largest], largest],
    ['avg', [-largest, -largest], -largest],
    ['avg', [1e308, 1e308, 1], (1e308 / 3) * 2],
    ['avg', [1e308, infinity], infinity],
    ['avg', [infinity, -infinity], Number.NaN],
    ['avg', [INT64_MAX, INT64_MAX], 2 ** 63],
    ['avg', [INT64_MAX, 1e308, 1e308], (1e308 / 3) * 2],
    ['stDevP', [1e308, -1e308], 1e308],
    ['stDevP', [1e200, -1e200], 1e200],
    ['stDevP', [1e-200, -1e-200], 1e-200],
    ['stDevP', [3e154, 3e154], 0],
    ['stDev', [infinity, 1], Number.NaN],
    ['percentileCont', [largest, largest, largest], largest],
  ] as const) {
    const result = toNumber(aggregate(name, values, 0.3) as number);
    const isNear = Number.isFinite(expected) ? Math.abs(result - expected) <= Math.abs(expected) * 1e-15 : Object.is(result, expected);
    assert.ok(isNear, `${name}(${values.join(', ')}) is ${result}`);
  }
  const longest = new CypherDuration(0, 0, INT64_MAX, 0);
  assert.deepEqual(aggregate('avg', [longest, longest]), longest);
  assert.throws(() => aggregate('sum', [longest, longest]), { code: 'ARITHMETIC_ERROR' });
});

test('one Float makes the sum a Float', () => {
  assert.deepEqual(aggregate('sum', [1, makeFloat(2)]), new CypherFloat(3));
  assert.equal(aggregate('sum', [1, 0.5]), 1.5);
  assert.equal(aggregate('avg', [1, 2]), 1.5);
  assert.deepEqual(aggregate('avg', [2, 4]), new CypherFloat(3));
});

test('durations have sums and means', () => {
  const day = new CypherDuration(0, 1, 0, 0);
  assert.deepEqual(aggregate('sum', [day, day]), new CypherDuration(0, 2, 0, 0));
  assert.deepEqual(aggregate('avg', [day, new CypherDuration(0, 2, 0, 0)]), new CypherDuration(0, 1, 43_200, 0));
  assert.throws(() => aggregate('sum', [day, 1]), { code: 'TYPE_ERROR' });
  assert.throws(() => aggregate('sum', [1, day]), { code: 'TYPE_ERROR' });
  assert.throws(() => aggregate('sum', ['a']), { code: 'TYPE_ERROR' });
});

test('min and max go by the order of all types', () => {
  const values: Value[] = [1, 'a', null, [1, 2], 0.2, 'b'];
  assert.equal(aggregate('max', values), 1);
  assert.deepEqual(aggregate('min', values), [1, 2]);
});

test('DISTINCT hands on each value once', () => {
  const distinct = (name: AggregateName): Accumulator => distinctAccumulator(aggregates[name].create());
  assert.equal(accumulate(distinct('count'), [1, makeFloat(1), '1', null, null, Number.NaN, Number.NaN, [1], [makeFloat(1)]]), 4);
  assert.deepEqual(accumulate(distinct('collect'), [3, 1, 3]), [3, 1]);
});

test('standard deviations', () => {
  assert.deepEqual(aggregate('stDevP', [2, 4, 4, 4, 5, 5, 7, 9]), new CypherFloat(2));
  assert.deepEqual(aggregate('stDev', [5]), new CypherFloat(0));
  assert.equal(aggregate('stDev', [1, 2]), Math.SQRT1_2);
});

test('percentiles', () => {
  const values = [30, 10, 20];
  assert.deepEqual(
    [0, 0.5, 1].map((p) => aggregate('percentileCont', values, p)),
    [10, 20, 30].map(makeFloat),
  );
  assert.deepEqual(aggregate('percentileCont', [1, 2], 0.25), 1.25);
  assert.deepEqual(
    [0, 0.34, 0.5, 1].map((p) => aggregate('percentileDisc', values, p)),
    [10, 20, 20, 30],
  );
  for (const name of ['percentileCont', 'percentileDisc'] as const) {
    for (const p of [-1, 1.1, 1000, Number.NaN]) assert.throws(() => aggregate(name, values, p), { code: 'ARGUMENT_ERROR' });
    assert.throws(() => aggregate(name, ['a'], 0.5), { code: 'TYPE_ERROR' });
  }
});

/** Scalers of a column against their definitions, at the scale of ordinary numbers and at the end of the range of doubles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNumber, toNumber, type Value } from '../../value/index.ts';
import { TestWork } from '../testing/random-graphs.fixture.ts';
import { SCALERS, type Scaled, scaleColumn } from './scalers.ts';

const COLUMN = [1, -0.5, 0.25, Number.NaN, 0.75, -1];
/** A power of two, so that scaled numbers have the same digits. */
const LARGE = 2 ** 1022;

function scaled(values: readonly number[], type: (typeof SCALERS)[number]): Scaled {
  const pieces = scaleColumn(Float64Array.from(values), { type, offset: 0 }, new TestWork());
  for (let step = pieces.next(); ; step = pieces.next()) if (step.done === true) return step.value;
}

/** Returns the number in a list of one. */
function numberOf(fact: Value): number {
  return Array.isArray(fact) && isNumber(fact[0]!) ? toNumber(fact[0]) : Number.NaN;
}

test('norms divide by the length, and by the sum of absolute values', () => {
  const column = COLUMN.filter((value) => !Number.isNaN(value));
  const length = Math.hypot(...column);
  assert.deepEqual(
    Array.from(scaled(column, 'L2NORM').values, (value) => value.toFixed(12)),
    column.map((value) => (value / length).toFixed(12)),
  );
  assert.deepEqual(
    [...scaled(column, 'L1NORM').values],
    column.map((value) => value / 3.5),
  );
});

for (const type of SCALERS) {
  if (type === 'LOG') continue;
  test(`${type} gives the same of numbers beyond 1e154`, () => {
    const isRelative = type !== 'NONE' && type !== 'CENTER';
    const plain = scaled(COLUMN, type);
    const large = scaled(
      COLUMN.map((value) => value * LARGE),
      type,
    );
    assert.deepEqual(
      [...large.values],
      Array.from(plain.values, (value) => (isRelative ? value : value * LARGE)),
    );
    assert.deepEqual(
      Array.from(large.statistics, ([name, fact]) => [name, numberOf(fact)]),
      Array.from(plain.statistics, ([name, fact]) => [name, numberOf(fact) * LARGE]),
    );
  });
}

test('a column whose range is beyond the largest number is scaled to 0 … 1', () => {
  assert.deepEqual([...scaled([-Number.MAX_VALUE, 0, Number.MAX_VALUE], 'MINMAX').values], [0, 0.5, 1]);
});

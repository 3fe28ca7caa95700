/** Comparisons of vectors whose squares are beyond the range of doubles, against those of the same vectors in range. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isInRange, scaledCosine, scaledDistance, scaledDot, scaledLength } from './scaled-comparison.ts';

const component = fc.double({ min: -8, max: 8, noNaN: true }).map((each) => (Math.abs(each) < 1e-3 ? 0 : each));
const vectors = fc.array(fc.tuple(component, component), { minLength: 1, maxLength: 9 });

function near(found: number, expected: number): void {
  assert.ok(Math.abs(found - expected) <= 1e-12, `${found} is not ${expected}`);
}

for (const factor of [1, 1e200, 1e300, 1e-200, 1e-300]) {
  test(`vectors times ${factor} have the length and distance times that, and the same cosine`, () => {
    fc.assert(
      fc.property(vectors, (pairs) => {
        const [a, b] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
        const by = (vector: readonly number[]): number[] => vector.map((each) => each * factor);
        near(scaledLength(by(a)) / factor, Math.hypot(...a));
        near(scaledDistance(by(a), by(b)) / factor, Math.hypot(...a.map((each, i) => each - b[i]!)));
        const cosine = scaledCosine(by(a), b);
        const expected = scaledCosine(a, b);
        if (expected === null) assert.equal(cosine, null);
        else assert.ok(Math.abs(cosine! - expected) < 1e-9);
      }),
    );
  });
}

test('zero, infinite and missing components', () => {
  assert.equal(scaledCosine([0, 0], [1, 0]), null);
  assert.equal(scaledLength([0, 0]), 0);
  assert.equal(scaledLength([1, Number.NEGATIVE_INFINITY]), Number.POSITIVE_INFINITY);
  assert.ok(Number.isNaN(scaledLength([Number.NaN, 1])));
  assert.ok(Number.isNaN(scaledCosine([1, Number.POSITIVE_INFINITY], [1, 0])));
  assert.equal(scaledDistance([1e308], [-1e308]), Number.POSITIVE_INFINITY);
});

test('a dot product that goes beyond the range on its way only', () => {
  assert.equal(scaledDot([1e200, 1e200], [1e200, -1e200]), 0);
  assert.equal(scaledDot([1e308, 1e308, -1e308], [1, 1, 1]), 1e308);
  assert.equal(scaledDot([1e200], [1e200]), Number.POSITIVE_INFINITY);
  assert.equal(scaledDot([Number.POSITIVE_INFINITY], [2]), Number.POSITIVE_INFINITY);
});

test('squares in range are those whose product is as well', () => {
  assert.deepEqual([0, 1e-200, 1e-90, 1, 1e80, 1e200, Number.POSITIVE_INFINITY, Number.NaN].map(isInRange), [
    false,
    false,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

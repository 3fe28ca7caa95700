/**
 * Whatever point satisfies a condition lies in the cover of its area: near the poles, the date line and antipodes, on edges, whatever is
 * rounded.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { makeFloat } from '../numbers.ts';
import { point } from '../testing/arbitraries.ts';
import type { Value } from '../values.ts';
import { type AreaCover, coverOfBox, coverOfCircle } from './cover.ts';
import { pointDistance, withinBox } from './distance.ts';
import { Point } from './point.ts';

function holds(cover: AreaCover | null, { srid, x, y }: Point): boolean {
  return cover?.srid === srid && cover.boxes.some(({ minX, minY, maxX, maxY }) => x >= minX && x <= maxX && y >= minY && y <= maxY);
}

/** Points of one system, many of them close to each other. */
const near = fc.constantFrom(0, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1, 30, 179, 360);
const together = fc
  .tuple(point, point, near, near, fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }))
  .map(([a, other, dx, dy, u, v]): readonly [Point, Point] => {
    if (a.srid === other.srid && dx === 0) return [a, other];
    const geographic = a.system.geographic;
    const y = geographic ? Math.min(90, Math.max(-90, a.y + v * dy)) : a.y + v * dy;
    return [a, new Point(a.srid, a.x + u * dx, y, a.z === null ? null : a.z + u * v * dx * 100)];
  });

test('the cover of a circle has every point of it, its edge included', () => {
  fc.assert(
    fc.property(together, fc.double({ min: 0, max: 3, noNaN: true }), ([a, b], factor) => {
      const distance = pointDistance(a, b) as number;
      assert.ok(holds(coverOfCircle(a, makeFloat(distance)), b), `${b} lies ${distance} from ${a}`);
      if (factor >= 1) assert.ok(holds(coverOfCircle(a, makeFloat(distance * factor)), b));
    }),
    { numRuns: 20_000 },
  );
});

test('the cover of a box has every point of it', () => {
  fc.assert(
    fc.property(together, together, ([a, b], [c]) => {
      for (const [p, low, high] of [
        [a, b, c],
        [b, a, a],
        [a, a, b],
        [a, b, a],
      ] as const) {
        if (withinBox(p, low, high) === true) assert.ok(holds(coverOfBox(low, high), p), `${p} between ${low} and ${high}`);
      }
    }),
    { numRuns: 20_000 },
  );
});

test('no point satisfies what has no cover', () => {
  const centre = new Point(4326, 1, 2);
  const nothing: readonly Value[] = [null, 'a', true, makeFloat(-1), -5, Number.NaN, -Infinity, [1]];
  for (const radius of nothing) assert.equal(coverOfCircle(centre, radius), null);
  for (const other of [null, 1, 'a', [centre], new Point(7203, 1, 2)]) {
    assert.equal(coverOfBox(centre, other), null);
    assert.equal(coverOfBox(other, centre), null);
  }
  assert.equal(coverOfCircle(1, 1), null);
  assert.equal(coverOfBox(new Point(7203, 1, 0), new Point(7203, 0, 1)), null);
  assert.equal(coverOfBox(new Point(4326, 1, 5), new Point(4326, 3, 4)), null);
});

test('covers are small: a kilometre is a box of about two kilometres, in two parts on the date line', () => {
  const [box] = coverOfCircle(new Point(4326, 12.5, 55), 1000)!.boxes;
  assert.ok(box!.maxY - box!.minY < 0.0181 && box!.maxX - box!.minX < 0.0315, JSON.stringify(box));
  assert.equal(coverOfCircle(new Point(4326, 180, 0), 1000)!.boxes.length, 2);
  assert.equal(coverOfCircle(new Point(4326, -179.999, 0), 1000)!.boxes.length, 2);
  assert.deepEqual(coverOfCircle(new Point(4326, 0, 0), 1e9)!.boxes, [
    { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity },
  ]);
  const pole = coverOfCircle(new Point(4326, 0, 89.999), 1000)!.boxes;
  assert.ok(pole.length === 1 && pole[0]!.minX === -Infinity && pole[0]!.minY > 89.98);
});

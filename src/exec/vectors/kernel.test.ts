/** The kernel against loops; and that it makes no difference where a vector lies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Components, compare, compareStored, forgetQuery, type Kernel } from './kernel.ts';

function byHand(kernel: Kernel, a: Components, b: Components): number | null {
  let [dot, own, other, distance] = [0, 0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]!, b[i]!];
    dot += x * y;
    own += x * x;
    other += y * y;
    distance += (x - y) ** 2;
  }
  if (kernel === 'dot') return dot;
  if (kernel === 'square') return distance;
  if (kernel === 'distance') return Math.sqrt(distance);
  const lengths = Math.sqrt(own * other);
  return lengths === 0 ? null : Math.max(-1, Math.min(1, dot / lengths));
}

const component = fc.float({ min: -1000, max: 1000, noNaN: true });
const pair = fc
  .integer({ min: 0, max: 70 })
  .chain((length) => fc.tuple(...[1, 2].map(() => fc.array(component, { minLength: length, maxLength: length }))));

test('figures are those of a loop', () => {
  fc.assert(
    fc.property(pair, fc.constantFrom<Kernel>('dot', 'cosine', 'distance', 'square'), ([a, b], kernel) => {
      const [found, expected] = [compare(kernel, a!, b!), byHand(kernel, a!, b!)];
      if (expected === null) return assert.equal(found, null);
      const scale = a!.reduce((sum, x, i) => sum + Math.abs(x * b![i]!) + x * x + b![i]! ** 2, 1);
      assert.ok(Math.abs(found! - expected) <= 1e-12 * scale, `${found} is not ${expected}`);
    }),
  );
});

test('a stored vector, a vector and a list give the same to the last bit, in either order', () => {
  const heap = new Uint8Array(new SharedArrayBuffer(4 * 400));
  fc.assert(
    fc.property(
      pair,
      fc.integer({ min: 0, max: 300 }),
      fc.constantFrom<Kernel>('dot', 'cosine', 'distance', 'square'),
      ([a, b], at, kernel) => {
        const stored = Float32Array.from(a!);
        heap.fill(0xff);
        heap.set(new Uint8Array(stored.buffer), at);
        forgetQuery();
        const found = compareStored(kernel, heap, { from: at, to: at + 4 * stored.length }, b!);
        assert.equal(found, compareStored(kernel, heap, { from: at, to: at + 4 * stored.length }, b!));
        for (const left of [stored, a!]) {
          assert.equal(compare(kernel, left, b!), found);
          assert.equal(compare(kernel, b!, left), found);
        }
      },
    ),
  );
});

test('a query that was changed meanwhile is read again', () => {
  const query = [1, 0];
  const heap = new Uint8Array(Float32Array.of(2, 3).buffer);
  forgetQuery();
  assert.equal(compareStored('dot', heap, { from: 0, to: 8 }, query), 2);
  query[1] = 1;
  forgetQuery();
  assert.equal(compareStored('dot', heap, { from: 0, to: 8 }, query), 5);
});

test('vectors longer than the memory of a page', () => {
  const long = Array.from({ length: 100_000 }, (_, i) => i % 7);
  assert.equal(compare('dot', long, long), byHand('dot', long, long));
  assert.equal(compare('distance', long, new Float32Array(100_000)), byHand('distance', long, new Float32Array(100_000)));
});

test('components whose squares are beyond the range of doubles', () => {
  const heap = new Uint8Array(Float32Array.of(3, 4).buffer);
  for (const factor of [1e-300, 1e-170, 1e76, 1e78, 1e160, 1e300]) {
    const list = [4 * factor, 3 * factor];
    forgetQuery();
    const stored = (kernel: Kernel): number => compareStored(kernel, heap, { from: 0, to: 8 }, list)!;
    for (const cosine of [stored('cosine'), compare('cosine', [3, 4], list)!, compare('cosine', list, [3 / factor, 4 / factor])!])
      assert.ok(Math.abs(cosine - 0.96) < 1e-12, `${cosine} for ${factor}`);
    const distance = compare('distance', list, [0, 0])! / factor;
    assert.ok(Math.abs(distance - 5) < 1e-12, `${distance} for ${factor}`);
    assert.equal(stored('distance'), compare('distance', [3, 4], list));
  }
  assert.equal(compare('dot', [1e200, 1e200], [1e200, -1e200]), 0);
  assert.equal(compare('cosine', [0, 0], [1e200, 0]), null);
});

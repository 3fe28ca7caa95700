import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortRows } from './sort-rows.ts';

type Row = readonly [key: number, place: number];

/** Each time that much work was done, it is time for others. */
class Patience {
  worst = 0;
  private readonly limit: number;
  private done = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  worked(steps: number): boolean {
    this.done += steps;
    this.worst = Math.max(this.worst, steps);
    if (this.done < this.limit) return false;
    this.done = 0;
    return true;
  }
}

const byKey = (a: Row, b: Row): number => a[0] - b[0];
const COUNT = 50_000;

const KEYS: Record<string, (i: number) => number> = {
  mixed: (i) => Math.imul(i, 0x9e3779b1) >>> 0,
  'few values': (i) => (Math.imul(i, 0x9e3779b1) >>> 0) % 7,
  ascending: (i) => i,
  descending: (i) => -i,
  equal: () => 1,
  'sorted in parts': (i) => i % 12_345,
  'all but the last': (i) => (i === COUNT - 1 ? -1 : i),
};

for (const [name, key] of Object.entries(KEYS)) {
  test(`the order is that of a stable sort: ${name}`, () => {
    for (const count of [0, 1, 2, 8191, 8192, 8193, 16_384, 24_577, COUNT]) {
      const rows: Row[] = Array.from({ length: count }, (_, i) => [key(i), i]);
      const expected = rows.toSorted(byKey);
      for (const _ of sortRows(rows, byKey, { limits: new Patience(1), bytes: 0 }));
      assert.ok(
        rows.every((row, i) => row === expected[i]),
        `${count} rows`,
      );
    }
  });
}

test('many rows are sorted in many turns, few in one', () => {
  const turns = (count: number): number => {
    const rows: Row[] = Array.from({ length: count }, (_, i) => [KEYS['mixed']!(i), i]);
    return [...sortRows(rows, byKey, { limits: new Patience(100_000), bytes: 0 })].length;
  };
  assert.equal(turns(4096), 0);
  const [some, more] = [turns(50_000), turns(500_000)];
  assert.ok(some >= 7 && more >= 12 * some, `${some} and ${more} turns`);
});

test('an error of the comparison ends the sort', () => {
  const rows: Row[] = Array.from({ length: COUNT }, (_, i) => [-i, i]);
  let left = 500_000;
  const failing = (a: Row, b: Row): number => {
    if (--left === 0) throw new Error('enough');
    return byKey(a, b) || a[1] - b[1];
  };
  const mixed = rows.map(([, i]): Row => [KEYS['mixed']!(i), i]);
  assert.throws(() => [...sortRows(mixed, failing, { limits: new Patience(1), bytes: 0 })], /enough/);
});

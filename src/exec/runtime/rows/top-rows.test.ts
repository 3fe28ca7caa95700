import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Limits } from '../limits.ts';
import { TopRows } from './top-rows.ts';

const limitsOf = (): Limits => new Limits({ deadline: Number.POSITIVE_INFINITY, signal: null }, 0);

const compare = (a: readonly unknown[], b: readonly unknown[]): number => (a[0] as number) - (b[0] as number);
const free = { charge: () => undefined, chargeBytes: () => undefined, bytesBeside: () => 0, limits: { count: () => undefined } };

test('top rows are the first of a stable sort, few or many, whether or not those beyond the bound are offered', () => {
  const limits = fc.oneof(fc.nat(12), fc.integer({ min: 60, max: 80 }));
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 200 }), limits, fc.boolean(), (keys, limit, all) => {
      const top = new TopRows(limit, compare, true);
      const rows = keys.map((key, i) => [key, i]);
      for (const row of rows) if (all || !top.full || row[0]! <= (top.bound as number)) top.offer(row, free);
      top.finishAtOnce(limitsOf());
      assert.deepEqual(top.sorted(), rows.toSorted(compare).slice(0, limit));
    }),
  );
});

test('the memory of top rows is that of those which are kept', () => {
  for (const limit of [3, 70]) {
    let bytes = 0;
    let charged = 0;
    const memory = {
      charge: (rows: number) => void (charged += rows),
      chargeBytes: (more: number) => void (bytes += more),
      bytesBeside: (value: unknown) => (typeof value === 'string' ? value.length : 0),
      limits: { count: () => undefined },
    };
    const top = new TopRows(limit, compare, false);
    for (let key = 100; key > 0; key--) top.offer([key, 'x'.repeat(100 + key)], memory);
    top.finishAtOnce(limitsOf());
    assert.equal(charged, limit);
    assert.equal(
      bytes,
      top.sorted().reduce((sum, row) => sum + (row[1] as string).length, 0),
    );
  }
});

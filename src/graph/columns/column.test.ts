import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Value } from '../../value/index.ts';
import { Column } from './column.ts';
import { usesHeap } from './column-kind.ts';
import { Dictionary } from './dictionary.ts';

const ROW = fc.integer({ min: 0, max: 60 });

/** Texts that no dictionary takes, and few values that make the column one of any kind of value. */
const VALUES: fc.Arbitrary<Value> = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 100, max: 160 }).map((length) => 'é'.repeat(length)) },
  { weight: 1, arbitrary: fc.integer() },
);

const STEPS = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.record({ step: fc.constant('set' as const), row: ROW, value: VALUES }) },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('clear' as const), row: ROW }) },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('snapshot' as const), row: ROW }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('truncate' as const), row: ROW }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('undo' as const), row: ROW }) },
  ),
  { maxLength: 120 },
);

test('rows that are written in any order are read as written, and a snapshot has the offsets of all rows', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const column = new Column('string', new Dictionary());
      let values: Value[] = [];
      for (const { step, row, ...rest } of steps) {
        if (step === 'set' && 'value' in rest && column.canReplace(row)) {
          if (!column.fits(rest.value)) column.widenFor(rest.value);
          column.set(row, rest.value);
          values[row] = rest.value;
        } else if (step === 'clear') {
          column.clear(row);
          if (row < values.length) values[row] = null;
        } else if (step === 'truncate') {
          column.truncate(row);
          values = values.slice(0, row);
        } else if (step === 'undo') {
          const form = column.form();
          column.widenFor(1);
          column.restore(form);
        } else if (step === 'snapshot') {
          const rowCount = Math.max(row, column.length);
          const snapshot = column.snapshot(rowCount);
          for (let i = 0; i < rowCount; i++) assert.deepEqual(snapshot.get(i), values[i] ?? null);
          if (!usesHeap(snapshot.kind)) continue;
          for (let i = 0; i < rowCount; i++) assert.ok(Number(snapshot.values[i]) <= Number(snapshot.values[i + 1]), `offset ${i}`);
          assert.equal(snapshot.values[rowCount] ?? 0, column.heapLength);
        }
        for (let i = 0; i <= 60; i++) assert.deepEqual(column.get(i), values[i] ?? null, `row ${i} behind ${step}`);
      }
    }),
    { numRuns: 400 },
  );
});

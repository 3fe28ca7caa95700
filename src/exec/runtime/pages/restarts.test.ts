import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageFaults } from '../../../graph/index.ts';
import type { MemoryAccount } from '../rows/memory-account.ts';
import { Restarts } from './restarts.ts';

test('a row that misses a page while it skips rows puts none of them into the sink again', () => {
  const faults = { any: false, beginRow: () => undefined, runAhead: () => undefined };
  // as: `Restarts` uses no more of either.
  const restarts = new Restarts(faults as unknown as PageFaults, { used: 0 } as MemoryAccount);
  const sink: number[] = [];
  /** Runs a source row of four rows for the sink, which misses a page before the row `missing`. */
  const run = (missing: number): void => {
    faults.any = false;
    const around = restarts.enter();
    restarts.begin(0);
    for (let row = 0; row < 4; row++) {
      if (row === missing) faults.any = true;
      if (!restarts.skips() && restarts.takes()) sink.push(row);
    }
    restarts.leave(around);
  };
  for (const missing of [2, 1, 3, 0, -1]) run(missing);
  assert.deepEqual(sink, [0, 1, 2, 3]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphStore } from '../../graph/index.ts';
import { Execution, FIRST_STEPS } from './execution.ts';

const NO_TIME = { epochSecond: 0, nano: 0 };

function begun(): Execution {
  return new Execution({
    view: new GraphStore().snapshot(),
    transaction: null,
    parameters: new Map(),
    deadline: Number.POSITIVE_INFINITY,
    signal: null,
    memoryBytes: 1,
    statementTime: NO_TIME,
    transactionTime: NO_TIME,
  });
}

function passMs(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a statement whose steps take long looks up after fewer of them, and the work that it did is the same', () => {
  const execution = begun();
  assert.equal(execution.quantum, FIRST_STEPS);
  let steps = 0;
  for (let look = 0; look < 2; look++) {
    const before = execution.quantum;
    steps += before;
    passMs(4);
    execution.tick();
    assert.ok(execution.quantum <= before / 4, `${execution.quantum} steps after ${before}`);
  }
  assert.equal(execution.ticks, steps / 65_536);
});

/**
 * A short run of `npm run sim`, always of the same seeds; that a seed says what happens; and that the mistakes of
 * `--planted` can still be planted.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadWorkers } from '../../src/engine/index.ts';
import { assertPlantable } from '../support/planted.ts';
import { MISTAKES } from './planted.ts';
import { simulate } from './simulate.ts';

test('rival engines over a failing bucket lose nothing; the same seed gives the same trace, another one another', async () => {
  const totals = { answered: 0, observations: 0, faults: 0, crashes: 0 };
  const traces: string[] = [];
  for (let seed = 1; seed <= 11; seed++) {
    const report = await simulate(seed);
    traces.push(report.trace);
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += report[name];
  }
  for (const [name, total] of Object.entries(totals)) assert.ok(total > 10, `hardly anything happened: ${total} ${name}`);
  assert.equal((await simulate(11)).trace, traces.at(-1));
  assert.equal(new Set(traces).size, traces.length);
});

test('nor where all that reads runs in a thread of its own', async () => {
  const workers = new ReadWorkers({ count: 1, firstSliceMs: 0 });
  try {
    const { observations } = await simulate(13, workers);
    assert.ok(workers.reads > observations, `${workers.reads} reads`);
  } finally {
    await workers.close();
  }
});

test('every planted mistake fits the sources', () => assertPlantable(MISTAKES));

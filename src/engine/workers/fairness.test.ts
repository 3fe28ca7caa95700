/** Engines that share threads have them in rotation: many statements of one do not keep those of another waiting for all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../value/index.ts';
import { type Engine, openEngine } from '../index.ts';
import { ReadWorkers } from './read-workers.ts';

const NONE: ReadonlyMap<string, Value> = new Map();
/** Work of many slices, however fast the machine. */
const LONG = 'UNWIND range(1, 20000000) AS i WITH i WHERE i % 7 = 3 RETURN count(*)';
const HEAVY = 8;

/** How many of the heavy engine's statements, all alike and begun before it, end before one of the light engine's that is as long. */
async function endedBefore(heavy: Engine, light: Engine): Promise<number> {
  let ended = 0;
  const all = Array.from({ length: HEAVY }, async () => {
    await heavy.execute(LONG, NONE);
    ended++;
  });
  await light.execute(LONG, NONE);
  const before = ended;
  await Promise.all(all);
  return before;
}

test('in a thread for reads', { timeout: 120_000 }, async () => {
  const workers = new ReadWorkers({ count: 1, firstSliceMs: 0 });
  const open = (name: string): Promise<Engine> => openEngine(`memory://${name}`, {}, { workers });
  const [heavy, light] = await Promise.all([open('fair-heavy'), open('fair-light')]);
  await heavy.execute(LONG, NONE);
  assert.equal(await endedBefore(heavy, light), 0);
  await Promise.all([heavy.close(), light.close()]);
  await workers.close();
});

test('on the main thread', { timeout: 120_000 }, async () => {
  const open = (name: string): Promise<Engine> => openEngine(`memory://${name}`, { readWorkers: 0 });
  const [heavy, light] = await Promise.all([open('fair-heavy-2'), open('fair-light-2')]);
  await heavy.execute(LONG, NONE);
  assert.equal(await endedBefore(heavy, light), 0);
  await Promise.all([heavy.close(), light.close()]);
});

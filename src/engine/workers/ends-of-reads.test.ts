/** Reads that end otherwise than by their last row: in a thread they end as they do on the main thread. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../index.ts';
import { ReadWorkers } from './read-workers.ts';

const none = new Map();

test('a value that is nested too deeply to be given is refused as on the main thread', async () => {
  const workers = new ReadWorkers({ count: 1, firstSliceMs: 0 });
  const engine = await openEngine('memory://ends-of-reads-deep', {}, { workers });
  const alone = await openEngine('memory://ends-of-reads-alone', { readWorkers: 0 });
  const deep = 'UNWIND [1, 2] AS x RETURN reduce(l = [], i IN range(1, 20000) | [l]) AS l';
  await assert.rejects(alone.execute(deep, none), { code: 'UNSUPPORTED' });
  await assert.rejects(engine.execute(deep, none), { code: 'UNSUPPORTED' });
  assert.equal(workers.endedThreads, 0);
  await engine.close();
  await alone.close();
  await workers.close();
});

test('threads that are closed refuse reads that come later, and none starts again', async () => {
  const workers = new ReadWorkers({ count: 2, firstSliceMs: 0 });
  workers.startSoon();
  const engine = await openEngine('memory://ends-of-reads-closed', {}, { workers });
  await engine.execute('UNWIND range(1, 100) AS i CREATE (:P {i: i})', none);
  await workers.close();
  const before = threadsOfProcess();
  const sum = 'MATCH (p:P) RETURN sum(p.i) AS s';
  await assert.rejects(engine.execute(sum, none), { code: 'SHUTTING_DOWN' });
  await assert.rejects(engine.execute('MATCH (p:P) RETURN p.i AS i', none), { code: 'SHUTTING_DOWN' });
  assert.equal(threadsOfProcess(), before);
  await engine.close();
});

/** Returns the number of worker threads of this process. */
function threadsOfProcess(): number {
  return (process.report.getReport() as unknown as { readonly workers: readonly unknown[] }).workers.length; // as: typed as an object
}

/** S5: transactions that hold the writer while others wait for it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { GraphDBError, nextTurn } from '../../base/index.ts';
import type { Engine } from '../api.ts';
import { openEngine } from '../open.ts';
import { WriterHold } from './writer-hold.ts';

const NONE = new Map();
let databases = 0;

async function opened(context: TestContext): Promise<Engine> {
  const engine = await openEngine(`memory://writer-hold-${databases++}`, { flushIntervalMs: 0 });
  context.after(() => engine.close());
  return engine;
}

const tooLong = (error: unknown): boolean =>
  error instanceof GraphDBError && error.code === 'QUERY_TIMEOUT' && /kept others/.test(error.message);

test('a client that always runs something lets the writer go when another waits, and its changes are gone', async (context) => {
  const engine = await opened(context);
  const holder = await engine.begin({ mode: 'write', maxHoldMs: 100 });
  await holder.execute('CREATE (:Held)', NONE);
  const other = engine.execute('CREATE (:Other)', NONE);
  const busy = async (): Promise<never> => {
    for (;;) {
      await holder.execute('UNWIND range(1, 100) AS x CREATE (:Held)', NONE);
      await nextTurn();
    }
  };
  await assert.rejects(busy(), tooLong);
  await other;
  await assert.rejects(holder.execute('RETURN 1', NONE), tooLong);
  await assert.rejects(holder.commit(), tooLong);
  await holder.rollback();
  assert.deepEqual((await engine.execute('MATCH (n) RETURN labels(n) AS l', NONE)).rows, [[['Other']]]);
});

test('one long statement of a transaction is stopped too, and rows that are not read do not end as if they were all', async (context) => {
  const engine = await opened(context);
  const long = await engine.begin({ mode: 'write', maxHoldMs: 50 });
  const waiting = engine.execute('CREATE (:Other)', NONE);
  await assert.rejects(long.execute('UNWIND range(1, 1000000000) AS x RETURN sum(x)', NONE), tooLong);
  await waiting;
  const reading = await engine.begin({ mode: 'write', maxHoldMs: 50 });
  const { batches } = await reading.stream('UNWIND range(1, 100000) AS x RETURN x', NONE);
  const rows = batches[Symbol.asyncIterator]();
  await rows.next();
  await engine.execute('CREATE (:Other)', NONE);
  await assert.rejects(async () => rows.next(), tooLong);
});

test('a transaction goes on beyond its limit while nobody waits, and who waits gets the turn by rollback or commit', async (context) => {
  const engine = await opened(context);
  const holder = await engine.begin({ mode: 'write', maxHoldMs: 20 });
  const start = performance.now();
  while (performance.now() - start < 60) {
    await holder.execute('CREATE (:Held)', NONE);
    await nextTurn();
  }
  await holder.commit();
  const next = await engine.begin({ mode: 'write', maxHoldMs: 60_000 });
  const other = engine.execute('CREATE (:Other)', NONE);
  await next.commit();
  await other;
  assert.deepEqual((await engine.execute('MATCH (n:Other) RETURN count(n)', NONE)).rows, [[1]]);
});

test('a hold ends at three quarters of its limit, but not before others have waited for half of it', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  context.mock.method(performance, 'now', () => nowMs);
  let expired = 0;
  const pass = (ms: number): void => {
    nowMs += ms;
    context.mock.timers.tick(ms);
  };
  const early = new WriterHold(100, () => expired++);
  early.setContended(true);
  pass(74);
  assert.equal(expired, 0);
  pass(1);
  assert.equal(expired, 1);
  const late = new WriterHold(100, () => expired++);
  pass(500);
  assert.equal(expired, 1, 'nobody waits');
  late.setContended(true);
  pass(30);
  late.setContended(false);
  pass(500);
  late.setContended(true);
  pass(19);
  assert.equal(expired, 1);
  pass(1);
  assert.equal(expired, 2, 'others have waited for half of the limit in all');
  const ended = new WriterHold(100, () => expired++);
  ended.setContended(true);
  ended.end();
  pass(500);
  assert.equal(expired, 2);
});

/** An answer is durable, also where it only repeats what another statement wrote. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scheduleByTimer, systemClock } from '../../base/index.ts';
import { withFaults } from '../../object-store/index.ts';
import type { Value } from '../../value/index.ts';
import { openEngine } from '../index.ts';

test('a MERGE that finds a node is answered only when the statement that made it is durable', async () => {
  const gate = Promise.withResolvers<void>();
  let holding = false;
  const engine = await openEngine(
    'memory://committer-test',
    {},
    {
      decorateStore: (store) =>
        withFaults(store, {
          random: () => 0,
          onRequest: async ({ operation, key }) => {
            if (holding && operation === 'putIfAbsent' && key.startsWith('wal/')) await gate.promise;
            return null;
          },
        }),
    },
  );
  holding = true;
  const answered: string[] = [];
  const merge = (who: string): Promise<unknown> => engine.execute('MERGE (n:N {k: 1})', new Map()).then(() => answered.push(who));
  const statements = [merge('the one that makes it'), merge('the one that finds it')];
  await sleep(20);
  assert.deepEqual(answered, []);
  gate.resolve();
  await Promise.all(statements);
  assert.deepEqual(answered, ['the one that makes it', 'the one that finds it']);
  await engine.close();
});

test('writers that wait for their turn share one put', async () => {
  const puts: string[] = [];
  const engine = await openEngine(
    'memory://shared-put',
    {},
    {
      decorateStore: (store) =>
        withFaults(store, {
          random: () => 0,
          onRequest: async ({ operation, key }) => {
            if (operation === 'putIfAbsent') puts.push(key);
            return null;
          },
        }),
    },
  );
  await engine.execute('CREATE (:N)', new Map());
  puts.length = 0;
  for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 100 }, () => engine.execute('CREATE (:N)', new Map())));
  assert.equal(puts.length, 3);
  assert.deepEqual((await engine.execute('MATCH (n:N) RETURN count(n)', new Map())).rows, [[301]]);
  await engine.close();
});

test('beyond a thousand writers that wait, one more is OVERLOADED, and those that wait are served', async () => {
  const engine = await openEngine('memory://overload-test');
  const holder = await engine.begin({ mode: 'write' });
  const waiting = Array.from({ length: 1_000 }, () => engine.execute('CREATE (:N)', new Map()));
  await assert.rejects(engine.execute('CREATE (:N)', new Map()), { code: 'OVERLOADED' });
  assert.equal((await engine.execute('RETURN 1 AS x', new Map())).rows.length, 1);
  await holder.rollback();
  await Promise.all(waiting);
  assert.deepEqual((await engine.execute('MATCH (n:N) RETURN count(n) AS n', new Map())).rows, [[1_000]]);
  await engine.close();
});

test('a statement in batches that waits for a flush between two of them can be cancelled, and leaves the lock free', async () => {
  const gate = Promise.withResolvers<void>();
  const waits = Promise.withResolvers<void>();
  let holding = false;
  const engine = await openEngine(
    'memory://cancelled-batches',
    { flushIntervalMs: 0, flushBytes: 1_000_000, stallBytes: 100_000 },
    {
      decorateStore: (store) =>
        withFaults(store, {
          random: () => 0,
          onRequest: async ({ operation, key }) => {
            if (!holding || operation !== 'putIfAbsent' || key.startsWith('wal/')) return null;
            waits.resolve();
            await gate.promise;
            return null;
          },
        }),
    },
  );
  holding = true;
  const stop = new AbortController();
  const query = 'UNWIND range(1, 1000) AS i CALL (i) { CREATE (:N {text: $text}) } IN TRANSACTIONS OF 1 ROW';
  const running = engine.execute(query, new Map([['text', 'x'.repeat(10_000)]]), { signal: stop.signal });
  running.catch(() => {});
  await waits.promise;
  stop.abort();
  await assert.rejects(running, { code: 'CANCELLED' });
  gate.resolve();
  holding = false;
  await engine.execute('CREATE (:M)', new Map());
  assert.deepEqual((await engine.execute('MATCH (m:M) RETURN count(m)', new Map())).rows, [[1]]);
  await engine.close();
});

test('a transaction whose changes cannot be written down is rolled back, and the next one is stored', async () => {
  const engine = await openEngine('memory://unwritable-changes', { flushIntervalMs: 0, changeRetentionMs: 3_600_000 });
  const metadata = new Map([['x', Symbol('in no log') as unknown as Value]]);
  const author = { user: 'u', connectionType: 'bolt', clientAddress: null, requestId: 'r', metadata };
  await assert.rejects(engine.execute('CREATE (:N)', new Map(), { author }), { code: 'INTERNAL', message: /no binary form/ });
  await engine.execute('CREATE (:N)', new Map());
  assert.deepEqual((await engine.execute('MATCH (n:N) RETURN count(n)', new Map())).rows, [[1]]);
  await engine.close();
});

test('closing ends though the store refuses everything: what is not settled fails, with its outcome unknown', async () => {
  let isDown = false;
  const engine = await openEngine(
    'memory://closed-while-down',
    { flushIntervalMs: 0 },
    {
      clock: { now: () => systemClock.now(), sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) },
      schedule: (delayMs, work) => scheduleByTimer(delayMs / 100, work),
      decorateStore: (store) => withFaults(store, { random: () => 0, onRequest: () => (isDown ? 'refused' : null) }),
    },
  );
  await engine.execute('CREATE (:N)', new Map());
  isDown = true;
  const writing = assert.rejects(engine.execute('CREATE (:N)', new Map()), { code: 'STORE_UNAVAILABLE', outcomeUnknown: true });
  const flushing = assert.rejects(engine.flush(), { code: 'STORE_UNAVAILABLE' });
  await sleep(20);
  await engine.close();
  await Promise.all([writing, flushing]);
});

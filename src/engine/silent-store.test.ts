/** Statements whose data does not come from the store end within their limits, and hold nobody up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intercept } from '../object-store/index.ts';
import { openEngine } from './open.ts';

const STATEMENTS = ['MATCH (n:N) RETURN count(n.v)', 'MATCH (n:N {v: 5}) RETURN n', 'MATCH (n:N) SET n.w = 1'];
const OPTIONS = { flushIntervalMs: 0, readWorkers: 0 };

for (const text of STATEMENTS) {
  test(`${text}: a limit and an abort end it while the store is silent; once it answers the statement does`, async () => {
    const uri = `memory://silent-${STATEMENTS.indexOf(text)}`;
    const first = await openEngine(uri, OPTIONS);
    await first.execute('UNWIND range(1, 100) AS i CREATE (:N {v: i})', new Map());
    await first.flush();
    await first.close();
    const answers = Promise.withResolvers<void>();
    const engine = await openEngine(uri, OPTIONS, {
      decorateStore: (store) =>
        intercept(store, async ({ key }, proceed) => {
          if (key.startsWith('data/')) await answers.promise;
          return proceed();
        }),
    });
    await assert.rejects(engine.execute(text, new Map(), { timeoutMs: 20 }), { code: 'QUERY_TIMEOUT' });
    await assert.rejects(engine.execute(text, new Map(), { signal: AbortSignal.timeout(20) }), { code: 'CANCELLED' });
    const streamed = async (): Promise<void> => {
      for await (const _ of (await engine.stream(text, new Map(), { timeoutMs: 20 })).batches);
    };
    await assert.rejects(streamed(), { code: 'QUERY_TIMEOUT' });
    await engine.execute('CREATE (:Other)', new Map());
    answers.resolve();
    await engine.execute(text, new Map());
    const { rows } = await engine.execute('MATCH (n:N) RETURN count(n.v), count(n.w)', new Map());
    assert.deepEqual(rows, [[100, text.includes('SET') ? 100 : 0]]);
    await engine.close();
  });
}

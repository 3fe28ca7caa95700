/**
 * A scenario of threads of reads when statements hang them or fill their heaps. Run with planted-loops.ts preloaded,
 * which workers inherit; ends with status 0 when all held.
 */
import assert from 'node:assert/strict';
import { type Engine, openEngine, ReadWorkers } from '../../src/engine/index.ts';
import type { Value } from '../../src/value/index.ts';

const none: ReadonlyMap<string, Value> = new Map();
const HANG = 'MATCH (t:Text {is: $is}) RETURN toUpper(t.text) AS text';
/** So long that the others are under way, and of little memory. */
const SLOW = 'MATCH (t:Text) WITH count(toUpper(t.is)) AS n UNWIND range(1, 3000000) AS i RETURN count(i % n) AS c';
const MANY = 'MATCH (t:Text {is: "none"}) UNWIND range(1, 100000) AS i RETURN toUpper(t.text) AS text, i';
/** Milliseconds after the limit within which a statement is answered; a machine that others use may take some more. */
const IN_TIME_MS = 250 + 500;

const workers = new ReadWorkers({ count: 1, heapMiB: 128 });
const engine: Engine = await openEngine('memory://isolation', { flushIntervalMs: 0 }, { workers });
const texts: Value = [
  ['loop', 'endless loop'],
  ['allocation', 'endless allocation'],
  ['none', 'text'],
];
await engine.execute('UNWIND $texts AS t CREATE (:Text {is: t[0], text: t[1]})', new Map([['texts', texts]]));

const hang = (is: string, options: { timeoutMs?: number; signal?: AbortSignal }) => engine.execute(HANG, new Map([['is', is]]), options);

async function answersAgain(): Promise<void> {
  assert.deepEqual((await hang('none', {})).rows, [['TEXT']]);
}

async function isAnsweredIn(ms: number, promise: Promise<unknown>, code: string): Promise<void> {
  const start = performance.now();
  await assert.rejects(promise, { code });
  const tookMs = performance.now() - start;
  assert.ok(tookMs < ms + IN_TIME_MS, `${code} after ${tookMs} ms`);
}

const scenarios: Record<string, () => Promise<void>> = {
  async 'a loop ends with its limit, and what ran beside it is run again'() {
    const slow = engine.execute(SLOW, none);
    const before = workers.endedThreads;
    await isAnsweredIn(300, hang('loop', { timeoutMs: 300 }), 'QUERY_TIMEOUT');
    assert.deepEqual((await slow).rows, [[3_000_000]]);
    assert.equal(workers.endedThreads, before + 1);
  },
  async 'a loop ends when it is cancelled'() {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    await isAnsweredIn(100, hang('loop', { signal: abort.signal }), 'CANCELLED');
  },
  async 'rows that a client has are not told twice'() {
    const { batches } = await engine.stream(MANY, none);
    const iterator = batches[Symbol.asyncIterator]();
    assert.equal((await iterator.next()).done, false);
    const rest = (async () => {
      await isAnsweredIn(200, hang('loop', { timeoutMs: 200 }), 'QUERY_TIMEOUT');
      while ((await iterator.next()).done !== true);
    })();
    await assert.rejects(rest, { code: 'OVERLOADED', retriable: true });
  },
  async 'a full heap ends a thread, and one statement'() {
    const slow = engine.execute(SLOW, none);
    await assert.rejects(hang('allocation', { timeoutMs: 60_000 }), { code: 'MEMORY_LIMIT' });
    assert.deepEqual((await slow).rows, [[3_000_000]]);
  },
};

await answersAgain();
for (const [name, scenario] of Object.entries(scenarios)) {
  await scenario();
  await answersAgain();
  console.log(`held: ${name}`);
}
await engine.close();
await workers.close();

/**
 * Statements in worker threads: where they run, and that limits, errors and streams are the same there. That answers
 * are the same is held by the differential tests and the TCK.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { Point, toNumber, type Value } from '../../value/index.ts';
import type { Engine } from '../index.ts';
import { openEngine } from '../open.ts';
import { ReadWorkers } from './read-workers.ts';

const none: ReadonlyMap<string, Value> = new Map();
const LONG = 'MATCH (a:P), (b:P), (c:P), (d:P), (e:P), (f:P) RETURN count(a.i + b.i + c.i + d.i + e.i + f.i) AS c';

const workers = new ReadWorkers({ count: 2, firstSliceMs: 0 });
after(() => workers.close());

let opened = 0;
async function withPersons(count: number, from: ReadWorkers | number = workers): Promise<Engine> {
  const readWorkers = typeof from === 'number' ? from : 0;
  const parts = typeof from === 'number' ? {} : { workers: from };
  const engine = await openEngine(`memory://read-workers-${opened++}`, { readWorkers, flushIntervalMs: 0 }, parts);
  await engine.execute('UNWIND range(1, $count) AS i CREATE (:P {i: i, name: "p" + toString(i % 7)})', new Map([['count', count]]));
  return engine;
}

test('a worker reads what the main thread has written, and what it writes then', async () => {
  const engine = await withPersons(10);
  const before = workers.reads;
  assert.deepEqual((await engine.execute('MATCH (p:P) RETURN sum(p.i)', none)).rows, [[55]]);
  await engine.execute('MATCH (p:P {i: 10}) SET p.i = 20 CREATE (p)-[:K]->(:Q {name: "new"})', none);
  assert.deepEqual((await engine.execute('MATCH (p)-[:K]->(q:Q) RETURN p.i, q.name', none)).rows, [[20, 'new']]);
  await engine.execute('MATCH (p:P {i: 1}) DELETE p', none);
  assert.deepEqual((await engine.execute('MATCH (p:P) RETURN sum(p.i)', none)).rows, [[64]]);
  assert.equal(workers.reads, before + 3);
  await engine.close();
});

test('M3: a read transaction keeps to its snapshot while others go on', async () => {
  const engine = await withPersons(5);
  const count = 'MATCH (p:P) RETURN count(p.i)';
  const transaction = await engine.begin({ mode: 'read' });
  for (let i = 1; i <= 3; i++) {
    await engine.execute('CREATE (:P {i: 0})', none);
    assert.deepEqual((await engine.execute(count, none)).rows, [[5 + i]]);
    assert.deepEqual((await transaction.execute(count, none)).rows, [[5]]);
  }
  await transaction.commit();
  await engine.execute('CREATE (:P {i: 0})', none);
  // The tables are shared for the first time since that commit, while they hold rows of an open transaction.
  const open = await engine.begin({ mode: 'write' });
  await open.execute('CREATE (:P {i: 0}) WITH 1 AS one MATCH (p:P {i: 1}) SET p.i = null', none);
  assert.deepEqual((await engine.execute(count, none)).rows, [[9]]);
  await open.rollback();
  await engine.close();
});

test('a short statement stays on the main thread, a long one goes to a worker', async () => {
  const own = new ReadWorkers({ count: 1 });
  const engine = await withPersons(200, own);
  await engine.execute('MATCH (p:P {i: 7}) RETURN p.name', none);
  assert.equal(own.reads, 0);
  const long = 'MATCH (a:P), (b:P), (c:P) WHERE (a.i + b.i + c.i) % 1000 = 1 RETURN count(*) AS c';
  const { rows } = await engine.execute(long, none);
  assert.equal(own.reads, 1);
  assert.deepEqual((await engine.execute(long, none)).rows, rows);
  assert.equal(own.reads, 2);
  await engine.close();
  await own.close();
});

test('what is split between threads has the answer of one', async () => {
  const queries = [
    'MATCH (p:P) WHERE p.i % 3 = 1 RETURN count(p) AS c',
    'MATCH (p:P) RETURN count(*) AS c',
    'MATCH (p) RETURN count(p.none) AS none, sum(p.none) AS nothing, min(p.i) AS low, max(p.name) AS high, sum(p.i) AS sum',
    'MATCH (p:P) WHERE p.i > 4000 RETURN sum(p.half) AS half, sum(duration({days: p.i})) AS days, min(p.half) AS low, max(p.half) AS high',
    'MATCH (p:P) WHERE p.i < 0 RETURN count(p.i) AS c, sum(p.i) AS s, min(p.i) AS m',
    'MATCH (p:P) RETURN p.name AS name, count(*) AS c, sum(p.i) AS s ORDER BY s DESC LIMIT 3',
    'MATCH (p:P)-[k:K]->(q) WITH q, count(k) AS c, min(p.i) AS low WHERE c > 1 RETURN q.i AS i, labels(q) AS labels, c, low ORDER BY i',
    'MATCH (p:P) WITH p.i % 10 AS d, max(p.i) AS m RETURN DISTINCT d, m ORDER BY d SKIP 2 LIMIT 4',
    'MATCH (p:P) WHERE EXISTS { (p)-[:K]->() } UNWIND [1, 2] AS x RETURN x, sum(p.i * x) AS s ORDER BY x',
    'MATCH (p:P)-[:K*1..2]->(q:Q) RETURN q AS q, count(*) AS c ORDER BY q.i',
    'MATCH (p:P) RETURN p.i % 2 = 0 AS even, min(CASE WHEN p.i > 4990 THEN p.i END) AS low, sum(0.0) AS zero ORDER BY even',
    'MATCH (a:P)-[:N]->(b:P)-[:N]->(c:P)-[:N]->(a) RETURN count(*) AS c',
    'MATCH (a:P)-[:N]->(b:P)-[:N]->(c:P)-[:N]->(d:P)-[:N]->(a) RETURN count(*) + 1 AS c',
    'MATCH (p:P) RETURN avg(p.i) AS i, avg(p.half) AS half, avg(p.none) AS none, count(p.half) AS c, ' +
      'toString(avg(duration({days: p.i}))) AS days',
    'MATCH (p:P) WHERE p.name CONTAINS "p3" AND p.i >= 100 RETURN p.i % 3 AS r, avg(p.i) AS mean, count(*) AS c ORDER BY mean DESC LIMIT 2',
    'MATCH (p:P) RETURN p.i AS i, p AS p ORDER BY p.i % 100 DESC, i SKIP 3 LIMIT 7',
    'MATCH (p:P) WITH p, p.i * 2 AS twice ORDER BY p.name DESC, twice LIMIT 5 WHERE twice > 2 RETURN p.i AS i, twice, labels(p) ' +
      'AS labels ORDER BY i',
    'MATCH (p:P)-[k:K]->(q) RETURN k AS k, q.i AS q ORDER BY p.i DESC LIMIT 4',
    'MATCH (p:P) WHERE p.i < 0 RETURN avg(p.i) AS mean',
  ];
  const engine = await withPersons(5000);
  const before = workers.splits;
  await engine.execute('UNWIND range(1, 10) AS i CREATE (:Q {i: i})', none);
  await engine.execute('MATCH (p:P) SET p.half = p.i * 0.5 WITH p MATCH (q:Q {i: p.i % 20}) CREATE (p)-[:K]->(q)', none);
  await engine.execute('UNWIND [1, 2, 4997] AS step MATCH (p:P) MATCH (q:P {i: (p.i + step) % 5000 + 1}) CREATE (p)-[:N]->(q)', none);
  for (const query of queries) {
    workers.firstSliceMs = 60_000;
    const { rows } = await engine.execute(query, none);
    workers.firstSliceMs = 0;
    assert.deepEqual((await engine.execute(query, none)).rows, rows, query);
  }
  assert(workers.splits - before >= queries.length, `only ${workers.splits - before} were split`);
  await engine.close();
});

test('what gives many rows in its parts for little work is not split again', async () => {
  const engine = await withPersons(50_000);
  const [few, many] = [
    'MATCH (p:P) RETURN p.name AS key, count(*) AS c ORDER BY key',
    'MATCH (p:P) RETURN p.i AS key, count(*) AS c ORDER BY key',
  ];
  for (const [query, splits] of [
    [few, 2],
    [many, 1],
  ] as const) {
    const before = workers.splits;
    const { rows } = await engine.execute(query, none);
    assert.deepEqual((await engine.execute(query, none)).rows, rows);
    assert.equal(workers.splits - before, splits, query);
  }
  await engine.close();
});

test('limits hold in a worker', async () => {
  const engine = await withPersons(100);
  await assert.rejects(engine.execute(LONG, none, { timeoutMs: 30 }), { code: 'QUERY_TIMEOUT' });
  const abort = new AbortController();
  const running = engine.execute(LONG, none, { signal: abort.signal });
  setTimeout(() => abort.abort(), 20);
  await assert.rejects(running, { code: 'CANCELLED' });
  await assert.rejects(engine.execute(LONG, none, { signal: AbortSignal.abort() }), { code: 'CANCELLED' });
  const pairs = 'MATCH (a:P), (b:P) RETURN a.i, b.i';
  await assert.rejects(engine.execute(pairs, none, { memoryBytes: 100_000 }), { code: 'MEMORY_LIMIT' });
  await assert.rejects(engine.execute(`${pairs} ORDER BY a.i + b.i`, none, { memoryBytes: 100_000 }), { code: 'MEMORY_LIMIT' });
  assert.equal((await engine.execute(pairs, none)).rows.length, 10_000);
  await engine.close();
});

test('an error in a worker is the same error', async () => {
  const engine = await withPersons(3);
  await assert.rejects(engine.execute('MATCH (p:P) RETURN 1 / (p.i - 2)', none), { name: 'GraphDBError', code: 'ARITHMETIC_ERROR' });
  const tck = { type: 'TypeError', phase: 'runtime', detail: 'InvalidArgumentValue' };
  await assert.rejects(engine.execute('MATCH (p:P) RETURN toInteger([p.i])', none), { code: 'TYPE_ERROR', tck });
  await engine.close();
});

test('a stream that is read slowly holds the worker back, and one that is left stops it', async () => {
  const engine = await withPersons(300);
  const { batches, columns, summary } = await engine.stream('MATCH (a:P), (b:P) RETURN a.i AS a, b AS b', none);
  assert.deepEqual(columns, ['a', 'b']);
  let rows = 0;
  for await (const batch of batches) {
    rows += batch.length;
    if (rows < 10_000) await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(rows, 90_000);
  assert.equal(summary().rows, 90_000);
  const endless = await engine.stream('MATCH (a:P), (b:P), (c:P), (d:P), (e:P) RETURN a.i + b.i + c.i + d.i + e.i AS x', none);
  for await (const batch of endless.batches) {
    assert.equal(batch.length, 1024);
    break;
  }
  await engine.close();
});

test('a statement that fills the heap of a thread fails, and the thread goes on', async () => {
  const small = new ReadWorkers({ count: 1, firstSliceMs: 0, heapMiB: 64 });
  const engine = await withPersons(100, small);
  const greedy = 'UNWIND range(1, 100000000) AS i WITH collect(toString(i) + "abcdefghijklmnop") AS all RETURN size(all)';
  await assert.rejects(engine.execute(greedy, none, { memoryBytes: 2 ** 40 }), { code: 'MEMORY_LIMIT' });
  assert.deepEqual((await engine.execute('MATCH (p:P) RETURN count(p.i)', none)).rows, [[100]]);
  await engine.close();
  await small.close();
});

test('closing ends what runs', async () => {
  const engine = await withPersons(100, 1);
  const running = engine.execute(LONG, none);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all([assert.rejects(running, { code: 'SHUTTING_DOWN' }), engine.close()]);
});

test('a mean of Floats is their mean though sums of them, or of parts of them, leave the range of Floats', async () => {
  const engine = await withPersons(0);
  await engine.execute(
    "UNWIND range(1, 9000) AS i CREATE (:F {v: 1e308, g: i % 3, n: 'n' + (i % 3), w: CASE WHEN i % 2 = 0 THEN 1e305 ELSE 2 END, " +
      's: i * 0.5})',
    none,
  );
  const means = async (query: string): Promise<number[]> =>
    (await engine.execute(query, none)).rows.map((row) => toNumber(row.at(-1) as number));
  const before = workers.splits;
  const queries = [
    'MATCH (f:F) RETURN avg(f.v) AS v',
    'MATCH (f:F) RETURN f.g AS g, avg(f.v) AS v',
    'MATCH (f:F) RETURN f.n AS n, count(*) AS c, avg(f.v) AS v',
    'MATCH (f:F) RETURN f.g + 0.5 AS g, avg(f.v) AS v',
    'MATCH (f:F) RETURN avg(CASE WHEN f.g >= 0 THEN f.v END) AS v',
  ];
  for (const firstSliceMs of [60_000, 0]) {
    workers.firstSliceMs = firstSliceMs;
    for (const query of queries) for (const mean of await means(query)) assert.ok(Math.abs(mean / 1e308 - 1) < 1e-11, `${query}: ${mean}`);
    // Each part has a sum in range, and all of them together have not.
    const [mixed] = await means('MATCH (f:F) RETURN avg(f.w) AS v');
    assert.ok(Math.abs(mixed! / 5e304 - 1) < 1e-11, `${mixed}`);
    assert.deepEqual(await means('MATCH (f:F) RETURN avg(f.s) AS v'), [2250.25]);
  }
  assert.equal(workers.splits - before, queries.length + 2);
  await engine.close();
});

test('a sum of parts is judged as a whole: parts of it may lie outside 64 bits', async () => {
  const engine = await withPersons(0);
  const large = 2n ** 62n;
  // Far more rows than a thread takes at a time, the large ones first: some part has too many of them.
  const create =
    'UNWIND range(1, 8192) AS i CREATE (:S {v: CASE WHEN i <= 4096 THEN $large ELSE -$large END, d: duration({seconds: CASE ' +
    'WHEN i <= 4096 THEN $large ELSE -$large END})})';
  await engine.execute(create, new Map([['large', large]]));
  const before = workers.splits;
  for (const [query, expected] of [
    ['MATCH (s:S) RETURN sum(s.v) AS v', 0],
    ['MATCH (s:S) RETURN toString(sum(s.d)) AS v', 'PT0S'],
  ] as const)
    assert.deepEqual((await engine.execute(query, none)).rows, [[expected]], query);
  assert.equal(workers.splits, before + 2);
  await assert.rejects(engine.execute('MATCH (s:S) WHERE s.v > 0 RETURN sum(s.v) AS v', none), { code: 'ARITHMETIC_ERROR' });
  const mean = await engine.execute('MATCH (s:S) WHERE s.v > 0 RETURN avg(s.v) AS v', none);
  assert.equal(toNumber(mean.rows[0]![0] as number), 2 ** 62);
  await engine.execute('MATCH (s:S) WITH s LIMIT 1 SET s.v = "text"', none);
  await assert.rejects(engine.execute('MATCH (s:S) RETURN avg(s.v) AS v', none), { code: 'TYPE_ERROR', message: /avg\(\)/ });
  await engine.close();
});

test('points go to workers and come back, and a worker has a point index of its own', async () => {
  const engine = await openEngine(`memory://read-workers-${opened++}`, { flushIntervalMs: 0 }, { workers });
  await engine.execute('CREATE POINT INDEX FOR (p:Place) ON (p.at)', none);
  await engine.execute('UNWIND range(1, 3000) AS i CREATE (:Place {i: i, at: point({x: i % 50, y: i / 50, z: -0.0})})', none);
  const at = new Point(9157, 10, 20, 1);
  const near = 'MATCH (p:Place) WHERE point.distance(p.at, $at) <= $reach RETURN p.i AS i ORDER BY i';
  const parameters = new Map<string, Value>([
    ['at', at],
    ['reach', 1.5],
  ]);
  const before = workers.reads;
  assert.deepEqual((await engine.execute(near, parameters)).rows, [[960], [1009], [1010], [1011], [1060]]);
  await engine.execute('MATCH (p:Place {i: 1010}) SET p.at = null', none);
  await engine.execute('MATCH (p:Place {i: 1}) SET p.at = $at', parameters);
  await engine.execute('MATCH (p:Place {i: 960}) DELETE p', none);
  assert.deepEqual((await engine.execute(near, parameters)).rows, [[1], [1009], [1011], [1060]]);
  const { rows } = await engine.execute('MATCH (p:Place) WHERE p.at = $at RETURN p.at, [p.at, $at]', parameters);
  assert.deepEqual(rows, [[at, [at, at]]]);
  assert.ok(rows[0]![0] instanceof Point);
  assert.equal(workers.reads, before + 3);
  await engine.close();
});

test('behind a thread that has ended statements go to one that is ready, not to the one that starts in its place', async () => {
  const two = new ReadWorkers({ count: 2, firstSliceMs: 0 });
  const engine = await withPersons(5, two);
  const threads = two['threads'];
  await Promise.all(threads.map((thread) => once(thread.started().worker, 'message')));
  assert.deepEqual(
    threads.map(({ load }) => load),
    [0, 0],
  );
  const { worker } = threads[0]!.started();
  // What `died` does when the main thread ends it.
  threads[0]!['died'](worker, 'overdue', new Error('planted'));
  assert.deepEqual(
    threads.map(({ load }) => load),
    [0.5, 0],
  );
  assert.equal(two['leastLoaded'](), threads[1]);
  assert.deepEqual((await engine.execute('MATCH (p:P) RETURN sum(p.i)', none)).rows, [[15]]);
  await engine.close();
  await two.close();
});

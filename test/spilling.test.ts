/**
 * Statements that need more than their memory: they give the rows that they would give with more of it, in the same
 * order, and leave no files, however they end.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type Engine, type EngineOptions, openEngine } from '../src/engine/index.ts';
import type { ResultValue, Value } from '../src/value/index.ts';
import { mountSmallDisk } from './crash/full-disk.ts';

const none: ReadonlyMap<string, Value> = new Map();
const folder = mkdtempSync(join(tmpdir(), 'spilling-'));
const MEMORY = 2 ** 20;
const engines: Engine[] = [];
let engine: Engine;
let inWorkers: Engine;
/** Reads are split between threads where they can be. */
let inAllWorkers: Engine;
/** Has no directory for temporary files. */
let withoutFiles: Engine;

async function open(directory: string, options: EngineOptions = {}): Promise<Engine> {
  const opened = await openEngine('memory://spilling', { cacheDirectory: directory, readOnly: engines.length > 0, ...options });
  engines.push(opened);
  return opened;
}

before(async () => {
  engine = await open(folder);
  await engine.execute('UNWIND range(1, 20000) AS i CREATE (:N {i: i, k: (i * 7919) % 20011, t: "text " + i % 5003, f: i / 7.0})', none);
  await engine.execute('MATCH (n:N), (m:N {i: n.k % 20000 + 1}) WHERE n.i % 4 = 0 CREATE (n)-[:R {w: n.i % 11}]->(m)', none);
  await engine.flush();
  inWorkers = await open(folder, { readWorkers: 1 });
  inAllWorkers = await open(folder, { readWorkers: 2 });
  withoutFiles = await open(join(folder, 'missing'));
});

after(async () => {
  for (const each of engines) await each.close();
  rmSync(folder, { recursive: true });
});

async function streamed(on: Engine, query: string, memoryBytes?: number): Promise<ResultValue[][]> {
  const stream = await on.stream(query, none, memoryBytes === undefined ? {} : { memoryBytes });
  const rows: ResultValue[][] = [];
  for await (const batch of stream.batches) rows.push(...batch);
  return rows;
}

/** Files of this process in the directory that have no name any more, or one. */
function filesIn(directory: string): number {
  const unnamed = readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(`${directory}/`);
    } catch {
      return false;
    }
  });
  return unnamed.length + readdirSync(directory).filter((name) => name.startsWith('graphdb-spill-')).length;
}

/** Needs more than its memory; the text that follows takes rows of `i`. */
const SORTED = 'MATCH (n:N) WITH n, n.k AS k, n.t AS t ORDER BY k';

const STATEMENTS: Readonly<Record<string, string>> = {
  'ORDER BY, of nodes and values': `${SORTED} RETURN n, k, t`,
  'ORDER BY of texts, descending, ties by arrival': 'MATCH (n:N) RETURN n.t AS t, n.i AS i ORDER BY t DESC',
  'ORDER BY of lists, maps and paths':
    'MATCH p = (n:N)-[r:R]->(m) WITH p, r, {w: r.w, m: m} AS x, [n.f, n.t] AS l ORDER BY l RETURN p, x, l, r',
  'ORDER BY with a large LIMIT': 'MATCH (n:N) RETURN n.t AS t, n.i AS i ORDER BY t, i DESC SKIP 3 LIMIT 15000',
  'groups that do not grow': 'MATCH (n:N) RETURN n.f AS f, count(*) AS c, sum(n.f) AS s, avg(n.i) AS a, min(n.t) AS l, max(n) AS m',
  'groups of several parts, and of nodes': 'MATCH (n:N) WITH n, n.t AS t, count(n.k) AS c, stDev(n.f) AS d RETURN n, t, c, d',
  'groups that grow, with those that come late':
    'MATCH (n:N) RETURN n.t AS t, collect(n.f) AS l, collect({n: n}) AS x, percentileCont(n.k, 0.3) AS p, count(*) AS c',
  'one group of many different values':
    'MATCH (n:N) RETURN count(DISTINCT n.f) AS c, sum(DISTINCT n.f) AS s, count(DISTINCT n.t + n.i) AS t, max(DISTINCT n.t) AS m',
  'groups of different values': 'MATCH (n:N) RETURN n.i % 2 = 0 AS even, count(DISTINCT n.f) AS c, avg(DISTINCT n.f) AS s, count(*) AS all',
  'groups of different values that grow':
    'MATCH (n:N) RETURN n.t + (n.i % 7) AS t, collect(DISTINCT n.k % 3) AS l, percentileDisc(DISTINCT n.k % 5, 0.5) AS p',
  DISTINCT: 'MATCH (n:N) RETURN DISTINCT n.t + (n.i % 7) AS t, n.i % 3 AS i',
  'DISTINCT of single values': 'MATCH (n:N) RETURN DISTINCT n.t + (n.i % 7) AS t',
  UNION:
    'MATCH (n:N) RETURN n.t + (n.i % 7) AS x UNION MATCH (n:N) WHERE n.i > 9000 RETURN n.f AS x UNION MATCH (n:N) RETURN n.t + ' +
    '(n.k % 7) AS x',
  'a join by values, with rows that no key joins':
    'MATCH (a:N), (b:N) WHERE a.t = b.t AND b.i > 7000 WITH a.i AS i, b, a.t AS t RETURN i, b, t ORDER BY i, b.i',
  'a join by two values': 'MATCH (a:N), (b:N) WHERE a.k = b.i AND a.t <> b.t AND b.f = a.k / 7.0 WITH a, b.i AS i RETURN a, i ORDER BY i',
  'a join with one value on both sides':
    'MATCH (a:N), (b:N) WHERE a.i % 100 = b.i % 100 AND a.i < 200 WITH a.i AS a, b.i AS b RETURN a, b ORDER BY a, b',
  'UNION ALL': 'MATCH (n:N) RETURN n.i AS i, n.t AS t UNION ALL MATCH (n:N) RETURN n.k AS i, n.t AS t',
  'a product': 'MATCH (n:N {i: 1}), (m:N) WITH n, m, m.t + m.i AS x UNWIND [1, 2] AS y RETURN n.i, m.i, x, y ORDER BY x',
};

for (const [name, query] of Object.entries(STATEMENTS)) {
  test(`${name}: the rows and their order are those of a statement with more memory`, async () => {
    await assert.rejects(
      streamed(withoutFiles, query, MEMORY),
      { code: 'MEMORY_LIMIT', message: /cannot be written to temporary files in .*missing/ },
      'it needs more memory',
    );
    const expected = await streamed(engine, query);
    assert.deepEqual(await streamed(engine, query, MEMORY), expected);
    assert.deepEqual(await streamed(engine, query, MEMORY), expected, 'known to need files');
    assert.deepEqual(await streamed(inWorkers, query, MEMORY), expected, 'in a worker');
    assert.deepEqual(await streamed(inAllWorkers, query, MEMORY), expected, 'with several workers');
    assert.equal(filesIn(folder), 0);
  });
}

test('a statement that writes sorts in files before it changes anything', async () => {
  const transaction = await engine.begin({ mode: 'write' });
  const { rows, writeOutcome } = await transaction.execute(
    `${SORTED} WITH collect(n.i)[0..3] AS first, count(*) AS all CREATE (x:New {first: first}) RETURN first, all`,
    none,
    { memoryBytes: MEMORY },
  );
  assert.deepEqual(rows, [[[1031, 2062, 3093], 20000]]);
  assert.equal(writeOutcome?.nodesCreated, 1);
  await transaction.rollback();
  assert.equal(filesIn(folder), 0);
});

test('files go with a statement that ends early: by LIMIT, an error, its signal, its reader', async () => {
  assert.equal((await streamed(engine, `${SORTED} RETURN k, t LIMIT 0 + 2`, MEMORY)).length, 2);
  assert.equal(filesIn(folder), 0);
  await assert.rejects(streamed(engine, `${SORTED} WITH n, k, t SKIP 100 RETURN 1 / (n.k - 107), t`, MEMORY), { code: 'ARITHMETIC_ERROR' });
  assert.equal(filesIn(folder), 0);

  const stop = new AbortController();
  const cancelled = await engine.stream(`${SORTED} RETURN n, t`, none, { memoryBytes: MEMORY, signal: stop.signal });
  await assert.rejects(
    (async () => {
      for await (const _ of cancelled.batches) {
        assert.ok(filesIn(folder) > 0, 'there are files');
        stop.abort();
      }
    })(),
    { code: 'CANCELLED' },
  );
  assert.equal(filesIn(folder), 0);

  const left = await engine.stream(`${SORTED} RETURN n, t`, none, { memoryBytes: MEMORY });
  for await (const _ of left.batches) {
    assert.ok(filesIn(folder) > 0, 'there are files');
    break;
  }
  assert.equal(filesIn(folder), 0);
});

test('what a process that was ended left in the directory is removed, and nothing else', async () => {
  const directory = join(folder, 'left');
  mkdirSync(directory);
  writeFileSync(join(directory, 'graphdb-spill-0b1c'), 'rows');
  writeFileSync(join(directory, 'notes'), 'mine');
  await streamed(await open(directory), `${SORTED} RETURN k, t`, MEMORY);
  assert.deepEqual(readdirSync(directory), ['notes']);
});

function smallDisk(t: TestContext, megabytes: number): string | null {
  const disk = mkdtempSync(join(tmpdir(), 'spilling-disk-'));
  const mounted = mountSmallDisk(disk, megabytes);
  t.after(() => {
    if ('unmount' in mounted) mounted.unmount();
    rmSync(disk, { recursive: true });
  });
  if (!('reason' in mounted)) return disk;
  t.skip(mounted.reason);
  return null;
}

const MANY = 'UNWIND range(1, 200000) AS i WITH i, toString(i * 7919 % 200003) AS k ORDER BY k RETURN k, i';

test('a full disk ends the statement alone, and its files', async (t) => {
  const disk = smallDisk(t, 1);
  if (disk === null) return;
  const onDisk = await open(disk, { cacheBytes: 2 ** 30 });
  await assert.rejects(streamed(onDisk, MANY, MEMORY), { code: 'MEMORY_LIMIT', message: /temporary files in .* \(ENOSPC/ });
  assert.equal(filesIn(disk), 0);
  assert.equal((await streamed(onDisk, 'UNWIND range(1, 9000) AS i RETURN i ORDER BY -i', MEMORY / 4)).length, 9000);
  assert.equal(filesIn(disk), 0);
});

test('temporary files of one statement take no more than they may', async () => {
  const little = await open(folder, { cacheBytes: 2 ** 20 });
  await assert.rejects(streamed(little, MANY, MEMORY), {
    code: 'MEMORY_LIMIT',
    message: /more than the 1048576 bytes that its temporary files may take/,
  });
  assert.equal(filesIn(folder), 0);
});

test('an only group that cannot fit ends its statement before its rows are written', async () => {
  const few = await open(folder, { cacheBytes: 4 * MEMORY });
  const tooMuch = { code: 'MEMORY_LIMIT', message: /more than its memory limit of 1048576 bytes; add a LIMIT/ };
  for (const result of ['percentileCont(i, 0.5)', 'size(collect(i))', 'size(collect([i, range(1, 1000)]))'])
    await assert.rejects(streamed(few, `UNWIND range(1, 10000000) AS i RETURN ${result}`, MEMORY), tooMuch, result);
  const unlike = 'UNWIND range(1, 20000) AS i WITH DISTINCT i RETURN size(collect(i)) AS many, max(i)';
  assert.deepEqual(await streamed(few, unlike, MEMORY), [[20_000, 20_000]]);
});

test('a graph is projected of rows that do not fit', async () => {
  const project = (name: string): string =>
    `MATCH (n:N) WITH n ORDER BY n.k MATCH (n)-[r:R]->(m)
     WITH gds.graph.project('${name}', n, m, {relationshipProperties: {w: r.w}, sourceNodeProperties: {f: n.f}}) AS g
     RETURN g.nodeCount AS nodes, g.relationshipCount AS relationships`;
  const sums = (name: string): string =>
    `CALL gds.degree.stream('${name}', {relationshipWeightProperty: 'w'}) YIELD score WITH sum(score) AS scores
     CALL gds.graph.nodeProperty.stream('${name}', 'f') YIELD propertyValue RETURN scores, count(propertyValue) AS properties`;
  const whole = await streamed(engine, project('whole'));
  assert.deepEqual(await streamed(engine, project('in parts'), MEMORY), whole);
  assert.deepEqual(await streamed(engine, sums('in parts')), await streamed(engine, sums('whole')));
});

/** Statements over pages for which there is hardly any room, whose rows begin again many times. */
import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { GraphDBError } from '../base/index.ts';
import { PageFaults } from '../graph/index.ts';
import { dropMemoryStore } from '../object-store/index.ts';
import { type Engine, openEngine } from './index.ts';

const LOCATION = { scheme: 'memory', name: 'pages-begun-again', namespace: 'default' } as const;
const URI = 'memory://pages-begun-again';
const NONE = new Map<string, never>();
after(() => dropMemoryStore(LOCATION));

const WRITES = [
  'UNWIND range(0, 299) AS i CREATE (:A {i: i, m: i % 7})',
  'UNWIND range(0, 199) AS i CREATE (:B {i: i % 50})',
  'MATCH (a:A), (b:B) WHERE (a.i * 7 + b.i * 3) % 97 = 0 CREATE (a)-[:R {k: a.i % 10}]->(b)',
  'MATCH (a:A), (b:A) WHERE b.i = (a.i * 3 + 1) % 300 CREATE (a)-[:S {k: a.i % 10}]->(b)',
];

/** Changes in files of their own, so that a node's relationships lie in several pages. */
const CHANGES = ['MATCH (a:A) WHERE a.i % 13 = 0 SET a.m = 100 + a.i', 'MATCH (a:A)-[r:S]->() WHERE a.i % 23 = 2 DELETE r'];

const setUp = write(WRITES);

async function write(writes: readonly string[]): Promise<void> {
  const engine = await openEngine(URI, { flushIntervalMs: 0 }, { artefactsFromRows: 0 });
  for (const text of writes) await engine.execute(text, NONE);
  await engine.flush();
  await engine.close();
}

/** The rows of the statement over a graph in memory. */
async function rowsInMemory(text: string): Promise<unknown> {
  await setUp;
  const engine = await openEngine(URI, { readOnly: true });
  try {
    return (await engine.execute(text, NONE)).rows;
  } finally {
    await engine.close();
  }
}

/** Runs `use` with an engine that must read by page, with room for one page or two. */
async function withFewPages<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
  await setUp;
  const engine = await openEngine(
    URI,
    { readOnly: true },
    { wholeTableRows: -1, planner: false, pageBytes: 2_000, availableMemory: () => 9_000 },
  );
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

test('LIMIT 0 reads no page', async () => {
  const patterns = ['(a:A)', '(a)-[r]-(b)', '(a)-[r]->(b) WHERE EXISTS { (a)<-[:S]-() }', '(a)-[rs*1..2]->(b:B) WHERE a.m < 100'];
  for (const pattern of patterns) {
    const text = `MATCH ${pattern} RETURN a.i, a.m LIMIT 0`;
    assert.deepEqual(await withFewPages((engine) => engine.execute(text, NONE).then(({ rows }) => rows)), [], text);
  }
});

const SMALLEST = 'CALL () { MATCH (n:A) RETURN n ORDER BY n.m, n.i LIMIT 5 }';

test('a subquery at the beginning is not run again when what follows it misses pages', async () => {
  const text = `${SMALLEST} MATCH (n)-[r]-(b) RETURN count(*), sum(r.k), sum(b.i)`;
  await withFewPages(async (engine) => {
    assert.deepEqual((await engine.execute(text, NONE)).rows, await rowsInMemory(text));
    const { readsByPage, pageEvictions } = engine.statistics();
    assert.equal(readsByPage, 1);
    assert.ok(pageEvictions < 200, String(pageEvictions));
  });
});

test('a statement that begins again with files while it waits for pages loses no row', async () => {
  const text = 'MATCH (a:A) WHERE a.i < 3 MATCH (a)-[r*1..3]-(b) RETURN b.i AS i, labels(b)[0] AS label, count(*) ORDER BY label, i';
  const expected = await rowsInMemory(text);
  const { load } = PageFaults.prototype;
  for (let failing = 1; failing < 24; failing += 2) {
    let loads = 0;
    const loading = mock.method(PageFaults.prototype, 'load', async function loadOrFail(this: PageFaults) {
      await load.call(this);
      if (++loads === failing) throw new GraphDBError('MEMORY_LIMIT', 'there is no room for the moment');
    });
    try {
      assert.deepEqual(await withFewPages((engine) => engine.execute(text, NONE).then(({ rows }) => rows)), expected, `load ${failing}`);
    } finally {
      loading.mock.restore();
    }
  }
});

test('a statement whose subqueries take the pages of one another from memory ends', async () => {
  await setUp;
  await write(CHANGES);
  const text =
    'RETURN COUNT { MATCH (n:A) RETURN DISTINCT n.m } AS a, COUNT { MATCH (b:B)-[r]-(x) WHERE b.i < 3 AND r.k < 5 AND x.m < 5 } AS b';
  await withFewPages(async (engine) => {
    await assert.rejects(engine.execute(text, NONE), { code: 'MEMORY_LIMIT', message: /memory for pages/ });
  });
});

/** Statements right after opening: what they need is fetched first, and only that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withMetrics } from '../object-store/index.ts';
import type { Value } from '../value/index.ts';
import { openEngine } from './index.ts';

const none: ReadonlyMap<string, Value> = new Map();
let stores = 0;

const SETUP =
  "CREATE (a:A {k: 1, s: 'a'})-[:R {w: 1}]->(b:B {k: 2, s: 'b'})-[:S {w: 2}]->(c:C {k: 3, s: 'c'}), (a)-[:R {w: 3}]->(c), (:D " +
  '{k: 4}), (c)-[:S]->(c)';

const CHANGES: readonly (readonly [string, string, readonly unknown[][]])[] = [
  [
    'MATCH (a:A) SET a.k = 10',
    'MATCH (n) RETURN n.k, n.s ORDER BY n.k',
    [
      [2, 'b'],
      [3, 'c'],
      [4, null],
      [10, 'a'],
    ],
  ],
  ['MATCH (:A)-[:R]->(b:B) SET b.k = 20, b.t = true', 'MATCH (b:B) RETURN b.k, b.s, b.t', [[20, 'b', true]]],
  ['MATCH (:A)-[r:R]->() SET r.w = r.w * 10', 'MATCH ()-[r]->() RETURN r.w ORDER BY r.w', [[2], [10], [30], [null]]],
  ['MATCH (a:A) SET a:Z REMOVE a:A', 'MATCH (n:Z) RETURN n.k, n.s, labels(n)', [[1, 'a', ['Z']]]],
  ['MATCH (a:A) DETACH DELETE a', 'MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n), count(r)', [[3, 2]]],
  ['MATCH (:B)-[s:S]->() DELETE s', 'MATCH ()-[r]->() RETURN count(r)', [[3]]],
  ['MATCH (d:D) DELETE d', 'MATCH (n) RETURN count(n)', [[3]]],
  ["MERGE (a:A {k: 1}) ON MATCH SET a.m = 'yes' ON CREATE SET a.m = 'no'", 'MATCH (a:A) RETURN a.k, a.m, a.s', [[1, 'yes', 'a']]],
  [
    'MATCH (a:A), (c:C) MERGE (a)-[r:R]->(c) ON MATCH SET r.m = 1',
    'MATCH ()-[r:R]->() RETURN r.w, r.m ORDER BY r.w',
    [
      [1, null],
      [3, 1],
    ],
  ],
  [
    'MATCH (d:D) SET d.k = 40',
    "MATCH (n:A) WHERE apoc.any.property(n, 's') = 'a' AND apoc.map.clean(apoc.any.properties(n), ['s'], []) = {k: 1} RETURN count(*)",
    [[1]],
  ],
  [
    'MATCH p = (:A)-[*]->(:C) FOREACH (n IN nodes(p) | SET n.f = 1)',
    'MATCH (n) RETURN n.k, n.f ORDER BY n.k',
    [
      [1, 1],
      [2, 1],
      [3, 1],
      [4, null],
    ],
  ],
  ['MATCH ()-[r:R]->() WITH startNode(r) AS n SET n.v = 5', 'MATCH (n) WHERE n.v = 5 RETURN n.k', [[1]]],
  [
    'CREATE (:A {k: 100})',
    'MATCH (a:A) RETURN a.k, a.s ORDER BY a.k',
    [
      [1, 'a'],
      [100, null],
    ],
  ],
  [
    'MATCH (x)-[r:R]->(y) CREATE (y)-[e:T]->(x) SET e = r DELETE r',
    'MATCH (x)-[r:T]->(y) RETURN x.k, r.w, y.k ORDER BY r.w',
    [
      [2, 1, 1],
      [3, 3, 1],
    ],
  ],
  [
    'MATCH (x)-[:S]->(y) MERGE (y)-[:T]->(x)',
    'MATCH (x)-[:T]->(y) RETURN x.k, y.k ORDER BY y.k',
    [
      [3, 2],
      [3, 3],
    ],
  ],
  ['MATCH (b:B)<-[:R]-(x) SET b = x', 'MATCH (b:B) RETURN b.k, b.s', [[1, 'a']]],
  [
    'MATCH (a:A) CREATE (a)-[:R {w: 9}]->(:N {k: 7})',
    'MATCH (:A)-[r:R]->(n) RETURN r.w, n.k ORDER BY r.w',
    [
      [1, 2],
      [3, 3],
      [9, 7],
    ],
  ],
  [
    'CREATE CONSTRAINT FOR (a:A) REQUIRE a.k IS UNIQUE',
    'MATCH (a:A {k: 1})-[r:R]->(b) RETURN r.w, b.s ORDER BY r.w',
    [
      [1, 'b'],
      [3, 'c'],
    ],
  ],
  ['CREATE CONSTRAINT FOR ()-[r:R]-() REQUIRE r.w IS UNIQUE', 'MATCH ()-[r:R {w: 3}]->(c) RETURN c.s', [['c']]],
  ['CREATE CONSTRAINT FOR (c:C) REQUIRE c.s IS NOT NULL', 'MATCH (c:C) RETURN c.k, c.s', [[3, 'c']]],
  ['CREATE INDEX FOR (c:C) ON (c.k, c.s)', "MATCH (c:C {k: 3, s: 'c'})-[:S]->(d) RETURN d.k", [[3]]],
  ['CREATE INDEX FOR ()-[r:R]-() ON (r.w)', 'MATCH ()-[r:R {w: 3}]->(c) RETURN c.s', [['c']]],
];

for (const [change, check, expected] of CHANGES) {
  test(`right after opening: ${change}`, async () => {
    const uri = `memory://partial-loading-${++stores}`;
    const first = await openEngine(uri);
    await first.execute(SETUP, none);
    await first.flush();
    await first.close();
    const engine = await openEngine(uri);
    await engine.execute(change, none);
    assert.deepEqual((await engine.execute(check, none)).rows, expected);
    await engine.close();
    const again = await openEngine(uri);
    assert.deepEqual((await again.execute(check, none)).rows, expected, 'from the log');
    await again.flush();
    await again.close();
    const flushed = await openEngine(uri);
    assert.deepEqual((await flushed.execute(check, none)).rows, expected, 'from the files');
    await flushed.close();
  });
}

test('a count after opening reads nothing but the manifest, a property one column', async () => {
  const uri = `memory://partial-loading-${++stores}`;
  const first = await openEngine(uri);
  await first.execute("UNWIND range(1, 1000) AS i CREATE (:A {k: i, s: 'text ' + i})", none);
  await first.flush();
  await first.close();
  let requests = (): number => 0;
  const engine = await openEngine(
    uri,
    { readOnly: true },
    {
      decorateStore: (store) => {
        const { store: metered, metrics } = withMetrics(store);
        metrics.trace = [];
        requests = () => (metrics.trace ?? []).filter((request) => request.includes('data/')).length;
        return metered;
      },
    },
  );
  assert.deepEqual((await engine.execute('MATCH (a:A) RETURN count(a)', none)).rows, [[1000]]);
  assert.equal(requests(), 0);
  assert.deepEqual((await engine.execute('MATCH (a:A) RETURN sum(a.k)', none)).rows, [[500500]]);
  assert.ok(requests() >= 1 && requests() <= 3, `${requests()} requests`);
  await engine.close();
});

test('a constraint reads the properties that it speaks of and no others; what is there must satisfy it', async () => {
  const uri = `memory://partial-loading-${++stores}`;
  const first = await openEngine(uri);
  await first.execute("UNWIND range(1, 1000) AS i CREATE (a:A {k: i, t: i % 999})-[:R {w: i}]->(:B {s: 'text ' + i})", none);
  await first.flush();
  await first.close();
  let reads = (): readonly string[] => [];
  const engine = await openEngine(
    uri,
    {},
    {
      decorateStore: (store) => {
        const { store: metered, metrics } = withMetrics(store);
        metrics.trace = [];
        reads = () => (metrics.trace ?? []).filter((request) => request.includes('data/'));
        return metered;
      },
    },
  );
  await engine.execute('CREATE CONSTRAINT FOR (a:A) REQUIRE a.k IS UNIQUE', none);
  assert.ok(reads().length >= 1, 'the keys are read');
  assert.equal(new Set(reads().flatMap((request) => /data\/\S+/.exec(request) ?? [])).size, 1, 'of one table');
  await assert.rejects(engine.execute('CREATE CONSTRAINT FOR (a:A) REQUIRE a.t IS UNIQUE', none), { code: 'CONSTRAINT_VIOLATION' });
  await assert.rejects(engine.execute('CREATE (:A {k: 7})', none), { code: 'CONSTRAINT_VIOLATION' });
  await engine.execute('CREATE (:A {k: 1001})', none);
  assert.deepEqual((await engine.execute('MATCH (a:A {k: 1000})-[r]->(b) RETURN a.t, r.w, b.s', none)).rows, [[1, 1000, 'text 1000']]);
  await engine.close();
});

test('of neighbours those tables are read that they can stand in', async () => {
  const uri = `memory://partial-loading-${++stores}`;
  const first = await openEngine(uri);
  await first.execute("UNWIND range(1, 1000) AS i CREATE (:A {k: i, s: 'a' + i})", none);
  await first.execute("UNWIND range(1, 1000) AS i CREATE (:B {k: i, s: 'b' + i})", none);
  await first.execute("UNWIND range(1, 1000) AS i CREATE (:C {k: i, s: 'c' + i})", none);
  await first.execute('MATCH (a:A), (b:B) WHERE a.k = b.k CREATE (a)-[:R]->(b)', none);
  await first.execute('MATCH (b:B), (c:C) WHERE c.k = b.k CREATE (b)-[:S]->(c)', none);
  await first.flush();
  const filesOf = async (statement: string, expected: readonly unknown[][]): Promise<number> => {
    const trace: string[] = [];
    const engine = await openEngine(
      uri,
      {},
      {
        sstCache: null,
        decorateStore: (store) => {
          const { store: metered, metrics } = withMetrics(store);
          metrics.trace = trace;
          return metered;
        },
      },
    );
    assert.deepEqual((await engine.execute(statement, none)).rows, expected, statement);
    await engine.close();
    return new Set(trace.flatMap((request) => /data\/\S+/.exec(request) ?? [])).size;
  };
  await first.close();
  assert.equal(await filesOf('MATCH (a:A {k: 7})-[:R]->(x) RETURN x.s', [['b7']]), 3, 'A, B, R');
  assert.equal(await filesOf('MATCH (a:A {k: 7})-[:R]->(x:B) RETURN x.s', [['b7']]), 3);
  assert.equal(await filesOf("MATCH (c:C {k: 7})<-[:S]-(x) WHERE x.s = 'b7' RETURN x.k", [[7]]), 3, 'C, B, S');
  assert.equal(await filesOf('MATCH (a:A {k: 7})-[:R]-(x) RETURN x.s', [['b7']]), 3);
  assert.equal(await filesOf('MATCH (a:A {k: 7})-[:R|S*2]->(x) RETURN x.s', [['c7']]), 5);
  assert.equal(await filesOf('MATCH (a:A {k: 7}) OPTIONAL MATCH (a)-[:S]->(x) RETURN x.s', [[null]]), 3, 'A, C, S');
  assert.equal(await filesOf('MATCH (a:A {k: 7})-[:R*0..1]->(x) RETURN x.s ORDER BY x.s', [['a7'], ['b7']]), 4, 'all nodes');
  assert.equal(await filesOf('MATCH (a:A {k: 7})-[:R]->(x)-[:S]->(y) WITH x AS z, y RETURN z.s, y.s', [['b7', 'c7']]), 5);

  const second = await openEngine(uri);
  // What is not in files yet: a node that has moved to another table, and a relationship to a node of a table that no file has at that end.
  await second.execute('MATCH (b:B {k: 7}) REMOVE b:B SET b:C', none);
  await second.execute('MATCH (a:A {k: 8}), (other:A {k: 9}) CREATE (a)-[:R]->(other)', none);
  await second.close();
  assert.equal(await filesOf('MATCH (a:A {k: 7})-[:R]->(x:C) RETURN x.s', [['b7']]), 4, 'A, B, C, R');
  assert.equal(await filesOf('MATCH (a:A {k: 8})-[:R]->(x) RETURN x.s ORDER BY x.s', [['a9'], ['b8']]), 4);
});

test('what an older view fetches does not pass for what a newer one sees', async () => {
  const uri = 'memory://partial-loading-views';
  const writer = await openEngine(uri);
  await writer.execute(SETUP, none);
  await writer.close();
  const former = await openEngine(uri);
  await former.flush();
  await former.close();
  const engine = await openEngine(uri);
  const reading = await engine.begin({ mode: 'read' });
  await engine.execute("CREATE (:A {k: 100})-[:R {w: 100}]->(:D {s: 'd'})", none);
  const [nodes, relationships] = ['MATCH (n) RETURN sum(n.k), count(n.s)', 'MATCH ()-[r:R]->() RETURN sum(r.w)'];
  assert.deepEqual((await reading.execute(nodes, none)).rows, [[10, 3]]);
  assert.deepEqual((await reading.execute(relationships, none)).rows, [[4]]);
  await reading.rollback();
  assert.deepEqual((await engine.execute(nodes, none)).rows, [[110, 4]]);
  assert.deepEqual((await engine.execute(relationships, none)).rows, [[104]]);
  await engine.close();
});

test('uniqueness holds against nodes that nobody has read since the store was opened', async () => {
  const uri = 'memory://partial-loading-unique';
  const writer = await openEngine(uri);
  await writer.execute('CREATE CONSTRAINT FOR (n:N) REQUIRE n.k IS UNIQUE', none);
  await writer.execute("CREATE (:N:M {k: 1, s: 'first'}), (:Other {k: 1})", none);
  await writer.flush();
  await writer.close();
  for (const statement of ['CREATE (:N {k: 1})', 'MATCH (o:Other) SET o:N', 'UNWIND [2, 1] AS k CREATE (:N:Z {k: k})']) {
    const engine = await openEngine(uri);
    await assert.rejects(engine.execute(statement, none), { code: 'CONSTRAINT_VIOLATION' }, statement);
    await engine.close();
  }
});

test('a column that is not in memory is passed over where no node of its table can be met', async () => {
  const uri = `memory://partial-loading-${++stores}`;
  const writer = await openEngine(uri, { flushIntervalMs: 0 });
  await writer.execute(
    "CREATE (:X:A {k: 1, v: 1})<-[:R]-(:X:B {k: 2, v: 2, d: date('2024-01-02')}), (:X:C {k: 3, v: 3, d: 'no date'})",
    none,
  );
  await writer.flush();
  await writer.close();
  for (const loadedBefore of ['RETURN 1', 'MATCH (n:X) RETURN n.k ORDER BY n.k']) {
    const reader = await openEngine(uri, { readOnly: true });
    await reader.execute(loadedBefore, none);
    for (const [query, rows] of [
      ['MATCH ()-[:ABSENT]->(n:X) WHERE n.v > 0 RETURN n.v', []],
      ['MATCH ()-[:R]->(n:X) RETURN n.v, n.d', [[1, null]]],
      ['MATCH (n:X)-[:R]->() RETURN n.v + 1, n.d.year', [[3, 2024]]],
    ] as const) {
      assert.deepEqual((await reader.execute(query, none)).rows, rows, `${loadedBefore}; ${query}`);
    }
    await reader.close();
  }
});

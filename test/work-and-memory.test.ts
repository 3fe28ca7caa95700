/**
 * Every loop of a statement looks at the clock as it works (S2), and what it makes or keeps is charged: statements that
 * would run for hours, or fill any memory, end. No test here depends on time: a statement is cancelled after a number
 * of looks, so one that never looks never ends.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Engine } from '../src/engine/index.ts';
import { openEngine } from '../src/engine/index.ts';
import type { Value } from '../src/value/index.ts';

const none: ReadonlyMap<string, Value> = new Map();
const directory = mkdtempSync(join(tmpdir(), 'work-'));
let engine: Engine;

before(async () => {
  engine = await openEngine('memory://work-and-memory', { csvDirectory: directory });
  // Acyclic, and each node leads to all later ones: 2^60 trails.
  await engine.execute('UNWIND range(0, 60) AS i CREATE (:D {i: i})', none);
  await engine.execute('MATCH (a:D), (b:D) WHERE a.i < b.i CREATE (a)-[:E {w: a.i}]->(b)', none);
  await engine.execute('UNWIND range(1, 3000) AS i CREATE (:N {i: i, t: "text " + i})', none);
  await engine.execute('CREATE (h:Hub) WITH h MATCH (n:N) CREATE (h)-[:H]->(n)', none);
  await engine.execute('CREATE INDEX FOR (n:N) ON (n.i)', none);
  await engine.execute('CREATE (a:P1), (b:P2) WITH a, b UNWIND range(1, 5000) AS i CREATE (a)-[:K]->(b)', none);
  await engine.compact();
  writeFileSync(join(directory, 'rows.csv'), 'a,b\n'.repeat(200_000));
});

after(async () => {
  await engine.close();
  rmSync(directory, { recursive: true });
});

/** A signal that says that it was cancelled from the nth look on. */
function cancelledAfter(looks: number): AbortSignal {
  const { signal } = new AbortController();
  let left = looks;
  Object.defineProperty(signal, 'aborted', { get: () => --left < 0 });
  return signal;
}

const LOOKS = 30;

async function ends(query: string, params = none): Promise<void> {
  await assert.rejects(engine.execute(query, params, { signal: cancelledAfter(LOOKS) }), { code: 'CANCELLED' }, query);
}

const START = 'MATCH (s:D {i: 0})';
const LAST = 'MATCH (s:D {i: 0}), (t:D {i: 60})';
const texts: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['text', 'x'.repeat(100_000)],
  ['list', Array.from({ length: 100_000 }, (_, i) => i)],
]);

const ENDLESS: Readonly<Record<string, readonly string[]>> = {
  'walks while rows come, and while none does': [
    `${START} MATCH (s)-[:E*]->() RETURN count(*)`,
    `${START} MATCH (s)-[:E*]->(x) WHERE x.i < 0 RETURN x`,
    `${START} MATCH p = (s)-[:E*]->() RETURN sum(length(p))`,
    `${START} MATCH (s)-[:E*]-() RETURN count(*)`,
    `${START} MATCH (s)-[r:E*]->() WHERE all(x IN r WHERE x.w >= 0) RETURN count(*)`,
    `${START} MATCH (s) ((a)-[:E]->(b)){1,60} (t) RETURN count(*)`,
    `${START} MATCH (s) ((a)-[:E]->(b) WHERE a.i >= 0){1,60} (t) RETURN count(*)`,
    `${START} RETURN COUNT { (s)-[:E*]->() }`,
    `${START} RETURN size([(s)-[:E*]->(x) WHERE x.i < 0 | x])`,
    `${START} MATCH (s) WHERE EXISTS { (s)-[r:E*]->(x) WHERE size(r) > 100 } RETURN s`,
  ],
  'searches of paths': [
    `${LAST} MATCH p = shortestPath((s)-[:E*]->(t)) WHERE length(p) % 100 = 99 RETURN p`,
    `${LAST} MATCH p = allShortestPaths((s)-[:E*]->(t)) WHERE length(p) > 40 RETURN p`,
    `${LAST} MATCH p = SHORTEST 100000000 (s)-[:E]->+(t) RETURN count(p)`,
    'MATCH (a:N), (b:N) MATCH p = shortestPath((a)-[:E*]->(b)) RETURN count(p)',
  ],
  'conditions, comprehensions, quantifiers and reduce within closures': [
    `${START} MATCH (s)-[r:E* {w: reduce(a = 0, x IN range(1, 100000) | a + x)}]->() RETURN count(*)`,
    `${LAST} MATCH p = shortestPath((s)-[:E*]->(t)) WHERE size([x IN range(1, 10000000) WHERE x < 0]) > 0 RETURN p`,
    `${LAST} MATCH (s) ((a)-[:E]->(b) WHERE any(x IN range(1, 10000000) WHERE x < 0)){1,60} (t) RETURN count(*)`,
  ],
  'loops over lists': [
    'UNWIND range(1, 1000000000000) AS x WITH x WHERE x < 0 RETURN x',
    'UNWIND range(1, 1000000) AS x UNWIND range(1, 1000000) AS y RETURN sum(x + y)',
    'UNWIND range(1, 1000000) AS x RETURN sum(reduce(s = 0, y IN range(1, 100000) | s + y))',
    'UNWIND range(1, 1000000) AS x RETURN sum(size([y IN range(1, 10000) WHERE y < 0]))',
    'UNWIND range(1, 1000000) AS x WITH x WHERE none(y IN range(1, 10000) WHERE y < 0) RETURN count(x)',
  ],
  writes: [
    'FOREACH (a IN range(1, 100000) | FOREACH (b IN range(1, 100000) | FOREACH (c IN [1] | MERGE (:N {i: 1}))))',
    'UNWIND range(1, 1000000000) AS x MATCH (n:N {i: 1}) SET n.x = x',
    'UNWIND range(1, 1000000000) AS x MATCH (n:N {i: 1}) REMOVE n.nothing',
    'UNWIND range(1, 1000000000) AS x MERGE (n:N {i: 1}) ON MATCH SET n.x = x',
    `${START} MATCH (s)-[:E*]->(x) WITH x WHERE x.i < 0 CREATE (:X)`,
    'MATCH (a:N), (b:N), (c:N) CREATE (a)-[:X]->(b)',
    'MATCH (a:N), (b:N) DETACH DELETE a',
    'MATCH (h:Hub) DETACH DELETE h WITH h MATCH (a:N), (b:N) DETACH DELETE a',
    'UNWIND range(1, 1000000) AS x CALL (x) { MATCH (n:N) SET n.x = x }',
  ],
  'joins, groups, sorts and unions': [
    'MATCH (a:N), (b:N), (c:N) RETURN count(DISTINCT a.i + b.i * 3000 + c.i * 9000000)',
    'MATCH (a:N), (b:N), (c:N) RETURN a.i, b.i, count(*) ORDER BY a.i LIMIT 1',
    'MATCH (a:N), (b:N), (c:N) WITH a, b, c ORDER BY a.t, b.t, c.t LIMIT 100 RETURN count(*)',
    'MATCH (a:N), (b:N), (c:N) WHERE toLower(a.t) = toLower(b.t) + toLower(c.t) RETURN a',
    'CALL { MATCH (a:N), (b:N), (c:N) RETURN sum(a.i) AS s UNION ALL MATCH (a:N), (b:N), (c:N) RETURN sum(b.i) AS s } RETURN s',
    'MATCH (a:N), (b:N), (c:N) RETURN percentileDisc(a.i, 0.5)',
    'MATCH (a:P1)-[:K]->(b:P2) MATCH (a)-[:K]->(b) MATCH (a)-[:K]->(b) MATCH (a)-[:K]->(b) RETURN sum(a.i + b.i)',
  ],
  'seeks, scans of relationships, files and procedures': [
    'UNWIND range(1, 100000000) AS x MATCH (n:N {i: x % 3000}) RETURN sum(n.i)',
    'UNWIND range(1, 100000000) AS x MATCH (n:N) WHERE n.i IN [1, 2, 3] RETURN sum(n.i)',
    'UNWIND range(1, 100000000) AS x MATCH (n:N) WHERE n.i < 100 RETURN sum(n.i)',
    'UNWIND range(1, 100000000) AS x MATCH ()-[r:E]->() RETURN count(r.w)',
    "UNWIND range(1, 1000000) AS x LOAD CSV FROM 'file:///rows.csv' AS row RETURN count(*)",
    'UNWIND range(1, 1000000) AS x CALL db.schema.nodeTypeProperties() YIELD propertyName RETURN count(*)',
    'UNWIND range(1, 1000000) AS x CALL apoc.meta.data() YIELD label RETURN count(*)',
    "UNWIND range(1, 1000000) AS x MATCH (h:Hub) CALL apoc.neighbors.tohop(h, 'H>', 2) YIELD node RETURN count(*)",
  ],
  'operators over long values': [
    'UNWIND range(1, 1000000) AS x WITH x WHERE $text + x CONTAINS "yy" RETURN count(x)',
    'UNWIND range(1, 1000000) AS x WITH x WHERE $list + x = $list + (x + 1) RETURN count(x)',
    'UNWIND range(1, 1000000) AS x WITH x WHERE [x] IN [[$list], $list] RETURN count(x)',
    'UNWIND range(1, 1000000) AS x RETURN sum(size($list[x..]))',
    'UNWIND range(1, 1000000) AS x WITH x WHERE $text =~ ("x*" + x) RETURN count(x)',
    'UNWIND range(1, 1000000) AS x WITH x WHERE $list < $list + x RETURN sum(x)',
    'UNWIND range(1, 1000000) AS x RETURN count(DISTINCT [$list, x % 2])',
    'UNWIND range(1, 1000000) AS x RETURN sum(size(toUpper($text + x)))',
  ],
};

for (const [family, queries] of Object.entries(ENDLESS)) {
  test(`${family} look at the clock`, async () => {
    for (const query of queries) await ends(query, texts);
  });
}

const MEMORY = 32 * 2 ** 20;

test('what is made is charged before it is made, however deep, and what is kept as long as it is kept', async () => {
  const long = 'WITH range(1, 200000) AS l ';
  for (const query of [
    `${long}RETURN size([${Array.from({ length: 100 }, (_, i) => `l + ${i}`).join(', ')}])`,
    `${long}UNWIND range(1, 2000) AS i RETURN size(collect([[[[[l + i]]]]]))`,
    `${long}RETURN size([i IN range(1, 2000) | {a: {b: [l + i]}}])`,
    `${long}RETURN size(reduce(a = [], i IN range(1, 2000) | a + [l + i]))`,
    `${long}RETURN size(reduce(a = l, i IN range(1, 20) | a + a))`,
    'RETURN size(range(1, 90000000))',
    'RETURN size([i IN range(1, 10000000) | toString(i)])',
    'RETURN size(collect { UNWIND range(1, 10000000) AS i RETURN i })',
    "RETURN size(replace($text, 'x', $text))",
    'RETURN size(split($text + $text + $text + $text + $text + $text + $text + $text + $text + $text + $text + $text + $text + ' +
      "$text + $text + $text + $text, 'x'))",
    "RETURN size(reduce(s = 'xxxxxxxx', i IN range(1, 28) | s + s))",
    'UNWIND range(1, 1000000000) AS i CREATE (:X {i: i})',
    'UNWIND range(1, 1000000000) AS i MATCH (n:N {i: 1}) CREATE (n)-[:X {i: i}]->(n)',
    'UNWIND range(1, 1000000000) AS i CREATE (:X {t: $text})',
    'FOREACH (i IN range(1, 3000000) | CREATE (:X {i: i}))',
    'UNWIND range(1, 3000) AS i RETURN max($text + i) AS m, i',
    'UNWIND range(1, 100000000) AS i RETURN percentileCont(i, 0.5)',
  ]) {
    await assert.rejects(engine.execute(query, texts, { memoryBytes: MEMORY }), { code: 'MEMORY_LIMIT' }, query.slice(0, 120));
  }
  assert.deepEqual((await engine.execute('MATCH (x:X) RETURN count(x)', none)).rows, [[0]]);
});

test('what is done with a value is bounded by its size as a tree, and what multiplies its arguments is charged before', async () => {
  const params = new Map([...texts, ['words', 'a '.repeat(1_000)], ['message', '%s'.repeat(3_000)]]);
  const shared = 'WITH range(1, 3000) AS l UNWIND range(1, 3000) AS i WITH l, collect(l) AS a';
  for (const query of [
    `${shared} RETURN a = a AS x`,
    `${shared} RETURN a + 1 > a AS x`,
    `${shared} RETURN a IS :: LIST<LIST<INTEGER>> AS x`,
    `${shared} RETURN (l + 1) IN a AS x`,
    `${shared} RETURN apoc.coll.contains(a, 1) AS x`,
    `${shared} RETURN apoc.coll.containsDuplicates(a) AS x`,
    `${shared} RETURN apoc.util.validatePredicate(true, $message, a) AS x`,
    `${shared} CALL apoc.util.validate(true, $message, a) RETURN 1 AS x`,
    'WITH [range(1, 3000), 1] AS p UNWIND range(1, 3000) AS i WITH collect(p) AS a RETURN size(keys(apoc.map.fromPairs(a))) AS x',
    'RETURN size(apoc.coll.toSet(range(1, 600000))) AS x',
    "RETURN size(apoc.text.join([x IN range(1, 1000) | ''], $text)) AS x",
    'RETURN size(apoc.text.slug($words, $text)) AS x',
    "RETURN size(apoc.coll.sortMulti([x IN range(1, 1500) | {a: x}], [x IN range(1, 1500) | 'a'])) AS x",
    'UNWIND range(1, 400) AS i CREATE (:$($text + i))',
    'UNWIND range(1, 400) AS i CREATE (x:X) SET x[$text + i] = i',
    'MATCH (n:N {i: 1}) UNWIND range(1, 400) AS i CREATE (n)-[:$($text + i)]->(n)',
  ]) {
    await assert.rejects(engine.execute(query, params, { memoryBytes: MEMORY }), { code: 'MEMORY_LIMIT' }, query);
  }
  const small = 'WITH range(1, 100) AS l UNWIND range(1, 100) AS i WITH l, collect(l) AS a';
  const { rows } = await engine.execute(`${small} RETURN a = a, apoc.coll.contains(a, l), l IN a`, none, { memoryBytes: MEMORY });
  assert.deepEqual(rows, [[true, true, true]]);
  await engine.execute('MATCH (n:N {i: 1}) REMOVE n:$("Unknown " + $text)', params);
  assert.deepEqual((await engine.execute('MATCH (x:X) RETURN count(x)', none)).rows, [[0]]);
});

test('columns that a change adds to a large table are charged, and taken back with it', async () => {
  const wide = new Map<string, Value>([['map', new Map(Array.from({ length: 5000 }, (_, i) => [`wide${i}`, i]))]]);
  for (const query of ['MATCH (n:N {i: 1}) SET n += $map', 'CREATE (:N $map)']) {
    await assert.rejects(engine.execute(query, wide, { memoryBytes: MEMORY }), { code: 'MEMORY_LIMIT' }, query);
  }
  assert.deepEqual((await engine.execute('MATCH (n:N) WHERE n.wide0 IS NOT NULL RETURN count(n)', none)).rows, [[0]]);
  const one = 'MATCH (h:Hub) SET h += $map RETURN size(keys(h)) AS many';
  assert.deepEqual((await engine.execute(one, wide, { memoryBytes: MEMORY })).rows, [[5000]]);
  const few = 'MATCH (h:Hub) SET h = {i: 1} RETURN size(keys(h)) AS few';
  assert.deepEqual((await engine.execute(few, none, { memoryBytes: MEMORY })).rows, [[1]]);
});

test('others have their turn behind each long value that is written, and between the many items of a clause', async () => {
  const eager = await openEngine('memory://turns', {}, { sliceMs: 0 });
  await eager.execute('UNWIND range(1, 30) AS i CREATE (:N {i: i})', none);
  const wide = new Map<string, Value>([...texts, ['map', new Map(Array.from({ length: 20_000 }, (_, i) => [`wide${i}`, i]))]]);
  for (const query of [
    'MATCH (n:N) SET n.l = $list',
    'MATCH (n:N) SET n.t = $text + n.i',
    'UNWIND range(1, 30) AS i CREATE (:M {l: $list})',
    'MATCH (n:N {i: 1}) SET n += $map',
    "MATCH (n:N {i: 2}) CALL apoc.create.setProperties(n, [x IN range(1, 5000) | 'q' + x], range(1, 5000)) YIELD node RETURN count(node)",
    `MATCH (n:N {i: 1}) SET ${Array.from({ length: 5000 }, (_, i) => `n.p${i} = ${i}`).join(', ')}`,
  ]) {
    await eager.execute(query, wide);
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    await eager.execute(query, wide);
    clearImmediate(next);
    assert.ok(turns >= 6, `${query.slice(0, 60)}: ${turns} turns`);
  }
  await eager.close();
});

test('nodes and relationships of a list or path are charged with their properties as they are read', async () => {
  for (const query of [
    'UNWIND range(1, 50) AS i MATCH (n:N) RETURN collect(n) AS all',
    'UNWIND range(1, 20) AS i MATCH p = (:Hub)-[:H]->(:N) RETURN collect(p) AS all',
  ]) {
    const stream = await engine.stream(query, none, { memoryBytes: MEMORY });
    await assert.rejects(Array.fromAsync(stream.batches), { code: 'MEMORY_LIMIT' }, query);
  }
});

test('a value that rows of an answer share counts with each', async () => {
  for (const workers of [null, await openEngine('memory://answers', { readWorkers: 1 })]) {
    const asked = workers ?? engine;
    for (const query of [
      'UNWIND range(1, 1000) AS x RETURN $text, x',
      'UNWIND range(1, 1000) AS x RETURN $list, x',
      'WITH [$list] AS l UNWIND range(1, 1000) AS x RETURN l, reduce(a = 0, y IN range(1, 1000) | a + y)',
    ]) {
      await assert.rejects(asked.execute(query, texts, { memoryBytes: MEMORY }), { code: 'MEMORY_LIMIT' }, query);
      const few = (await asked.execute(query.replace('1, 1000', '1, 10'), texts, { memoryBytes: MEMORY })).rows;
      assert.equal(few.length, 10);
    }
    await workers?.close();
  }
});

test('a long list that rows of an answer share is copied once, and is not the one that was given', async () => {
  for (const query of [
    'UNWIND range(1, 20) AS x RETURN $list AS l',
    'MATCH (n:N) WITH collect(n) AS l UNWIND range(1, 20) AS x RETURN l',
  ]) {
    const lists = (await engine.execute(query, texts)).rows.map(([list]) => list);
    assert.equal(lists.length, 20);
    assert.equal(new Set(lists).size, 1, query);
    assert.notEqual(lists[0], texts.get('list'));
  }
});

test('what many rows make one after the other is never counted together', async () => {
  for (const [query, answer] of [
    ["RETURN size(reduce(s = '', x IN range(1, 100000) | s + 'abc'))", 300_000],
    ['RETURN size(reduce(l = [], x IN range(1, 3000) | l + x))', 3000],
    ['UNWIND range(1, 300) AS x WITH toUpper($text + x) AS t WHERE size(t) > 0 RETURN count(*)', 300],
    ['UNWIND range(1, 50) AS x WITH x, $list + x AS l WHERE l[100000] = x RETURN count(*)', 50],
    ['RETURN size([x IN range(1, 50) | size($list + x)])', 50],
    ['RETURN all(x IN range(1, 50) WHERE size(tail($list)) > 0)', true],
    [`${START} RETURN COUNT { (s)-[r:E*1..1]->() WHERE size($list + r) > 0 }`, 60],
    [
      'UNWIND range(1, 50) AS x CALL (x) { WITH $list + x AS l UNWIND [1] AS y WITH l, y ORDER BY y RETURN size(l) AS s } RETURN count(s)',
      50,
    ],
    ['UNWIND range(1, 100) AS x RETURN size(collect(size(reverse($text))))', 100],
  ] as const) {
    assert.deepEqual((await engine.execute(query, texts, { memoryBytes: 6 * 2 ** 20 })).rows, [[answer]], query);
  }
});

test('a batch of CALL … IN TRANSACTIONS gives back what its changes took', async () => {
  const query = 'UNWIND range(1, 30000) AS i CALL (i) { CREATE (x:Y {i: i}) DELETE x } IN TRANSACTIONS OF 1000 ROWS';
  await engine.execute(query, none, { memoryBytes: 5 * 2 ** 20 });
  await assert.rejects(engine.execute('UNWIND range(1, 30000) AS i CREATE (x:Y {i: i}) DELETE x', none, { memoryBytes: 5 * 2 ** 20 }), {
    code: 'MEMORY_LIMIT',
  });
});

/**
 * Full-text indexes through the library: what Neo4j's procedures answer, and that answers are those of the rows,
 * whatever was written, flushed, merged, opened again, or asked of another thread.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Database, type GraphValue, open, type Parameter, type Transaction } from '../src/index.ts';
import { analyzerNamed, TextSegment } from '../src/search/index.ts';
import { runSearch } from '../src/search/testing/run-search.ts';
import { type Random, seededRandom } from './support/random.ts';

const NODES = 'CALL db.index.fulltext.queryNodes($index, $query, $options) YIELD node, score RETURN node.k AS k, score';
const RELATIONSHIPS = NODES.replace('queryNodes', 'queryRelationships')
  .replace('node,', 'relationship,')
  .replace('node.k', 'relationship.k');

type Asked = Pick<Database, 'query'> | Pick<Transaction, 'query'>;
type Hit = readonly [k: number, score: number];

async function ask(db: Asked, statement: string, index: string, query: string, options: Parameter = {}): Promise<Hit[]> {
  const { rows } = await db.query<{ k: number; score: number }>(statement, { index, query, options });
  return rows.map(({ k, score }) => [k, score]);
}

const keysOf = (hits: readonly Hit[]): number[] => hits.map(([k]) => k);

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fulltext-'));
  try {
    await work(`file://${folder}?ns=texts`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('nodes with any of several labels, by any of several properties, best first', async () => {
  await using db = await open('memory://fulltext-nodes');
  await db.query('CREATE FULLTEXT INDEX i FOR (n:Movie|Book) ON EACH [n.title, n.plot]');
  await db.query(`CREATE (:Movie {k: 1, title: 'The Matrix', plot: 'A hacker learns the truth'}),
    (:Book {k: 2, title: 'Neuromancer', plot: 'A washed-up hacker is hired; the hacker agrees'}),
    (:Person {k: 3, title: 'hacker'}), (:Movie:Old {k: 4, title: ['Hacker', 'Tales'], plot: 7}), (:Book {k: 5})`);
  const hits = await ask(db, NODES, 'i', 'hacker');
  assert.deepEqual(new Set(keysOf(hits)), new Set([1, 2, 4]));
  assert.ok(hits.every(([, score], i) => i === 0 || score <= hits[i - 1]![1]));
  assert.deepEqual(keysOf(await ask(db, NODES, 'i', 'title:hacker')), [4]);
  assert.deepEqual(keysOf(await ask(db, NODES, 'i', 'hacker', { limit: 1 })), keysOf(hits).slice(0, 1));
  assert.deepEqual(keysOf(await ask(db, NODES, 'i', 'hacker', { skip: 1, limit: 5 })), keysOf(hits).slice(1));
  assert.deepEqual(keysOf(await ask(db, NODES, 'i', 'the AND matrix', { analyzer: 'english' })), [1]);
  assert.deepEqual(keysOf(await ask(db, NODES, 'i', '"hacker tales"')), [4]);
});

test('a write is found by the next statement, and by its own transaction before', async () => {
  await using db = await open('memory://fulltext-writes');
  await db.query("CREATE FULLTEXT INDEX i FOR (n:N) ON EACH [n.t] OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}");
  const find = async (asked: Asked, query: string): Promise<number[]> => keysOf(await ask(asked, NODES, 'i', query)).sort();
  await db.query("UNWIND range(1, 5) AS k CREATE (:N {k: k, t: 'running foxes ' + k})");
  assert.deepEqual(await find(db, 'fox'), [1, 2, 3, 4, 5]);
  await db.query("MATCH (n:N {k: 2}) SET n.t = 'sleeping dogs'");
  await db.query('MATCH (n:N {k: 3}) DELETE n');
  await db.query('MATCH (n:N {k: 4}) REMOVE n:N SET n:M');
  assert.deepEqual([await find(db, 'fox'), await find(db, 'dog')], [[1, 5], [2]]);
  const writing = await db.begin({ mode: 'write' });
  await writing.query("CREATE (:N {k: 6, t: 'fox'}) WITH * MATCH (n:N {k: 1}) SET n.t = 'cat'");
  await writing.query("MATCH (n:N {k: 6}) SET n.t = 'fox cat'");
  assert.deepEqual(
    [await find(writing, 'fox'), await find(writing, 'cat')],
    [
      [5, 6],
      [1, 6],
    ],
  );
  assert.deepEqual([await find(db, 'fox'), await find(db, 'cat')], [[1, 5], []]);
  await writing.rollback();
  assert.deepEqual([await find(db, 'fox'), await find(db, 'cat')], [[1, 5], []]);
  await db.query("MATCH (n:M) SET n:N CREATE (:N {k: 7, t: 'fox'})");
  assert.deepEqual(await find(db, 'fox'), [1, 4, 5, 7]);
  await db.query('DROP INDEX i');
  await assert.rejects(ask(db, NODES, 'i', 'fox'), { code: 'ARGUMENT_ERROR', message: /no such fulltext schema index/ });
});

test('an older version of the graph, which a transaction reads, keeps its answer', async () => {
  await using db = await open('memory://fulltext-versions');
  await db.query('CREATE FULLTEXT INDEX i FOR (n:N) ON EACH [n.t]');
  await db.query("CREATE (:N {k: 1, t: 'one word'}), (:N {k: 2, t: 'word'})");
  const reading = await db.begin({ mode: 'read' });
  const before = await ask(reading, NODES, 'i', 'word');
  await db.query("MATCH (n:N {k: 2}) SET n.t = 'nothing' CREATE (:N {k: 3, t: 'word word'})");
  assert.deepEqual(await ask(reading, NODES, 'i', 'word'), before);
  assert.deepEqual(keysOf(await ask(db, NODES, 'i', 'word')), [3, 1]);
  await reading.rollback();
});

test('relationships of several types, before and after they are opened again', async () => {
  await withFolder(async (folder) => {
    {
      await using db = await open(folder);
      await db.query('CREATE FULLTEXT INDEX i FOR ()-[r:SAID|WROTE]-() ON EACH [r.text]');
      await db.query(`CREATE (a:P {name: 'a'}), (b:P {name: 'b'}), (a)-[:SAID {k: 1, text: 'good morning'}]->(b),
        (b)-[:WROTE {k: 2, text: 'a good book, a very good book'}]->(a), (a)-[:KNOWS {k: 3, text: 'good'}]->(b)`);
      await db.query("MATCH ()-[r:SAID]->() SET r.text = 'good evening'");
      assert.deepEqual(keysOf(await ask(db, RELATIONSHIPS, 'i', 'good')), [1, 2]);
      assert.deepEqual(keysOf(await ask(db, RELATIONSHIPS, 'i', 'morning')), []);
      await assert.rejects(ask(db, NODES, 'i', 'good'), { code: 'ARGUMENT_ERROR', message: /on relationships/ });
      await db.flush();
    }
    await using db = await open(folder, { readOnly: true });
    assert.deepEqual(keysOf(await ask(db, RELATIONSHIPS, 'i', 'good')), [1, 2]);
    const { rows } = await db.query(
      "CALL db.index.fulltext.queryRelationships('i', 'book') YIELD relationship AS r RETURN startNode(r).name AS name, type(r) " +
        'AS type, r.text AS text',
    );
    assert.deepEqual(rows, [{ name: 'b', type: 'WROTE', text: 'a good book, a very good book' }]);
  });
});

test('SEARCH of a full-text index: as many as are wanted, of the pattern around them', async () => {
  await using db = await open('memory://fulltext-search');
  await db.query('CREATE FULLTEXT INDEX i FOR (n:A|B) ON EACH [n.t]');
  await db.query('CREATE FULLTEXT INDEX j FOR ()-[r:R]-() ON EACH [r.t]');
  await db.query(
    "UNWIND range(1, 6) AS k CREATE (:A {k: k, t: 'word'})-[:R {k: k, t: 'edge word ' + k}]->(:B {k: k + 10, t: 'word and ' + k})",
  );
  const keys = async (statement: string, parameters = {}): Promise<unknown[]> =>
    (await db.query(statement, parameters)).rows.map(({ k }) => k);
  assert.deepEqual(await keys('MATCH (n:A) SEARCH n IN (FULLTEXT INDEX i FOR "word" LIMIT 2) RETURN n.k AS k'), [1, 2]);
  assert.deepEqual(
    await keys('MATCH (n:B) SEARCH n IN (FULLTEXT INDEX i FOR $q LIMIT $k) SCORE AS s RETURN n.k AS k ORDER BY s DESC, k', {
      q: 'word',
      k: 3,
    }),
    [11, 12, 13],
  );
  assert.deepEqual(await keys('MATCH (a)-[r:R]->(b) SEARCH r IN (FULLTEXT INDEX j FOR "edge AND 4" LIMIT 5) RETURN a.k + b.k AS k'), [18]);
  assert.deepEqual(
    await keys('MATCH (n:A)-[:R]->(m) SEARCH n IN (FULLTEXT INDEX i FOR "word" LIMIT 6) WHERE m.k > 15 RETURN n.k AS k'),
    [6],
  );
  await assert.rejects(db.query('MATCH (n:A) SEARCH n IN (FULLTEXT INDEX i FOR "a" WHERE n.k = 1 LIMIT 2) RETURN n'), {
    message: /takes no WHERE/,
  });
});

test('faults are told', async () => {
  await using db = await open('memory://fulltext-faults');
  await db.query('CREATE FULLTEXT INDEX i FOR (n:N) ON EACH [n.t]');
  const refused = (query: string, options: Parameter, expected: object): Promise<void> =>
    assert.rejects(ask(db, NODES, 'i', query, options), expected);
  await refused('a:b:"', {}, { code: 'ARGUMENT_ERROR', message: /at character \d+/ });
  await refused('a', { limit: -1 }, { code: 'ARGUMENT_ERROR', message: /limit/ });
  await refused('a', { analyzer: 'klingon' }, { code: 'ARGUMENT_ERROR', message: /listAvailableAnalyzers/ });
  await refused('a', { labels: 'N' }, { code: 'ARGUMENT_ERROR', message: /labels/ });
  await refused('a', { analyser: 'english' }, { code: 'ARGUMENT_ERROR', message: /analyser/ });
  await assert.rejects(
    db.query("CREATE FULLTEXT INDEX j FOR (n:N) ON EACH [n.u] OPTIONS {indexConfig: {`fulltext.analyzer`: 'klingon'}}"),
    {
      code: 'ARGUMENT_ERROR',
    },
  );
  await assert.rejects(db.query("CALL db.index.fulltext.queryNodes('nothing', 'a') YIELD node RETURN node"), {
    code: 'ARGUMENT_ERROR',
    message: /no such fulltext schema index/,
  });
  await db.query('CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()');
  const { rows } = await db.query<{ analyzer: string }>('CALL db.index.fulltext.listAvailableAnalyzers() YIELD analyzer RETURN analyzer');
  assert.ok(['english', 'cjk', 'standard-no-stop-words'].every((name) => rows.some(({ analyzer }) => analyzer === name)));
});

test('a search can be stopped, and meets its limits', async () => {
  await using db = await open('memory://fulltext-limits');
  await db.query('CREATE FULLTEXT INDEX i FOR (n:N) ON EACH [n.t]');
  await db.query("UNWIND range(1, 60000) AS k CREATE (:N {k: k, t: 'word number ' + k + ' of many words that are read'})");
  const query = "CALL db.index.fulltext.queryNodes('i', 'word number') YIELD node RETURN count(*) AS count";
  await assert.rejects(db.query(query, {}, { timeoutMs: 30 }), { code: 'QUERY_TIMEOUT' });
  await assert.rejects(db.query(query, {}, { memoryBytes: 1_000_000 }), { code: 'MEMORY_LIMIT' });
  assert.deepEqual((await db.query(query)).rows, [{ count: 60_000 }]);
  const aborted = new AbortController();
  setTimeout(() => aborted.abort(), 5);
  const slow = "UNWIND range(1, 1000) AS x CALL db.index.fulltext.queryNodes('i', '*o*~ OR wrod~2 OR /.*9.*/') YIELD node RETURN count(*)";
  await assert.rejects(db.query(slow, {}, { signal: aborted.signal }), { code: 'CANCELLED' });
});

// ---------------------------------------------------------------- against the rows

const WORDS = Array.from({ length: 30 }, (_, i) => `w${i}`);

function text(random: Random): Parameter {
  const words = (): string =>
    Array.from({ length: random.between(0, 12) }, () => WORDS[Math.floor(30 * (random.between(0, 999) / 1000) ** 2)]!).join(' ');
  if (random.chance(0.1)) return random.pick([null, 5, true]);
  return random.chance(0.2) ? [words(), words()] : words();
}

/** @param keys those that were given; each is given once */
async function change(db: Asked, random: Random, keys: { next: number }): Promise<void> {
  const k = random.between(0, keys.next);
  const { next } = keys;
  keys.next += 25;
  const [a, b] = [text(random), text(random)];
  const statements: readonly string[] = [
    'CREATE (:A {k: $next, a: $a, b: $b})',
    'CREATE (:A:B {k: $next, a: $a})',
    'CREATE (:C {k: $next, a: $a, b: $b})',
    'MATCH (n {k: $k}) SET n.a = $a',
    'MATCH (n {k: $k}) SET n.b = $b, n.a = null',
    'MATCH (n {k: $k}) SET n:B',
    'MATCH (n {k: $k}) REMOVE n:A',
    'MATCH (n {k: $k}) DELETE n',
    'UNWIND range(1, 20) AS i CREATE (:B {k: $next + i, a: $a, b: i + " " + coalesce(toString(i % 3), "")})'.replaceAll('"', "'"),
    'MATCH (n:B) WHERE n.k % 5 = 0 SET n.a = $a',
  ];
  await db.query(random.pick(statements), { k: k - (k % 25) + random.between(0, 1), a, b, next });
}

/** Returns the expected answer of the index: the same search over the rows that MATCH gives. */
async function expectedHits(db: Asked, query: string): Promise<Map<number, number>> {
  const { rows } = await db.query<{ k: number; a: GraphValue; b: GraphValue }>(
    'MATCH (n) WHERE n:A OR n:B RETURN n.k AS k, n.a AS a, n.b AS b',
  );
  const segment = new TextSegment(analyzerNamed('standard-no-stop-words'), 2);
  const places: number[] = [];
  const textsOf = (value: GraphValue): string[] => (typeof value === 'string' ? [value] : Array.isArray(value) ? (value as string[]) : []);
  for (const { k, a, b } of rows) if (segment.add([textsOf(a), textsOf(b)]) >= 0) places.push(k);
  return new Map(
    runSearch({ fields: ['a', 'b'], segments: [{ segment, places }] }, query, 1e6).map(({ document, score }) => [document, score]),
  );
}

async function agree(db: Asked, random: Random): Promise<void> {
  const [x, y] = [random.pick(WORDS), random.pick(WORDS)];
  const query = random.pick([
    x,
    `${x} ${y}`,
    `+${x} -${y}`,
    `"${x} ${y}"~3`,
    `a:${x} b:${y}`,
    `${x}*`,
    `${x}~1`,
    '*:*',
    `a:[${x} TO ${y}]`,
  ]);
  const expected = await expectedHits(db, query);
  const found = await ask(db, NODES, 'i', query);
  assert.deepEqual(new Set(keysOf(found)), new Set(expected.keys()), query);
  assert.equal(found.length, expected.size);
  for (const [k, score] of found) assert.ok(Math.abs(expected.get(k)! - score) < 1e-6, `${query}: ${k} ${score} ${expected.get(k)}`);
  assert.deepEqual(await ask(db, NODES, 'i', query, { limit: 3 }), found.slice(0, 3), query);
}

for (const seed of [1, 2, 3]) {
  test(`random writes, flushes, merges and openings, seed ${seed}`, async () => {
    await withFolder(async (folder) => {
      const random = seededRandom(seed);
      let db = await open(folder);
      const keys = { next: 0 };
      try {
        await db.query('CREATE FULLTEXT INDEX i FOR (n:A|B) ON EACH [n.a, n.b]');
        for (let step = 0; step < 120; step++) {
          await change(db, random, keys);
          if (random.chance(0.5)) await agree(db, random);
          if (random.chance(0.05)) await db.flush();
          if (random.chance(0.02)) await db.compact();
          if (random.chance(0.1)) {
            const writing = await db.begin({ mode: 'write' });
            for (let i = 0; i < 4; i++) await change(writing, random, keys);
            await agree(writing, random);
            if (random.chance(0.5)) await writing.rollback();
            else await writing.commit();
          }
          if (random.chance(0.06)) {
            await db.close();
            db = await open(folder, { readWorkers: random.between(0, 1) });
            await agree(db, random);
          }
        }
        await db.flush();
        await using follower = await open(folder, { readOnly: true });
        for (let i = 0; i < 5; i++) await agree(follower, random);
      } finally {
        await db.close();
      }
    });
  });
}

// ---------------------------------------------------------------- what programs send

test('the statements of graphiti, LightRAG and neo4j-graphrag, over files that nothing was read of', async () => {
  await withFolder(async (folder) => {
    {
      await using db = await open(folder);
      await db.query(
        'CREATE FULLTEXT INDEX episode_content IF NOT EXISTS FOR (e:Episodic) ON EACH [e.content, e.source, ' +
          'e.source_description, e.group_id]',
      );
      await db.query('CREATE FULLTEXT INDEX node_name_and_summary IF NOT EXISTS FOR (n:Entity) ON EACH [n.name, n.summary, n.group_id]');
      await db.query(
        'CREATE FULLTEXT INDEX edge_name_and_fact IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON EACH [e.name, e.fact, e.group_id]',
      );
      await db.query(
        'CREATE FULLTEXT INDEX entity_cjk IF NOT EXISTS FOR (n:`base`) ON EACH [n.entity_id] OPTIONS {indexConfig: ' +
          "{`fulltext.analyzer`: 'cjk', `fulltext.eventually_consistent`: true}}",
      );
      await db.query(`CREATE (a:Entity {uuid: 'a', name: 'Alice', summary: 'knows Bob', group_id: 'g'}), (b:Entity {uuid: 'b',
       name: 'Bob', summary: 'lives in Paris', group_id: 'g'}),
        (a)-[:RELATES_TO {uuid: 'r', name: 'KNOWS', fact: 'Alice has known Bob since school', group_id: 'g'}]->(b), (:base
        {entity_id: '東京タワー'}), (:base {entity_id: '京都'})`);
      await db.query('MATCH (n:Entity {uuid: $u}) SET n.summary = $s', { u: 'b', s: 'moved to Rome' });
      await db.flush();
    }
    await using db = await open(folder, { readOnly: true });
    const edges = await db.query(
      `CALL db.index.fulltext.queryRelationships("edge_name_and_fact", $query, {limit: $limit}) YIELD relationship AS rel, score
       MATCH (n:Entity)-[e:RELATES_TO {uuid: rel.uuid}]->(m:Entity) WHERE e.group_id IN $group_ids
       WITH e, score, n, m RETURN e.uuid AS uuid, n.uuid AS source, m.uuid AS target, e.fact AS fact ORDER BY score DESC LIMIT $limit`,
      { query: 'group_id:"g" AND (school)', limit: 10, group_ids: ['g'] },
    );
    assert.deepEqual(edges.rows, [{ uuid: 'r', source: 'a', target: 'b', fact: 'Alice has known Bob since school' }]);
    const hybrid = await db.query(
      `CALL () {
         CALL db.index.fulltext.queryNodes($fulltext_index_name, $query_text, {limit: $top_k}) YIELD node, score
         WITH collect({node: node, score: score}) AS nodes, max(score) AS ft_index_max_score UNWIND nodes AS n
         RETURN n.node AS node, (n.score / ft_index_max_score) AS score
       } WITH node, max(score) AS score ORDER BY score DESC LIMIT $top_k
       RETURN node {.name, .summary, labels: labels(node)} AS node, score, elementId(node) IS NOT NULL AS hasId`,
      { fulltext_index_name: 'node_name_and_summary', query_text: 'rome bob', top_k: 1 },
    );
    assert.deepEqual(hybrid.rows, [{ node: { name: 'Bob', summary: 'moved to Rome', labels: ['Entity'] }, score: 1, hasId: true }]);
    const cjk = await db.query(
      "CALL db.index.fulltext.queryNodes('entity_cjk', $q) YIELD node, score RETURN node.entity_id AS id, properties(node) AS all",
      { q: '東京' },
    );
    assert.deepEqual(cjk.rows, [{ id: '東京タワー', all: { entity_id: '東京タワー' } }]);
    const shown = await db.query(
      "SHOW FULLTEXT INDEXES YIELD name, state, populationPercent, options WHERE name = 'entity_cjk' RETURN name, state, " +
        'options.indexConfig.`fulltext.analyzer` AS analyzer',
    );
    assert.deepEqual(shown.rows, [{ name: 'entity_cjk', state: 'ONLINE', analyzer: 'cjk' }]);
    const followed = await db.query(
      "CALL db.index.fulltext.queryNodes('node_name_and_summary', 'alice') YIELD node AS n WITH n MATCH p = (n)-[r]->(m) RETURN " +
        '[x IN nodes(p) | x.name] AS names, properties(r).fact AS fact',
    );
    assert.deepEqual(followed.rows, [{ names: ['Alice', 'Bob'], fact: 'Alice has known Bob since school' }]);
  });
});

test('a search that ends while it reads a long text leaves the index as it is for others', async () => {
  await using db = await open('memory://fulltext-interrupted');
  await db.query('CREATE FULLTEXT INDEX i FOR (n:Text) ON EACH [n.s]');
  const long = (word: string) => Array.from({ length: 200_000 }, (_, i) => `${word}${i}`).join(' ');
  await db.query('CREATE (:Text {k: 1, s: $s}), (:Text {k: 2, s: "w7 short"})', { s: long('w') });
  const search = (word: string) => ask(db, NODES, 'i', word);
  for (const timeoutMs of [1, 5, 20, 40])
    await assert.rejects(db.query(NODES, { index: 'i', query: 'w7', options: {} }, { timeoutMs }), { code: 'QUERY_TIMEOUT' });
  // Others go on reading the text while one of them is stopped.
  const stopped = assert.rejects(db.query(NODES, { index: 'i', query: 'w7', options: {} }, { timeoutMs: 30 }), { code: 'QUERY_TIMEOUT' });
  assert.deepEqual(keysOf(await search('w7')), [2, 1]);
  await stopped;
  // Within a transaction, which changes the row, is stopped while that is read, and is taken back.
  const transaction = await db.begin();
  await transaction.query('CREATE (:Text {k: 3, s: $s})', { s: long('x') });
  await transaction.query('MATCH (n:Text {k: 3}) SET n.s = $s', { s: long('y') });
  assert.deepEqual(keysOf(await ask(transaction, NODES, 'i', 'y7')), [3]);
  assert.deepEqual(keysOf(await ask(transaction, NODES, 'i', 'x7')), []);
  await transaction.rollback();
  assert.deepEqual(keysOf(await search('y7')), []);
  assert.deepEqual(keysOf(await search('w7')), [2, 1]);
  await db.query('CREATE (:Text {k: 4, s: "w7 short"})');
  const [[, first], [, second]] = (await search('w7')) as [Hit, Hit, Hit];
  assert.equal(first, second);
});

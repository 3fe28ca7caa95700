/** Search: each statement and procedure of the contract over HTTP, with names as parameters, scores, columns and errors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, type Body, serve } from './outside.ts';

const server = await serve(['--store', 'memory://search?ns=contract']);

async function answer(query: string, params: Readonly<Record<string, unknown>> = {}): Promise<Body> {
  return (await ask(server, 'POST', '/v0/cypher', { body: { query, params } })).json;
}

/** The rows as lists of values, in the order of the columns. */
async function rows(query: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown[]> {
  const { columns, rows: found, error } = await answer(query, params);
  assert.ok(found !== undefined, `${query}\n${error}`);
  return found.map((row) => (columns.length === 1 ? row[columns[0]!] : columns.map((column) => row[column])));
}

const VECTOR_OPTIONS =
  '{indexConfig: {`vector.dimensions`: toInteger($dimensions), `vector.similarity_function`: $similarity, ' +
  '`vector.quantization.enabled`: true, `vector.hnsw.m`: 16, `vector.hnsw.ef_construction`: 100}}';

test('indexes of all kinds are declared, with names and options as parameters', async () => {
  const vector = { name: 'vectors', dimensions: '2', similarity: 'cosine' };
  for (const _ of [1, 2])
    await rows(`CREATE VECTOR INDEX $name IF NOT EXISTS FOR (n:L) ON n.p WITH [n.\`a\`, n.b] OPTIONS ${VECTOR_OPTIONS}`, vector);
  await rows(
    'CREATE VECTOR INDEX relationships FOR ()-[r:T]-() ON (r.p) OPTIONS {indexConfig: {`vector.dimensions`: 2, ' +
      '`vector.similarity_function`: "euclidean"}}',
  );
  await rows(
    'CREATE FULLTEXT INDEX $name FOR (n:A|B) ON EACH [n.x, n.`y`] OPTIONS {indexConfig: {`fulltext.analyzer`: $analyzer, ' +
      '`fulltext.eventually_consistent`: true}}',
    {
      name: 'texts',
      analyzer: 'english',
    },
  );
  await rows('CREATE FULLTEXT INDEX relationshipTexts FOR ()-[r:T|S]-() ON EACH [r.x]');
  await rows('CREATE POINT INDEX points FOR (n:L) ON (n.place)');
  await rows('CREATE TEXT INDEX names FOR (n:L) ON (n.name)');
  await rows('CREATE RANGE INDEX ranges FOR (n:L) ON (n.a)');
  assert.equal((await answer('CREATE VECTOR INDEX vectors FOR (n:X) ON (n.p)')).code, 'CONSTRAINT_VIOLATION');
});

test('SHOW INDEXES has the columns of Neo4j, and kinds to choose by', async () => {
  const { columns } = await answer('SHOW INDEXES YIELD *');
  const all =
    'id name state populationPercent type entityType labelsOrTypes properties indexProvider owningConstraint lastRead readCount ' +
    'trackedSince options failureMessage createStatement';
  assert.deepEqual(columns, all.split(' '));
  assert.deepEqual((await answer('SHOW VECTOR INDEXES')).columns, all.split(' ').slice(0, 12));
  for (const [kind, names] of Object.entries({
    VECTOR: ['relationships', 'vectors'],
    FULLTEXT: ['relationshipTexts', 'texts'],
    POINT: ['points'],
    TEXT: ['names'],
    RANGE: ['ranges'],
  }))
    assert.deepEqual(await rows(`SHOW ${kind} INDEXES YIELD name, state WHERE state = 'ONLINE' RETURN name ORDER BY name`), names);
  const settings =
    'SHOW VECTOR INDEXES YIELD name, labelsOrTypes, properties, options WHERE name = $name RETURN labelsOrTypes, properties, ' +
    'options.indexConfig.`vector.dimensions`';
  assert.deepEqual(await rows(settings, { name: 'vectors' }), [[['L'], ['p', 'a', 'b'], 2]]);
});

test('procedures that wait for indexes and sample them', async () => {
  for (const call of [
    "db.awaitIndex('vectors', 10)",
    'db.awaitIndexes(10)',
    "db.resampleIndex('texts')",
    'db.resampleOutdatedIndexes()',
    'db.index.fulltext.awaitEventuallyConsistentIndexRefresh()',
  ])
    assert.deepEqual(await rows(`CALL ${call}`), [], call);
  assert.equal((await answer("CALL db.awaitIndex('none')")).code, 'ENTITY_NOT_FOUND');
  const analyzers =
    'CALL db.index.fulltext.listAvailableAnalyzers() YIELD analyzer, description, stopwords WHERE analyzer IN $names RETURN ' +
    'analyzer ORDER BY analyzer';
  const names = ['cjk', 'english', 'keyword', 'simple', 'standard', 'standard-no-stop-words', 'whitespace'];
  assert.deepEqual(await rows(analyzers, { names }), names);
});

test('vectors are found by the statement after they are written, with the scores of Neo4j', async () => {
  await rows('CREATE (n:L {a: 1, b: 1}), (m:L {a: 1, b: 3}), (n)-[:T {x: "jumping"}]->(m)');
  await rows('MATCH (n:L {b: 1}) CALL db.create.setNodeVectorProperty(n, "p", $v) RETURN count(*)', { v: [1, 0] });
  await rows('MATCH (n:L {b: 3}) SET n.p = vector($v, 2, FLOAT32)', { v: [0, 1] });
  await rows('MATCH ()-[r:T]->() CALL db.create.setRelationshipVectorProperty(r, "p", [1.0, 1.0]) RETURN count(*)');
  assert.deepEqual(
    await rows('CALL db.index.vector.queryNodes($name, $k, $v) YIELD node, score RETURN node.b, score', {
      name: 'vectors',
      k: 5,
      v: [1, 0],
    }),
    [
      [1, 1],
      [3, 0.5],
    ],
  );
  assert.deepEqual(
    await rows(
      'CALL db.index.vector.queryRelationships("relationships", 1, [1.0, 0.0]) YIELD relationship, score RETURN type(relationship), score',
    ),
    [['T', 0.5]],
  );
  const search = 'MATCH (n:L) SEARCH n IN (VECTOR INDEX vectors FOR $v WHERE n.a = 1 AND n.b > 2 LIMIT 1) SCORE AS s RETURN n.b, s';
  assert.deepEqual(await rows(`CYPHER 25 ${search}`, { v: [1, 0] }), [[3, 0.5]]);
  const { code, error } = await answer('CREATE (:L {p: [1.0, 2.0, 3.0]})');
  assert.equal(code, 'ARGUMENT_ERROR', error);
  assert.equal((await answer('CALL db.index.vector.queryNodes("none", 1, [1.0])')).code, 'ARGUMENT_ERROR');
});

test('texts are found by Lucene’s query language, and a query that cannot be read is an error', async () => {
  await rows("CREATE (:A {x: 'the quick foxes', y: 'red'}), (:B {x: 'a slow fox'}), (:B {y: 'nothing'})");
  const query = 'CALL db.index.fulltext.queryNodes($name, $query, $options) YIELD node, score RETURN node.x';
  const ask = (text: string, options = {}) => rows(query, { name: 'texts', query: text, options });
  assert.deepEqual((await ask('fox')).length, 2);
  assert.deepEqual(await ask('fox AND quick'), ['the quick foxes']);
  assert.deepEqual(await ask('fox -quick'), ['a slow fox']);
  assert.deepEqual(await ask('y:red OR "slow fox"', { limit: 1, skip: 1 }).then(({ length }) => length), 1);
  assert.deepEqual(await ask('quic*'), ['the quick foxes']);
  assert.deepEqual(await ask('slwo~2'), ['a slow fox']);
  assert.deepEqual(
    await rows('CALL db.index.fulltext.queryRelationships("relationshipTexts", "jumping") YIELD relationship, score RETURN score > 0'),
    [true],
  );
  assert.deepEqual(await rows('MATCH (n:B) SEARCH n IN (FULLTEXT INDEX texts FOR "fox" LIMIT 1) SCORE AS s RETURN n.x'), ['a slow fox']);
  const { code, error } = await answer(query, { name: 'texts', query: 'a AND (', options: {} });
  assert.equal(code, 'ARGUMENT_ERROR');
  assert.match(error, /cannot be read at character/);
});

test('one ranking by vectors and texts', async () => {
  const search = { vectorIndex: 'vectors', vector: [1, 0], fulltextIndex: 'texts', query: 'fox', k: 3 };
  const call = 'CALL search.hybrid($search) YIELD node, score RETURN labels(node)[0] AS label';
  assert.equal((await rows(call, { search })).length, 3);
  assert.equal((await rows(call, { search: { ...search, fusion: 'linear', weights: { vector: 1, fulltext: 0 } } }))[0], 'L');
  assert.deepEqual(await rows(call, { search: { ...search, fusion: 'rrf', weights: [1, 2], filter: { b: 3 } } }), ['L']);
});

test('vector(), VECTOR, distances and similarities', async () => {
  assert.deepEqual(await rows('RETURN vector([1, 2], 2, FLOAT32) AS v'), [[1, 2]]);
  assert.deepEqual(await rows('RETURN vector([1, 2], 2, INTEGER8) IS :: VECTOR<FLOAT32>(2) AS v'), [true]);
  assert.deepEqual(
    await rows(
      'RETURN vector_distance([1, 2], [4, 6], EUCLIDEAN), vector_norm([3, 4], EUCLIDEAN), vector.similarity.euclidean([1.0], [2.0])',
    ),
    [[5, 5, 0.5]],
  );
});

test('an index is dropped by a name that is a parameter, and the version is Neo4j’s', async () => {
  await rows('DROP INDEX $name', { name: 'names' });
  await rows('DROP INDEX $name IF EXISTS', { name: 'names' });
  assert.equal((await answer('DROP INDEX names')).code, 'ENTITY_NOT_FOUND');
  assert.deepEqual(await rows('CALL dbms.components() YIELD name, versions WHERE name = "Neo4j Kernel" RETURN versions[0]'), ['2026.1.0']);
});

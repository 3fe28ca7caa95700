/** Projections of graphs that do not fit into memory: the answers that a graph in memory gives, or MEMORY_LIMIT with what is needed. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Engine, type EngineParts, openEngine } from '../../src/engine/index.ts';
import { dropMemoryStore } from '../../src/object-store/index.ts';
import { literalText, type Value } from '../../src/value/index.ts';

const LOCATION = { scheme: 'memory', name: 'graphs-by-page', namespace: 'default' } as const;
const URI = 'memory://graphs-by-page';
const NONE = new Map<string, Value>();
const PERSONS = 3_000;
after(() => dropMemoryStore(LOCATION));

/** Room for a projected graph, but not for the tables that it is made of beside it. */
const few = (room: number): EngineParts => ({ wholeTableRows: -1, availableMemory: () => room, pageBytes: 400_000 });
const FEW = few(900_000);

const setUp = write();

/** Persons and their relationships, some of which are deleted, changed and added behind the first files. */
async function write(): Promise<void> {
  const engine = await openEngine(URI, {}, { artefactsFromRows: 0 });
  const run = (query: string): Promise<unknown> => engine.execute(query, new Map<string, Value>([['last', PERSONS - 1]]));
  await run('CREATE INDEX FOR (p:Person) ON (p.id)');
  await run('UNWIND range(0, $last) AS i CREATE (:Person {id: i, age: i * 7 % 50, place: [i * 0.5, 1.0], note: "n" + i})');
  await run('UNWIND range(0, 99) AS i CREATE (:City {id: i})');
  await run(
    'UNWIND range(1, 5) AS k MATCH (a:Person) WHERE a.id % 10 <> 3 MATCH (b:Person {id: (a.id * 7 + k * k * 31) % ($last + 1)}) ' +
      'CREATE (a)-[:KNOWS {w: k / 4.0, note: "n" + a.id}]->(b)',
  );
  await run('MATCH (a:Person) MATCH (c:City) WHERE c.id = a.id % 97 CREATE (a)-[:LIVES {since: a.id}]->(c)');
  await engine.flush();
  await engine.compact();
  await run('MATCH (:Person {id: 17})-[r:KNOWS]->() DELETE r');
  await run('MATCH (:Person {id: 27})-[r:KNOWS]->() SET r.w = 9.5');
  await run('MATCH (a:Person {id: 37}), (b:Person {id: 38}) CREATE (a)-[:KNOWS {w: 2.5}]->(b)');
  await engine.flush();
  await engine.close();
}

async function withReader<T>(parts: EngineParts, use: (engine: Engine) => Promise<T>): Promise<T> {
  await setUp;
  const engine = await openEngine(URI, { readOnly: true }, parts);
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

async function answer(engine: Engine, query: string): Promise<string[]> {
  return (await engine.execute(query, NONE)).rows.map((row) => row.map(literalText).join(' | '));
}

/** Projections, and for how many bytes there is room. */
const PROJECTIONS: readonly (readonly [string, number])[] = [
  ["'Person', 'KNOWS'", 600_000],
  ["'Person', {KNOWS: {orientation: 'UNDIRECTED', properties: 'w'}}", 1_000_000],
  ["['Person', 'City'], {KNOWS: {properties: {n: {property: '*', aggregation: 'COUNT'}}}, LIVES: {orientation: 'REVERSE'}}", 900_000],
  ["{Person: {properties: ['id', 'age', 'place']}, City: {properties: 'id'}}, '*'", 900_000],
  ["'*', '*', {relationshipProperties: {since: {defaultValue: 0.0}}}", 900_000],
];

const STREAMS = [
  'CALL gds.pageRank.stream("g") YIELD nodeId, score RETURN nodeId, score',
  'CALL gds.wcc.stream("g") YIELD nodeId, componentId RETURN nodeId, componentId',
  'CALL gds.bfs.stream("g", {sourceNode: 7}) YIELD nodeIds RETURN nodeIds',
  'CALL gds.graph.list("g") YIELD nodeCount, relationshipCount, degreeDistribution RETURN nodeCount, relationshipCount, degreeDistribution',
];

async function answersOf(engine: Engine, projection: string): Promise<string[][]> {
  await engine.execute(`CALL gds.graph.project('g', ${projection})`, NONE);
  const [described] = await answer(engine, 'CALL gds.graph.list("g") YIELD schema RETURN schema');
  const properties = /w: /.test(described!)
    ? ['CALL gds.graph.relationshipProperty.stream("g", "w", ["KNOWS"]) YIELD sourceNodeId, targetNodeId, propertyValue RETURN *']
    : /place: /.test(described!)
      ? ['CALL gds.graph.nodeProperties.stream("g", ["id", "age", "place"]) YIELD nodeId, nodeProperty, propertyValue RETURN *']
      : [];
  const answers: string[][] = [];
  for (const query of [...STREAMS, ...properties]) answers.push(await answer(engine, query));
  return answers;
}

for (const [projection, room] of PROJECTIONS) {
  test(`what is projected of pages is what is projected of tables in memory: ${projection}`, async () => {
    const whole = await withReader({}, (engine) => answersOf(engine, projection));
    await withReader(few(room), async (engine) => {
      assert.deepEqual(await answersOf(engine, projection), whole);
      const { graphBytes } = engine.statistics();
      assert.ok(graphBytes < 100_000, `${graphBytes} bytes of tables were loaded`);
    });
  });
}

test('pages leave for others while a graph is projected', async () => {
  const query = 'CALL gds.pageRank.stream("g") YIELD nodeId, score RETURN nodeId, score';
  const project = (engine: Engine) => engine.execute("CALL gds.graph.project('g', 'Person', 'KNOWS')", NONE);
  const whole = await withReader({}, async (engine) => {
    await project(engine);
    return answer(engine, query);
  });
  await withReader({ ...FEW, availableMemory: () => 600_000, pageBytes: 90_000 }, async (engine) => {
    await project(engine);
    assert.deepEqual(await answer(engine, query), whole);
    const { pageEvictions } = engine.statistics();
    assert.ok(pageEvictions > 0, 'pages have left');
  });
});

test('pages leave for a projected graph that needs their memory', async () => {
  let room = 1_000_000;
  let pages = (): number => 0;
  await withReader({ wholeTableRows: -1, availableMemory: () => room - pages(), pageBytes: 800_000 }, async (engine) => {
    pages = () => engine.statistics().pageBytes;
    room = 500_000;
    await engine.execute('MATCH (a:Person)-[r:KNOWS]->(b) RETURN count(a.note + r.note + b.note)', NONE);
    assert.ok(pages() > 150_000, `pages of ${pages()} bytes are in memory`);
    room = pages() + 150_000;
    await engine.execute("CALL gds.graph.project('g', 'Person', 'KNOWS')", NONE);
    assert.deepEqual(await answer(engine, 'CALL gds.graph.list("g") YIELD nodeCount RETURN nodeCount'), [String(PERSONS)]);
  });
});

/** Projections of rows, and for how many bytes there is room. */
const OF_ROWS: readonly (readonly [string, number])[] = [
  ["MATCH (a:Person)-[:KNOWS]->(b:Person) WITH gds.graph.project('g', a, b) AS g RETURN g.nodeCount, g.relationshipCount", 600_000],
  [
    'MATCH (a:Person)-[r:KNOWS]->(b:Person) WHERE a.age < 40 WITH a, r, b ' +
      "WITH gds.graph.project('g', a, b, {relationshipType: type(r), relationshipProperties: {w: r.w}, " +
      'sourceNodeProperties: a {.age}, targetNodeProperties: {age: b.age}}) AS g RETURN g.nodeCount, g.relationshipCount',
    600_000,
  ],
  [
    'MATCH (a:Person) OPTIONAL MATCH (a)-[:LIVES]->(c) ' +
      "WITH gds.graph.project('g', a, c, {sourceNodeLabels: labels(a)}) AS g RETURN g.nodeCount, g.relationshipCount",
    150_000,
  ],
];

for (const [query, room] of OF_ROWS) {
  test(`what is projected of rows is the same where these are read by page: ${query}`, async () => {
    const streams = [...STREAMS, 'CALL gds.graph.relationships.stream("g") YIELD sourceNodeId, targetNodeId RETURN *'];
    const answers = async (engine: Engine) => {
      const found = [await answer(engine, query)];
      for (const stream of streams) found.push(await answer(engine, stream));
      const [schema] = await answer(engine, 'CALL gds.graph.list("g") YIELD schema RETURN schema');
      if (/w: /.test(schema!)) {
        found.push(
          await answer(
            engine,
            'CALL gds.graph.relationshipProperty.stream("g", "w") YIELD sourceNodeId, targetNodeId, propertyValue RETURN *',
          ),
        );
        found.push(await answer(engine, 'CALL gds.graph.nodeProperty.stream("g", "age") YIELD nodeId, propertyValue RETURN *'));
      }
      return found;
    };
    const whole = await withReader({}, answers);
    await withReader(few(room), async (engine) => {
      assert.deepEqual(await answers(engine), whole);
      const { graphBytes, readsByPage } = engine.statistics();
      assert.ok(readsByPage > 0 && graphBytes < 100_000, `${graphBytes} bytes of tables were loaded`);
    });
  });
}

test('a graph of each group is stored once, though rows behind it miss pages', async () => {
  const query =
    "MATCH (c:City) WHERE c.id < 3 WITH c.id AS id, gds.graph.project(['g', 'h', 'i'][c.id], c, null) AS g " +
    'MATCH (p:Person) WHERE p.id = id * 900 + 1 RETURN g.graphName, g.nodeCount, p.note ORDER BY p.note';
  const expected = ["'g' | 1 | 'n1'", "'i' | 1 | 'n1801'", "'h' | 1 | 'n901'"];
  for (const parts of [{}, few(1_000_000), few(150_000), few(60_000)])
    await withReader(parts, async (engine) => {
      assert.deepEqual(await answer(engine, query), expected);
      assert.deepEqual(await answer(engine, 'CALL gds.graph.list() YIELD graphName RETURN graphName'), ["'g'", "'h'", "'i'"]);
    });
});

test('a graph that is projected for one call is projected of pages too, in a stream as well', async () => {
  const query =
    "CALL gds.pageRank.stream({nodeProjection: 'Person', relationshipProjection: {KNOWS: {properties: 'w'}}}, " +
    "{relationshipWeightProperty: 'w'})";
  const whole = await withReader({}, (engine) => answer(engine, query));
  await withReader(FEW, async (engine) => {
    assert.deepEqual(await answer(engine, query), whole);
    const stream = await engine.stream(query, NONE);
    let rows = 0;
    for await (const batch of stream.batches) rows += batch.length;
    assert.equal(rows, PERSONS);
  });
});

test('a projected graph for which there is no room is refused with what it takes', async () => {
  await withReader({ ...FEW, availableMemory: () => 100_000 }, async (engine) => {
    await assert.rejects(engine.execute("CALL gds.graph.project('g', 'Person', 'KNOWS')", NONE), {
      code: 'MEMORY_LIMIT',
      message: /takes 272\.8 KiB of memory while it is made, and 97\.7 KiB are left/,
    });
    assert.deepEqual(await answer(engine, 'CALL gds.graph.list() YIELD graphName RETURN graphName'), []);
    assert.deepEqual(await answer(engine, "CALL gds.graph.project('c', 'City', 'LIVES') YIELD nodeCount RETURN nodeCount"), ['100']);
  });
});

test('an algorithm for which there is no room is refused alone, and leaves nothing', async () => {
  let room = Number.POSITIVE_INFINITY;
  await withReader({ availableMemory: () => room }, async (engine) => {
    await engine.execute("CALL gds.graph.generate('g', 200000, 2)", NONE);
    const ranks = "CALL gds.pageRank.stats('g') YIELD ranIterations RETURN ranIterations > 0";
    room = 1_500_000;
    await assert.rejects(engine.execute(ranks, NONE), { code: 'MEMORY_LIMIT', message: /needs 1\.5 MiB more, and 1\.4 MiB are left/ });
    assert.deepEqual(await answer(engine, 'CALL gds.listProgress() YIELD jobId RETURN jobId'), []);
    room = 10_000_000;
    assert.deepEqual(await answer(engine, ranks), ['true']);
  });
});

test('a projection loads what it names alone', async () => {
  await withReader({}, async (engine) => {
    await engine.execute("CALL gds.graph.project('g', 'City', {LIVES: {properties: 'since'}})", NONE);
    const { graphBytes } = engine.statistics();
    assert.ok(graphBytes < 200_000, `${graphBytes} bytes of tables were loaded`);
  });
});

test('paths of a projected graph are given out with the properties of their nodes', async () => {
  await withReader({}, async (engine) => {
    await engine.execute("CALL gds.graph.project('g', 'Person', 'KNOWS')", NONE);
    const paths = 'CALL gds.bfs.stream("g", {sourceNode: 7, maxDepth: 1}) YIELD path';
    const { rows } = await engine.execute(paths, NONE);
    assert.match(literalText(rows[0]![0]!), /age: 49/);
  });
});

test('a transaction that writes, and an expression, find what they project', async () => {
  const query =
    "CALL gds.wcc.stats({nodeProjection: 'Person', relationshipProjection: 'KNOWS'}) YIELD componentCount RETURN componentCount";
  const [count] = await withReader({}, (engine) => answer(engine, query));
  await withReader({}, async (engine) => {
    assert.deepEqual(await answer(engine, `RETURN [x IN [0] | COLLECT { ${query} }[x]][0] AS found`), [count]);
  });
  await setUp;
  const engine = await openEngine(URI, { flushIntervalMs: 0 });
  try {
    const transaction = await engine.begin({ mode: 'write' });
    const { rows } = await transaction.execute(query, NONE);
    assert.deepEqual(
      rows.map((row) => row.map(literalText).join()),
      [count],
    );
    await transaction.rollback();
  } finally {
    await engine.close();
  }
});

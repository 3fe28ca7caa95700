/** Writes to graphs that do not fit into memory load the tables of the written nodes alone, or end with MEMORY_LIMIT. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { type Engine, type EngineParts, openEngine } from '../../src/engine/index.ts';
import { dropMemoryStore } from '../../src/object-store/index.ts';
import { literalText, type Value } from '../../src/value/index.ts';

const LOCATION = { scheme: 'memory', name: 'written-by-page', namespace: 'default' } as const;
const URI = 'memory://written-by-page';
const PERSONS = 500;
/** Room for the table of persons, but neither for the relationships nor for the texts of the cities. */
const FEW = 150_000;
const WHOLE = 10_000_000;
/** Room for the tables of all nodes, but not for the relationships beside them. */
const OF_NODES = 800_000;
after(() => dropMemoryStore(LOCATION));

type Run = (query: string) => Promise<string[]>;

async function opened(parts: EngineParts): Promise<{ readonly engine: Engine; readonly run: Run }> {
  const engine = await openEngine(URI, { flushIntervalMs: 0 }, { wholeTableRows: -1, pageBytes: 400_000, ...parts });
  const run: Run = async (query) => {
    const { rows } = await engine.execute(query, new Map<string, Value>([['last', PERSONS - 1]]));
    return rows.map((row) => row.map(literalText).join(' | '));
  };
  return { engine, run };
}

beforeEach(begin);

async function begin(): Promise<void> {
  dropMemoryStore(LOCATION);
  const { engine, run } = await opened({ artefactsFromRows: 0 });
  await run('CREATE INDEX FOR (p:Person) ON (p.id)');
  await run('UNWIND range(0, $last) AS i CREATE (:Person {id: i, note: i + " is a person with a note that takes some bytes"})');
  await run(
    'UNWIND range(0, 799) AS i CREATE (:City {id: i, text: reduce(s = "", k IN range(0, 99) | s + toString(i * 7919 + k * k * 31))})',
  );
  await run(
    'UNWIND range(1, 9) AS k MATCH (a:Person) MATCH (b:Person {id: (a.id * 7 + k * k * 31) % ($last + 1)}) CREATE (a)-[:KNOWS {w: k}]->(b)',
  );
  await engine.flush();
  await engine.compact();
  await engine.close();
}

/** Runs with so many bytes of memory beside what the graph has loaded. */
async function withRoom<T>(bytes: number | (() => number), use: (run: Run, engine: Engine) => Promise<T>): Promise<T> {
  let loaded = (): number => 0;
  const { engine, run } = await opened({ availableMemory: () => (typeof bytes === 'number' ? bytes : bytes()) - loaded() });
  loaded = () => engine.statistics().graphBytes;
  try {
    return await use(run, engine);
  } finally {
    loaded = () => 0;
    await engine.close();
  }
}

/** Bytes of the graph in memory that hold neither the relationships nor the texts. */
const MOST_LOADED = 100_000;
const PROJECT = "CALL gds.graph.project('g', 'Person', 'KNOWS') YIELD nodeCount RETURN nodeCount";

const WRITES: Readonly<Record<string, readonly [call: string, read: string]>> = {
  'properties of nodes': [
    "CALL gds.pageRank.write('g', {writeProperty: 'r', writeBatchSize: 64}) YIELD nodePropertiesWritten AS n",
    'MATCH (p:Person) WITH p ORDER BY p.id RETURN p.id, p.note, p.r',
  ],
  'pairs of nodes': [
    "CALL gds.nodeSimilarity.write('g', {writeProperty: 's', writeRelationshipType: 'LIKE', topK: 2}) YIELD relationshipsWritten AS n",
    'MATCH (a:Person)-[l:LIKE]->(b) WITH a.id AS a, b.id AS b, l.s AS s ORDER BY a, b RETURN a, b, s',
  ],
  paths: [
    "CALL gds.allShortestPaths.dijkstra.write('g', {sourceNode: 3, writeRelationshipType: 'WAY'}) YIELD relationshipsWritten AS n",
    'MATCH (a:Person)-[w:WAY]->(b) WITH a.id AS a, b.id AS b, w.totalCost AS c ORDER BY b RETURN a, b, c',
  ],
  'properties of a projected graph': [
    "CALL gds.degree.mutate('g', {mutateProperty: 'd'}) YIELD nodePropertiesWritten AS m " +
      "CALL gds.graph.nodeProperties.write('g', 'd', ['*'], {writeBatchSize: 64}) YIELD propertiesWritten AS n",
    'MATCH (p:Person) WITH p ORDER BY p.id RETURN p.id, p.note, p.d',
  ],
  'relationships of a projected graph': [
    "CALL gds.nodeSimilarity.mutate('g', {mutateProperty: 's', mutateRelationshipType: 'LIKE', topK: 1}) YIELD relationshipsWritten AS m " +
      "CALL gds.graph.relationship.write('g', 'LIKE', 's') YIELD relationshipsWritten AS n",
    'MATCH (a:Person)-[l:LIKE]->(b) WITH a.id AS a, b.id AS b, l.s AS s ORDER BY a, b RETURN a, b, s',
  ],
  labels: [
    "CALL gds.graph.nodeLabel.write('g', 'Even', {nodeFilter: '*'}) YIELD nodeLabelsWritten AS n",
    'MATCH (p:Even) WITH p ORDER BY p.id RETURN p.id, p.note',
  ],
};

for (const [name, [call, read]] of Object.entries(WRITES)) {
  test(`writing loads the tables of the written nodes alone: ${name}`, async () => {
    const written = await withRoom(FEW, async (run, engine) => {
      assert.deepEqual(await run(PROJECT), [String(PERSONS)]);
      const [count] = await run(`${call} RETURN n`);
      const { graphBytes } = engine.statistics();
      assert.ok(graphBytes < MOST_LOADED, `${graphBytes} bytes of tables were loaded`);
      assert.notEqual(count, '0');
      await engine.flush();
      return count;
    });
    const found = await withRoom(WHOLE, (run) => run(read));
    assert.ok(found.length > 0);
    // What is written where all is in memory is the same.
    await begin();
    await withRoom(WHOLE, async (run) => {
      await run(PROJECT);
      assert.deepEqual(await run(`${call} RETURN n`), [written]);
      assert.deepEqual(await run(read), found);
    });
  });
}

test('a write for whose nodes there is no room is refused alone, and changes nothing', async () => {
  let room = FEW;
  await withRoom(
    () => room,
    async (run) => {
      await run(PROJECT);
      room = 12_000;
      for (const call of Object.values(WRITES).map(([text]) => text))
        await assert.rejects(run(`${call} RETURN n`), { code: 'MEMORY_LIMIT' });
      assert.deepEqual(await run('CALL gds.listProgress() YIELD jobId RETURN jobId'), []);
      assert.deepEqual(await run('CALL gds.graph.list() YIELD graphName RETURN graphName'), ["'g'"]);
      room = WHOLE;
      assert.deepEqual(await run('MATCH (p:Person) RETURN count(p.r), count(p.d)'), ['0 | 0']);
      assert.deepEqual(await run("CALL gds.pageRank.write('g', {writeProperty: 'r'}) YIELD nodePropertiesWritten AS n RETURN n"), ['500']);
    },
  );
});

test('nodes that a statement gives out beside what it writes are read without what they lead to', async () => {
  const call =
    "CALL gds.pageRank.write('g', {writeProperty: 'r'}) YIELD nodePropertiesWritten AS n " +
    "CALL gds.wcc.stream('g') YIELD nodeId RETURN n, gds.util.asNode(nodeId).id AS id, gds.util.asNode(nodeId).r > 0 AS ranked ORDER BY id";
  await withRoom(FEW, async (run, engine) => {
    await run(PROJECT);
    const rows = await run(call);
    assert.equal(rows.length, PERSONS);
    assert.equal(rows[7], '500 | 7 | true');
    const { graphBytes } = engine.statistics();
    assert.ok(graphBytes < MOST_LOADED, `${graphBytes} bytes of tables were loaded`);
    // A node that is changed by its variable may be one of any label, and is needed whole.
    const set = "CALL gds.wcc.stream('g') YIELD nodeId, componentId WITH gds.util.asNode(nodeId) AS n, componentId SET n.c = componentId";
    await assert.rejects(run(set), { code: 'MEMORY_LIMIT' });
  });
  await withRoom(OF_NODES, async (run, engine) => {
    await run("CALL gds.graph.project('g', 'Person', 'KNOWS')");
    await run("CALL gds.wcc.stream('g') YIELD nodeId, componentId WITH gds.util.asNode(nodeId) AS n, componentId SET n.c = componentId");
    const { graphBytes } = engine.statistics();
    assert.ok(graphBytes < OF_NODES, `${graphBytes} bytes of tables were loaded`);
    assert.deepEqual(await run('MATCH (p:Person) WHERE p.c IS NOT NULL RETURN count(*)'), [String(PERSONS)]);
  });
});

test('a projection in a transaction that writes loads what it names, or is refused', async () => {
  await withRoom(100_000, async (_, engine) => {
    let transaction = await engine.begin({ mode: 'write' });
    const run = async (query: string) => (await transaction.execute(query, new Map())).rows.map((row) => row.map(literalText).join(' | '));
    await run('CREATE (:Person {id: 500})');
    await assert.rejects(run(PROJECT), { code: 'MEMORY_LIMIT', message: /reads tables and columns that take/ });
    transaction = await engine.begin({ mode: 'write' });
    await run('CREATE (:Person {id: 500})');
    assert.deepEqual(await run("CALL gds.graph.project('p', 'Person', []) YIELD nodeCount RETURN nodeCount"), ['501']);
    assert.deepEqual(await run("CALL gds.degree.write('p', {writeProperty: 'd'}) YIELD nodePropertiesWritten AS n RETURN n"), ['501']);
    await transaction.commit();
    assert.deepEqual((await engine.execute('MATCH (p:Person {id: 500}) RETURN p.d', new Map())).rows.length, 1);
  });
});

test('a statement that has committed batches, or changed the catalog, is not run again when room was made', async () => {
  let room = OF_NODES;
  await withRoom(
    () => room,
    async (run, engine) => {
      const fill = 'MATCH (c:City {id: 0}) SET c.seen = true';
      await run(fill);
      room = engine.statistics().graphBytes + 100_000;
      const batches =
        'UNWIND [0, 1] AS i CALL (i) { CREATE (:Log {i: i}) WITH i WHERE i = 1 ' +
        "CALL gds.graph.project('h', 'Person', 'KNOWS') YIELD nodeCount RETURN nodeCount } IN TRANSACTIONS OF 1 ROW RETURN count(*)";
      await assert.rejects(run(batches), { code: 'MEMORY_LIMIT' });
      assert.deepEqual(await run('MATCH (l:Log) RETURN count(l)'), ['1']);
      room = engine.statistics().graphBytes + 20_000;
      const both =
        "CALL gds.graph.project('k', 'Person', []) YIELD nodeCount " +
        "CALL gds.degree.write('k', {writeProperty: 'd'}) YIELD nodePropertiesWritten AS n RETURN n";
      await assert.rejects(run(both), { code: 'MEMORY_LIMIT' });
      // Alone, the write is run again, over a graph from which the cities were unloaded.
      await run("CALL gds.graph.drop('k', false)");
      await run("CALL gds.graph.project('k', 'Person', [])");
      assert.deepEqual(await run("CALL gds.degree.write('k', {writeProperty: 'd'}) YIELD nodePropertiesWritten AS n RETURN n"), ['500']);
      const { graphBytes } = engine.statistics();
      assert.ok(graphBytes < MOST_LOADED, `${graphBytes} bytes of tables are loaded`);
    },
  );
});

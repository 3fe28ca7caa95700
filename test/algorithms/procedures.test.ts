/** The procedures of graph algorithms, through an engine: catalog, modes, columns, faults, limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { algorithms } from '../../src/algorithms/index.ts';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText, type Value } from '../../src/value/index.ts';

const NONE = new Map<string, Value>();
let engines = 0;

const PAGES = `CREATE (home:Page {name: 'Home'}), (about:Page {name: 'About'}), (product:Page {name: 'Product'}), (links:Page
 {name: 'Links'}),
  (a:Page:Site {name: 'Site A'}), (b:Page:Site {name: 'Site B'}), (:Other),
  (home)-[:LINKS {weight: 0.25}]->(about), (home)-[:LINKS {weight: 0.25}]->(links), (home)-[:LINKS {weight: 0.5}]->(product),
  (about)-[:LINKS {weight: 1}]->(home), (product)-[:LINKS {weight: 1}]->(home), (a)-[:LINKS {weight: 1}]->(home), (b)-[:LINKS
  {weight: 1}]->(home),
  (links)-[:LINKS {weight: 0.75}]->(home), (links)-[:LINKS {weight: 0.125}]->(a), (links)-[:LINKS {weight: 0.125}]->(b), (a)-[:KNOWS]->(b)`;

async function withEngine(run: (engine: Engine) => Promise<void>, options: { readonly readWorkers?: number } = {}): Promise<void> {
  const engine = await openEngine(`memory://algorithms-${++engines}`, { flushIntervalMs: 0, ...options });
  try {
    await engine.execute(PAGES, NONE);
    await run(engine);
  } finally {
    await engine.close();
  }
}

async function answer(engine: Engine, query: string, parameters = NONE): Promise<string[]> {
  return (await engine.execute(query, parameters)).rows.map((row) => row.map(literalText).join(' | '));
}

const PROJECT = "CALL gds.graph.project('g', 'Page', {LINKS: {properties: 'weight'}})";
const PROJECT_BOTH_WAYS = "CALL gds.graph.project('u', ['Page', 'Site'], {LINKS: {orientation: 'UNDIRECTED', properties: 'weight'}})";

test('a graph is projected, listed, and dropped', () =>
  withEngine(async (engine) => {
    assert.deepEqual(await answer(engine, `${PROJECT} YIELD graphName, nodeCount, relationshipCount RETURN *`), ["'g' | 6 | 10"]);
    assert.deepEqual(await answer(engine, `${PROJECT_BOTH_WAYS} YIELD nodeCount, relationshipCount RETURN *`), ['6 | 20']);
    assert.deepEqual(await answer(engine, 'CALL gds.graph.list() YIELD graphName, nodeCount, relationshipCount, density RETURN *'), [
      "0.3333333333333333 | 'g' | 6 | 10",
      "0.6666666666666666 | 'u' | 6 | 20",
    ]);
    assert.deepEqual(
      await answer(engine, "CALL gds.graph.list('g') YIELD degreeDistribution AS d, sizeInBytes AS s RETURN d.max, d.min, s > 0"),
      ['3 | 1 | true'],
    );
    await assert.rejects(answer(engine, PROJECT), { code: 'ARGUMENT_ERROR', message: /already exists/ });
    assert.deepEqual(await answer(engine, "CALL gds.graph.exists('g') YIELD exists RETURN exists"), ['true']);
    assert.deepEqual(await answer(engine, "CALL gds.graph.drop('g') YIELD graphName RETURN graphName"), ["'g'"]);
    assert.deepEqual(await answer(engine, "CALL gds.graph.exists('g') YIELD exists RETURN exists"), ['false']);
    await assert.rejects(answer(engine, "CALL gds.graph.drop('g')"), { code: 'ARGUMENT_ERROR', message: /does not exist/ });
    assert.deepEqual(await answer(engine, "CALL gds.graph.drop('g', false) YIELD graphName RETURN graphName"), []);
    await assert.rejects(answer(engine, "CALL gds.pageRank.stream('g')"), { code: 'ARGUMENT_ERROR', message: /does not exist/ });
  }));

test('a projection is of the graph as it was', () =>
  withEngine(async (engine) => {
    await answer(engine, PROJECT);
    await answer(engine, "MATCH (n {name: 'Site A'}) DETACH DELETE n");
    await answer(engine, "CREATE (:Page {name: 'New'})");
    assert.deepEqual(await answer(engine, "CALL gds.degree.stream('g') YIELD score RETURN count(*), sum(score)"), ['6 | 10.0']);
    assert.deepEqual(await answer(engine, "CALL gds.degree.write('g', {writeProperty: 'd'}) YIELD nodePropertiesWritten RETURN *"), ['5']);
    assert.deepEqual(await answer(engine, 'MATCH (n:Page) WHERE n.d IS NOT NULL RETURN count(*)'), ['5']);
  }));

test('forms of projections', () =>
  withEngine(async (engine) => {
    const size = async (nodes: string, relationships: string, configuration = '{}'): Promise<string> => {
      await answer(engine, "CALL gds.graph.drop('f', false)");
      const [row] = await answer(
        engine,
        `CALL gds.graph.project('f', ${nodes}, ${relationships}, ${configuration}) YIELD nodeCount, relationshipCount RETURN *`,
      );
      return row!;
    };
    assert.equal(await size("'*'", "'*'"), '7 | 11');
    assert.equal(await size("['Site']", "'*'"), '2 | 1');
    assert.equal(await size("{Everything: {label: '*'}}", "{A: {type: 'LINKS'}, B: {type: 'KNOWS', orientation: 'REVERSE'}}"), '7 | 11');
    assert.equal(await size("'Missing'", "'LINKS'"), '0 | 0');
    await answer(engine, "MATCH (a {name: 'About'}), (b {name: 'Home'}) CREATE (a)-[:LINKS {weight: 3}]->(b)");
    assert.equal(await size("'Page'", "'LINKS'"), '6 | 11');
    for (const [aggregation, weight] of [
      ['SUM', '4.0'],
      ['MIN', '1.0'],
      ['MAX', '3.0'],
      ['SINGLE', '1.0'],
      ['COUNT', '2.0'],
    ]) {
      assert.equal(await size("'Page'", `{LINKS: {properties: {weight: {aggregation: '${aggregation}'}}}}`), '6 | 10');
      const rows = await answer(
        engine,
        `CALL gds.graph.relationshipProperty.stream('f', 'weight') YIELD sourceNodeId, targetNodeId, propertyValue
         WITH gds.util.asNode(sourceNodeId).name AS source, gds.util.asNode(targetNodeId).name AS target, propertyValue
         WHERE source = 'About' RETURN target, propertyValue`,
      );
      assert.deepEqual(rows, [`'Home' | ${weight}`], aggregation);
    }
    await assert.rejects(size("'Page'", "{LINKS: {properties: {a: {property: 'weight', aggregation: 'SUM'}, b: {property: 'weight'}}}}"), {
      code: 'ARGUMENT_ERROR',
    });
    await assert.rejects(size("'Page'", "{LINKS: {orientation: 'SIDEWAYS'}}"), { code: 'ARGUMENT_ERROR', message: /SIDEWAYS/ });
    await assert.rejects(size("'Page'", "'LINKS'", "{nodeProperties: 'name'}"), { code: 'TYPE_ERROR' });
    await assert.rejects(size("'Page'", "'LINKS'", "{nodeProperties: 'missing'}"), { code: 'ARGUMENT_ERROR' });
    await assert.rejects(size("'Page'", "'LINKS'", "{nodePropertys: 'x'}"), {
      code: 'ARGUMENT_ERROR',
      message: /Did you mean \[nodeProperties\]/,
    });
    await assert.rejects(size('5', "'LINKS'"), { code: 'TYPE_ERROR' });
    await answer(engine, "MATCH (n {name: 'Home'}) SET n.age = 7, n.list = [1.5, 2]");
    assert.equal(
      await size("'Page'", "'LINKS'", "{nodeProperties: ['age', 'list', {rank: {property: 'none', defaultValue: 0.5}}]}"),
      '6 | 11',
    );
    assert.deepEqual(
      await answer(
        engine,
        "CALL gds.graph.nodeProperties.stream('f', ['age', 'list', 'rank']) YIELD nodeId, nodeProperty, propertyValue WITH * " +
          'WHERE nodeId < 2 RETURN *',
      ),
      [
        "0 | 'age' | 7",
        "0 | 'list' | [1.5, 2.0]",
        "0 | 'rank' | 0.5",
        "1 | 'age' | -9223372036854775808",
        "1 | 'list' | []",
        "1 | 'rank' | 0.5",
      ],
    );
  }));

/** The mandatory configuration, for nodes 0 and 1. */
const MANDATORY: Readonly<Record<string, string>> = {
  bfs: 'sourceNode: 0',
  dfs: 'sourceNode: 0',
  'shortestPath.dijkstra': 'sourceNode: 1, targetNode: 3',
  'shortestPath.astar': "sourceNode: 1, targetNode: 3, latitudeProperty: 'x', longitudeProperty: 'x'",
  'shortestPath.yens': 'sourceNode: 1, targetNode: 3, k: 2',
  'allShortestPaths.dijkstra': 'sourceNode: 1',
  'allShortestPaths.delta': 'sourceNode: 1',
  spanningTree: 'sourceNode: 0',
  knn: "nodeProperties: 'x'",
  'knn.filtered': "nodeProperties: 'x'",
  fastRP: 'embeddingDimension: 4',
  node2vec: 'embeddingDimension: 4, walkLength: 4',
  randomWalk: 'walkLength: 4',
  scaleProperties: "nodeProperties: 'x', scaler: 'MAX'",
};
const OF_MODE = {
  stream: { nodes: '', pairs: '', paths: '' },
  stats: { nodes: '', pairs: '', paths: '' },
  mutate: { nodes: "mutateProperty: 'm'", pairs: "mutateRelationshipType: 'M', mutateProperty: 'm'", paths: "mutateRelationshipType: 'M'" },
  write: {
    nodes: "writeProperty: 'w'",
    pairs: "writeRelationshipType: 'W', writeProperty: 'w'",
    paths: "writeRelationshipType: 'W', writeCosts: true, writeNodeIds: true",
  },
};

test('every algorithm in every mode', () =>
  withEngine(async (engine) => {
    await answer(engine, 'MATCH (n:Page) SET n.x = size(n.name) * 1.5');
    for (const { name, modes, kind, needsUndirected } of algorithms) {
      for (const graph of needsUndirected ? ["'u'"] : ["'g'", "'u'"]) {
        await answer(engine, "CALL gds.graph.drop(['g', 'u'], false)");
        await answer(engine, "CALL gds.graph.project('g', 'Page', 'LINKS', {nodeProperties: 'x'})");
        await answer(engine, "CALL gds.graph.project('u', 'Page', {LINKS: {orientation: 'UNDIRECTED'}}, {nodeProperties: 'x'})");
        for (const mode of modes) {
          const configuration = `{${["relationshipTypes: ['LINKS']", MANDATORY[name], OF_MODE[mode][kind]].filter(Boolean).join(', ')}}`;
          const { columns, rows } = await engine.execute(`CALL gds.${name}.${mode}(${graph}, ${configuration})`, NONE);
          assert.ok(rows.length > 0, `${name}.${mode}`);
          if (mode !== 'stream') assert.ok(columns.includes('configuration') && columns.includes('computeMillis') && rows.length === 1);
          if (mode === 'mutate' || mode === 'write') {
            const written = rows[0]![columns.indexOf(kind === 'nodes' ? 'nodePropertiesWritten' : 'relationshipsWritten')];
            assert.ok(Number(written) > 0, `${name}.${mode}`);
          }
          const [estimate] = await answer(
            engine,
            `CALL gds.${name}.${mode}.estimate(${graph}, ${configuration}) YIELD bytesMin, bytesMax, nodeCount RETURN bytesMax ` +
              '> 0, bytesMin <= bytesMax, nodeCount',
          );
          assert.equal(estimate, 'true | true | 6');
          await assert.rejects(
            engine.execute(
              `CALL gds.${name}.${mode}(${graph}, {${MANDATORY[name] ?? ''}${MANDATORY[name] ? ', ' : ''}unknownKey: 1})`,
              NONE,
            ),
            { code: 'ARGUMENT_ERROR' },
          );
        }
        assert.deepEqual(await answer(engine, 'CALL gds.listProgress()'), []);
        await answer(engine, 'MATCH (n:Page) REMOVE n.w');
        await answer(engine, 'MATCH ()-[r:W]->() DELETE r');
      }
    }
  }));

test('estimates are bounds, and those of `mutate` count the relationships that it adds', () =>
  withEngine(async (engine) => {
    await answer(engine, PROJECT);
    const bounds = async (name: string, configuration: string, graph = "'g'"): Promise<number[]> => {
      const columns = 'YIELD bytesMin, bytesMax RETURN bytesMin, bytesMax';
      const [row] = (await engine.execute(`CALL gds.${name}.estimate(${graph}, ${configuration}) ${columns}`, NONE)).rows;
      return row!.map(Number);
    };
    assert.deepEqual(await bounds('bfs.stream', '{sourceNode: 0}'), [6 * 8, 6 * 25]);
    // Six pairs of a path, and relationships with 12 bytes for each node and one more, and 8 for each pair.
    assert.deepEqual(await bounds('bfs.mutate', "{sourceNode: 0, mutateRelationshipType: 'M'}"), [48, 6 * (25 + 48) + 7 * 12 + 6 * 8]);
    assert.deepEqual(await bounds('shortestPath.yens.stream', '{sourceNode: 0, targetNode: 1, k: 3}'), [6 * 33, 6 * (33 + 3 * 64)]);
    assert.deepEqual(await bounds('shortestPath.yens.stream', '{sourceNode: 0, targetNode: 1, k: 1}'), [6 * 33, 6 * 33]);
    assert.deepEqual(await bounds('randomWalk.stream', '{walkLength: 10}'), [0, 360]);
    assert.deepEqual(await bounds('randomWalk.stream', "{walkLength: 10, relationshipWeightProperty: 'weight'}"), [80, 440]);
    assert.deepEqual(await bounds('allShortestPaths.delta.stream', '{sourceNode: 0}'), [6 * 13, 6 * 141]);
    // Labels may select no node, and types no relationship.
    assert.deepEqual((await bounds('bfs.stream', "{sourceNode: 0, nodeLabels: ['Page']}"))[0], 0);
    const weighted = "relationshipWeightProperty: 'weight'";
    assert.deepEqual(await bounds('randomWalk.stream', `{walkLength: 10, relationshipTypes: ['LINKS'], ${weighted}}`), [0, 440]);
    const [least] = await bounds('bfs.stream', '{sourceNode: 0}', "{nodeProjection: ['Page', 'Site'], relationshipProjection: 'LINKS'}");
    assert.equal(least, 6 * (4 + 8));
    const text = "CALL gds.bfs.stream.estimate('g', {sourceNode: 0}) YIELD requiredMemory RETURN requiredMemory";
    assert.deepEqual(await answer(engine, text), ["'[48 Bytes ... 150 Bytes]'"]);
  }));

test('what mutate and write store is what stream gives', () =>
  withEngine(async (engine) => {
    await answer(engine, PROJECT);
    const streamed = await answer(
      engine,
      "CALL gds.pageRank.stream('g') YIELD nodeId, score RETURN gds.util.asNode(nodeId).name AS name, score ORDER BY name",
    );
    await answer(engine, "CALL gds.pageRank.mutate('g', {mutateProperty: 'rank'})");
    const mutated = await answer(
      engine,
      "CALL gds.graph.nodeProperty.stream('g', 'rank') YIELD nodeId, propertyValue RETURN gds.util.asNode(nodeId).name AS name, " +
        'propertyValue ORDER BY name',
    );
    assert.deepEqual(mutated, streamed);
    await answer(engine, "CALL gds.pageRank.write('g', {writeProperty: 'rank'})");
    assert.deepEqual(await answer(engine, 'MATCH (n:Page) RETURN n.name AS name, n.rank ORDER BY name'), streamed);
    await assert.rejects(answer(engine, "CALL gds.pageRank.mutate('g', {mutateProperty: 'rank'})"), {
      code: 'ARGUMENT_ERROR',
      message: /already exists/,
    });
    await answer(engine, "CALL gds.graph.nodeProperties.write('g', [{rank: 'copy'}])");
    assert.deepEqual(await answer(engine, 'MATCH (n:Page) RETURN n.name AS name, n.copy ORDER BY name'), streamed);
    await answer(engine, "CALL gds.graph.nodeProperties.drop('g', 'rank')");
    await assert.rejects(answer(engine, "CALL gds.graph.nodeProperty.stream('g', 'rank')"), { code: 'ARGUMENT_ERROR' });
    await answer(engine, "CALL gds.nodeSimilarity.mutate('g', {mutateRelationshipType: 'ALIKE', mutateProperty: 'score'})");
    const alike = await answer(
      engine,
      "CALL gds.graph.relationshipProperty.stream('g', 'score', ['ALIKE']) YIELD sourceNodeId, targetNodeId, propertyValue RETURN *",
    );
    assert.deepEqual(
      alike.sort(),
      (
        await answer(
          engine,
          "CALL gds.nodeSimilarity.stream('g', {relationshipTypes: ['LINKS']}) YIELD node1, node2, similarity RETURN node1 AS " +
            'sourceNodeId, node2 AS targetNodeId, similarity AS v',
        ).then((rows) =>
          rows.map((row) => {
            const [a, b, c] = row.split(' | ');
            return `${c} | ${a} | ${b}`;
          }),
        )
      ).sort(),
    );
    await answer(engine, "CALL gds.graph.relationship.write('g', 'ALIKE', 'score')");
    assert.deepEqual(await answer(engine, 'MATCH ()-[r:ALIKE]->() RETURN count(r)'), [`${alike.length}`]);
    assert.deepEqual(await answer(engine, "CALL gds.graph.relationships.drop('g', 'ALIKE') YIELD deletedRelationships RETURN *"), [
      `${alike.length}`,
    ]);
  }));

test('a map in place of a name gives what the projected graph gives', () =>
  withEngine(async (engine) => {
    await answer(engine, PROJECT);
    const run = (graph: string): Promise<string[]> =>
      answer(engine, `CALL gds.pageRank.stream(${graph}, {relationshipWeightProperty: 'weight'})`);
    assert.deepEqual(await run("{nodeProjection: 'Page', relationshipProjection: {LINKS: {properties: 'weight'}}}"), await run("'g'"));
    await assert.rejects(
      answer(engine, "CALL gds.wcc.mutate({nodeProjection: 'Page', relationshipProjection: 'LINKS'}, {mutateProperty: 'x'})"),
      { code: 'TYPE_ERROR' },
    );
    await assert.rejects(run("{nodeProjection: 'Page'}"), { code: 'ARGUMENT_ERROR', message: /relationshipProjection/ });
    await assert.rejects(run('7'), { code: 'TYPE_ERROR' });
  }));

test('labels and types of a graph are selected', () =>
  withEngine(async (engine) => {
    await answer(engine, "CALL gds.graph.project('both', ['Page', 'Site'], ['LINKS', 'KNOWS'])");
    const components = (configuration: string): Promise<string[]> =>
      answer(
        engine,
        `CALL gds.wcc.stream('both', ${configuration}) YIELD nodeId, componentId RETURN gds.util.asNode(nodeId).name, componentId`,
      );
    assert.deepEqual(await components("{nodeLabels: ['Site'], relationshipTypes: ['LINKS']}"), ["'Site A' | 0", "'Site B' | 1"]);
    assert.deepEqual(await components("{nodeLabels: ['Site']}"), ["'Site A' | 0", "'Site B' | 0"]);
    assert.equal((await components('{minComponentSize: 7}')).length, 0);
    await answer(engine, "CALL gds.wcc.mutate('both', {nodeLabels: ['Site'], mutateProperty: 'c'})");
    assert.deepEqual(
      await answer(engine, "CALL gds.graph.nodeProperty.stream('both', 'c', ['Site']) YIELD propertyValue RETURN propertyValue"),
      ['0', '0'],
    );
    await assert.rejects(components("{nodeLabels: ['None']}"), { code: 'ARGUMENT_ERROR' });
    await assert.rejects(components("{relationshipTypes: ['NONE']}"), { code: 'ARGUMENT_ERROR' });
    await assert.rejects(components("{relationshipWeightProperty: 'none'}"), { code: 'ARGUMENT_ERROR' });
  }));

test('values of configurations are checked', () =>
  withEngine(async (engine) => {
    await answer(engine, PROJECT);
    for (const [configuration, code, message] of [
      ['{maxIterations: 0}', 'ARGUMENT_ERROR', 'Value for `maxIterations` was `0`, but must be within the range [1, ∞).'],
      ['{dampingFactor: 1.0}', 'ARGUMENT_ERROR', 'Value for `dampingFactor` was `1`, but must be within the range [0.00, 1.00).'],
      ["{maxIterations: 'x'}", 'TYPE_ERROR', 'The value of `maxIterations` must be of type `Integer` but was `String`.'],
      ['{dampingFaktor: 1}', 'ARGUMENT_ERROR', 'Unexpected configuration key: dampingFaktor (Did you mean [dampingFactor]?)'],
    ] as const)
      await assert.rejects(answer(engine, `CALL gds.pageRank.stream('g', ${configuration})`), { code, message });
    await assert.rejects(answer(engine, "CALL gds.bfs.stream('g', {sourceNodes: 1})"), {
      message: /Unexpected configuration key: sourceNodes/,
    });
    await assert.rejects(answer(engine, "CALL gds.triangleCount.stream('g')"), { code: 'ARGUMENT_ERROR', message: /UNDIRECTED/ });
  }));

test('paths have nodes of the database and relationships of their own', () =>
  withEngine(async (engine) => {
    await answer(engine, PROJECT);
    const query = `MATCH (a {name: 'About'}), (b {name: 'Site A'})
      CALL gds.shortestPath.dijkstra.stream('g', {sourceNode: a, targetNode: b, relationshipWeightProperty: 'weight'}) YIELD
      totalCost, costs, path
      RETURN totalCost, costs, [n IN nodes(path) | n.name] AS names, [r IN relationships(path) | r.cost] AS steps, length(path) AS length`;
    assert.deepEqual(await answer(engine, query), [
      "1.375 | [0.0, 1.0, 1.25, 1.375] | ['About', 'Home', 'Links', 'Site A'] | [1.0, 0.25, 0.125] | 3",
    ]);
    const { rows } = await engine.execute("CALL gds.bfs.stream('g', {sourceNode: 0}) YIELD path RETURN path", NONE);
    const path = rows[0]![0] as unknown as {
      nodes: { id: string }[];
      relationships: { type: string; sourceId: string; targetId: string }[];
    };
    assert.deepEqual(
      path.relationships.map(({ sourceId, targetId }) => [sourceId, targetId]),
      path.nodes.slice(1).map(({ id }, i) => [path.nodes[i]!.id, id]),
    );
  }));

test('the limits of a statement hold, and leave nothing behind', () =>
  withEngine(
    async (engine) => {
      await answer(engine, 'UNWIND range(1, 20000) AS i CREATE (:N {i: i})');
      await answer(engine, 'CREATE INDEX FOR (n:N) ON (n.i)');
      await answer(engine, 'MATCH (a:N) UNWIND [7, 11] AS by WITH a, a.i * by % 20001 AS i MATCH (b:N {i: i}) CREATE (a)-[:R]->(b)');
      await answer(engine, "CALL gds.graph.project('n', 'N', {R: {orientation: 'UNDIRECTED'}})");
      for (const call of [
        "gds.betweenness.stats('n')",
        "gds.closeness.stats('n')",
        "gds.pageRank.stats('n', {maxIterations: 1000000, tolerance: 0})",
        "gds.node2vec.stats('n', {embeddingDimension: 128})",
      ]) {
        const began = performance.now();
        await assert.rejects(engine.execute(`CALL ${call}`, NONE, { timeoutMs: 60 }), { code: 'QUERY_TIMEOUT' }, call);
        assert.ok(performance.now() - began < 2000, call);
        const stop = new AbortController();
        const cancelled = assert.rejects(engine.execute(`CALL ${call}`, NONE, { signal: stop.signal }), { code: 'CANCELLED' }, call);
        setTimeout(() => stop.abort(), 20);
        await cancelled;
      }
      await assert.rejects(engine.execute("CALL gds.pageRank.stats('n')", NONE, { memoryBytes: 200_000 }), { code: 'MEMORY_LIMIT' });
      await assert.rejects(engine.execute("CALL gds.graph.project('m', 'N', 'R')", NONE, { memoryBytes: 200_000 }), {
        code: 'MEMORY_LIMIT',
      });
      assert.deepEqual(await answer(engine, 'CALL gds.listProgress()'), []);
      assert.deepEqual(await answer(engine, 'CALL gds.graph.list() YIELD graphName RETURN graphName'), ["'n'"]);
      const calls = await answer(engine, "UNWIND range(1, 60) AS i CALL gds.wcc.stats('n') YIELD componentCount RETURN count(*)");
      assert.deepEqual(calls, ['60'], 'what a call charged is given back');
      const tasks = engine.execute("CALL gds.betweenness.stats('n')", NONE, { timeoutMs: 400 }).catch(() => 'over');
      for (let seen = 0, tries = 0; seen === 0; tries++) {
        assert.ok(tries < 100, 'the task is listed');
        await new Promise((resolve) => setTimeout(resolve, 5));
        seen = (await answer(engine, 'CALL gds.listProgress() YIELD taskName, status RETURN *')).length;
      }
      assert.equal(await tasks, 'over');
    },
    { readWorkers: 1 },
  ));

test('write rolls back with its transaction', () =>
  withEngine(async (engine) => {
    await answer(engine, PROJECT);
    const transaction = await engine.begin({ mode: 'write' });
    await transaction.execute("CALL gds.degree.write('g', {writeProperty: 'd', writeBatchSize: 2})", NONE);
    await transaction.rollback();
    assert.deepEqual(await answer(engine, 'MATCH (n) WHERE n.d IS NOT NULL RETURN count(*)'), ['0']);
  }));

test('the library tells of itself', () =>
  withEngine(async (engine) => {
    assert.deepEqual(
      await answer(engine, 'RETURN gds.version() =~ "2\\\\..*" AS v, gds.util.isFinite(1.5), gds.util.isFinite(gds.util.infinity())'),
      ['true | true | false'],
    );
    assert.deepEqual(await answer(engine, 'CALL gds.version() YIELD gdsVersion RETURN gdsVersion = gds.version()'), ['true']);
    assert.deepEqual(await answer(engine, "CALL gds.list('gds.wcc.stream') YIELD name RETURN name"), ["'gds.wcc.stream'"]);
    const [count] = await answer(engine, 'CALL gds.list() YIELD name RETURN count(*)');
    assert.equal(
      Number(count),
      algorithms.reduce((sum, { modes }) => sum + modes.length, 0),
    );
    assert.deepEqual(await answer(engine, "CALL gds.debug.sysInfo() YIELD key, value WITH * WHERE key = 'gdsEdition' RETURN value"), [
      "'Unlicensed'",
    ]);
    assert.deepEqual(await answer(engine, "MATCH (n {name: 'Home'}) RETURN gds.util.asNodes([0, 1])[0] = n"), ['true']);
    for (const wrong of ["gds.util.asNode('x')", 'gds.util.asNode(-1)', 'gds.util.asNodes([0.5])'])
      await assert.rejects(answer(engine, `RETURN ${wrong}`), { code: 'TYPE_ERROR' });
  }));

test('rows become a graph by aggregation', () =>
  withEngine(
    async (engine) => {
      const project = (name: string, configuration = '{}'): Promise<string[]> =>
        answer(
          engine,
          `MATCH (a:Page) OPTIONAL MATCH (a)-[r:LINKS]->(b:Page)
           WITH gds.graph.project('${name}', a, b, {sourceNodeLabels: labels(a), targetNodeLabels: labels(b), relationshipType: type(r),
             relationshipProperties: {weight: r.weight}, sourceNodeProperties: {length: size(a.name)}}, ${configuration}) AS g
           RETURN g.graphName, g.nodeCount, g.relationshipCount`,
        );
      assert.deepEqual(await project('rows'), ["'rows' | 6 | 10"]);
      await answer(engine, PROJECT);
      const run = (graph: string): Promise<string[]> =>
        answer(engine, `CALL gds.pageRank.stream('${graph}', {relationshipWeightProperty: 'weight'})`);
      assert.deepEqual(await run('rows'), await run('g'));
      assert.deepEqual(await answer(engine, "CALL gds.wcc.stream('rows', {nodeLabels: ['Site']}) YIELD nodeId RETURN count(*)"), ['2']);
      assert.deepEqual(
        await answer(engine, "CALL gds.graph.nodeProperty.stream('rows', 'length') YIELD propertyValue RETURN sum(propertyValue)"),
        ['33'],
      );
      assert.deepEqual(await project('both', "{undirectedRelationshipTypes: ['*']}"), ["'both' | 6 | 20"]);
      assert.deepEqual(await answer(engine, "CALL gds.triangleCount.stats('both') YIELD globalTriangleCount RETURN *"), ['2']);
      assert.deepEqual(await answer(engine, "MATCH (n:Nothing) RETURN gds.graph.project('none', n) AS g"), ['null']);
      await assert.rejects(project('rows'), { code: 'ARGUMENT_ERROR', message: /already exists/ });
      await assert.rejects(answer(engine, "MATCH (n:Page) RETURN gds.graph.project('x', n.name)"), { code: 'TYPE_ERROR' });
      await assert.rejects(answer(engine, "MATCH (n:Page) RETURN gds.graph.project('x', n, null, {wrong: 1})"), { code: 'ARGUMENT_ERROR' });
      assert.deepEqual(await answer(engine, "CALL gds.graph.exists('x') YIELD exists RETURN exists"), ['false']);
    },
    { readWorkers: 1 },
  ));

test('write commits batch by batch where the statement is the call alone', () =>
  withEngine(async (engine) => {
    await answer(engine, 'UNWIND range(1, 5000) AS i CREATE (:N)');
    await answer(engine, "CALL gds.graph.project('n', 'N', '*')");
    const write = (key: string, more = ''): string =>
      `CALL gds.degree.write('n', {writeProperty: '${key}', writeBatchSize: 500}) YIELD nodePropertiesWritten${more}`;
    const alone = await engine.execute(write('a'), NONE, { memoryBytes: 600_000 });
    assert.deepEqual(alone.rows, [[5000]]);
    assert.deepEqual(await answer(engine, 'MATCH (n:N) WHERE n.a IS NOT NULL RETURN count(*)'), ['5000']);
    await assert.rejects(engine.execute(write('b', ' RETURN nodePropertiesWritten'), NONE, { memoryBytes: 600_000 }), {
      code: 'MEMORY_LIMIT',
    });
    assert.deepEqual(await answer(engine, 'MATCH (n:N) WHERE n.b IS NOT NULL RETURN count(*)'), ['0']);
    const transaction = await engine.begin({ mode: 'write' });
    await transaction.execute(write('c'), NONE);
    await transaction.rollback();
    assert.deepEqual(await answer(engine, 'MATCH (n:N) WHERE n.c IS NOT NULL RETURN count(*)'), ['0']);
  }));

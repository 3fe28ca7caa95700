/** Procedures and functions of the catalog that make graphs of graphs, label nodes, or are asked by clients. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, type EngineParts, openEngine } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

let opened = 0;

/** The time slices of statements in which others run between any two pieces of work. */
const ALTERNATING: EngineParts = { sliceMs: 0 };

async function withEngine(
  run: (answer: (text: string) => Promise<string[]>, engine: Engine) => Promise<void>,
  parts: EngineParts = {},
): Promise<void> {
  const engine = await openEngine(`memory://graph-parts-${opened++}`, { flushIntervalMs: 0 }, parts);
  try {
    const answer = async (text: string): Promise<string[]> =>
      (await engine.execute(text, new Map())).rows.map((row) => row.map(literalText).join(' | '));
    await answer(
      `CREATE (a:Person {age: 30}), (b:Person {age: 40}), (c:Person {age: 50}), (d:Robot {age: 60})
       CREATE (a)-[:KNOWS {w: 1.0}]->(b), (b)-[:KNOWS {w: 2.0}]->(c), (c)-[:KNOWS {w: 0.5}]->(a), (c)-[:MADE {cost: 3}]->(d)`,
    );
    await answer(
      `CALL gds.graph.project('g', {Person: {properties: 'age'}, Robot: {properties: 'age'}}, {KNOWS: {properties: 'w'}, MADE: ` +
        `{properties: 'cost'}})`,
    );
    await run(answer, engine);
  } finally {
    await engine.close();
  }
}

test('filters keep nodes and relationships that pass', () =>
  withEngine(async (answer) => {
    const filtered = async (nodes: string, relationships: string, configuration = '{}'): Promise<string> => {
      const [counts] = await answer(
        `CALL gds.graph.filter('f', 'g', '${nodes}', '${relationships}', ${configuration}) YIELD nodeCount, relationshipCount RETURN *`,
      );
      await answer("CALL gds.graph.drop('f')");
      return counts!;
    };
    assert.equal(await filtered('*', '*'), '4 | 4');
    assert.equal(await filtered('n.age > 35', '*'), '3 | 2');
    assert.equal(await filtered('n:Person', 'r.w >= 1.0'), '3 | 2');
    assert.equal(await filtered('n:Person AND NOT n.age = 40', 'r:KNOWS'), '2 | 1');
    assert.equal(await filtered('n:Robot OR n.age <= $least', '*', '{parameters: {least: 30}}'), '2 | 0');
    assert.equal(await filtered('n:Person XOR n.age > 45', '*'), '3 | 1');
    assert.equal(await filtered('*', 'r:MADE AND r.cost = 3'), '4 | 1');
    assert.equal(await filtered('*', 'NOT r.w > 1.0'), '4 | 3');
    await answer("CALL gds.graph.filter('f', 'g', 'n.age > 35', '*')");
    assert.deepEqual(
      await answer(
        "CALL gds.graph.nodeProperty.stream('f', 'age') YIELD nodeId, propertyValue RETURN gds.util.asNode(nodeId).age = propertyValue",
      ),
      ['true', 'true', 'true'],
    );
    assert.deepEqual(
      await answer("CALL gds.graph.relationshipProperty.stream('f', 'w', 'KNOWS') YIELD propertyValue RETURN propertyValue"),
      ['2.0'],
    );
  }));

test('a filter that cannot be is refused, and leaves no graph', () =>
  withEngine(async (answer) => {
    for (const [nodes, relationships] of [
      ['n.size > 1', '*'],
      ['n:Cat', '*'],
      ['r.w > 1', '*'],
      ['*', 'r.size > 1'],
      ['*', 'r:HATES'],
      ['n.age > $missing', '*'],
      ['count(n) > 1', '*'],
      ["n.age > 'x'".replaceAll("'", '"'), '*'],
      ['true) AS x, (false', '*'],
    ])
      await assert.rejects(answer(`CALL gds.graph.filter('f', 'g', '${nodes}', '${relationships}')`), { code: 'ARGUMENT_ERROR' }, nodes);
    await assert.rejects(answer("CALL gds.graph.filter('f', 'g', 'n.age >', '*')"), { code: 'SYNTAX_ERROR' });
    await assert.rejects(answer("CALL gds.graph.filter('g', 'g', '*', '*')"), { code: 'ARGUMENT_ERROR' });
    assert.deepEqual(await answer("RETURN gds.graph.exists('f'), gds.graph.exists('g')"), ['false | true']);
  }));

test('nodes are labelled in the projected graph and in the database', () =>
  withEngine(async (answer) => {
    assert.deepEqual(
      await answer("CALL gds.graph.nodeLabel.mutate('g', 'Old', {nodeFilter: 'n.age > 45'}) YIELD nodeLabelsWritten, nodeCount RETURN *"),
      ['4 | 2'],
    );
    assert.deepEqual(await answer("CALL gds.wcc.stream('g', {nodeLabels: ['Old']}) YIELD nodeId RETURN count(*)"), ['2']);
    await assert.rejects(answer("CALL gds.graph.nodeLabel.mutate('g', 'Old', {nodeFilter: '*'})"), { code: 'ARGUMENT_ERROR' });
    assert.deepEqual(
      await answer("CALL gds.graph.nodeLabel.write('g', 'Old', {nodeFilter: 'n.age > 45'}) YIELD nodeLabelsWritten RETURN *"),
      ['2'],
    );
    assert.deepEqual(await answer('MATCH (n:Old) RETURN n.age ORDER BY n.age'), ['50', '60']);
  }));

test('relationships become undirected ones of another type', () =>
  withEngine(async (answer) => {
    const call = "CALL gds.graph.relationships.toUndirected('g', {relationshipType: 'KNOWS', mutateRelationshipType: 'FRIENDS'})";
    assert.deepEqual(await answer(`${call} YIELD inputRelationships, relationshipsWritten RETURN *`), ['3 | 6']);
    assert.deepEqual(
      await answer("CALL gds.triangleCount.stats('g', {relationshipTypes: ['FRIENDS']}) YIELD globalTriangleCount RETURN *"),
      ['1'],
    );
    assert.deepEqual(
      await answer("CALL gds.graph.relationshipProperty.stream('g', 'w', 'FRIENDS') YIELD propertyValue RETURN sum(propertyValue)"),
      ['7.0'],
    );
    await assert.rejects(answer(call), { code: 'ARGUMENT_ERROR' });
  }));

test('random graphs are those of their seed', () =>
  withEngine(async (answer) => {
    for (const name of ['one', 'two'])
      assert.deepEqual(
        await answer(
          `CALL gds.graph.generate('${name}', 50, 3, {relationshipSeed: 7, relationshipProperty: {name: 'w', type: 'RANDOM', ` +
            'min: 1, max: 2}}) YIELD nodes, relationships RETURN *',
        ),
        ['50 | 150'],
      );
    const streamed = (name: string): Promise<string[]> => answer(`CALL gds.graph.relationshipProperty.stream('${name}', 'w')`);
    assert.deepEqual(await streamed('one'), await streamed('two'));
    assert.deepEqual(
      await answer(
        "CALL gds.graph.relationshipProperty.stream('one', 'w') YIELD sourceNodeId AS s, targetNodeId AS t, propertyValue AS w " +
          'RETURN min(w) >= 1, max(w) < 2, any(x IN collect(s = t) WHERE x)',
      ),
      ['true | true | false'],
    );
    for (const distribution of ['RANDOM', 'POWER_LAW'])
      await answer(`CALL gds.graph.generate('${distribution}', 200, 4, {relationshipDistribution: '${distribution}'})`);
  }));

test('functions tell of projected graphs', () =>
  withEngine(async (answer) => {
    assert.deepEqual(
      await answer(
        "MATCH (n:Robot) CALL gds.degree.stream('g') YIELD nodeId, score WHERE gds.util.asNode(nodeId) = n RETURN " +
          "gds.util.nodeProperty('g', nodeId, 'age'), gds.util.nodeProperty('g', nodeId, 'age', 'Person')",
      ),
      ['60 | null'],
    );
    await assert.rejects(answer("RETURN gds.util.nodeProperty('g', 0, 'size')"), { code: 'ARGUMENT_ERROR' });
    await assert.rejects(answer("RETURN gds.util.nodeProperty('none', 0, 'age')"), { code: 'ARGUMENT_ERROR' });
  }));

test('similarity functions give the numbers of the manual', () =>
  withEngine(async (answer) => {
    assert.deepEqual(
      await answer(`RETURN round(gds.similarity.jaccard([1.0, 5.0, 3.0, 6.7], [5.0, 2.5, 3.1, 9.0]), 4),
       gds.similarity.overlap([1.0, 5.0, 3.0, 6.7], [5.0, 2.5, 3.1, 9.0]),
        round(gds.similarity.cosine([3, 8, 7, 5, 2, 9], [10, 8, 6, 6, 4, 5]), 4), round(gds.similarity.pearson([5, 8, 7, 5, 4,
        9], [7, 8, 6, 6, 4, 5]), 4),
        round(gds.similarity.euclideanDistance([3, 8, 7, 5, 2, 9], [10, 8, 6, 6, 4, 5]), 4), round(gds.similarity.euclidean([3,
        8, 7, 5, 2, 9], [10, 8, 6, 6, 4, 5]), 4),
        gds.similarity.cosine(null, [1])`),
      ['0.1429 | 0.25 | 0.8639 | 0.2877 | 8.4261 | 0.1061 | null'],
    );
    await assert.rejects(answer('RETURN gds.similarity.cosine([1], [1, 2])'), { code: 'ARGUMENT_ERROR' });
    await assert.rejects(answer("RETURN gds.similarity.cosine(['a'], [1])"), { code: 'TYPE_ERROR' });
  }));

test('former names do what those of today do', () =>
  withEngine(async (answer) => {
    for (const [former, today] of [
      ['gds.alpha.closeness.harmonic.stream', 'gds.closeness.harmonic.stream'],
      ['gds.beta.k1coloring.stream', 'gds.k1coloring.stream'],
      ['gds.alpha.scc.stream', 'gds.scc.stream'],
    ])
      assert.deepEqual(await answer(`CALL ${former}('g')`), await answer(`CALL ${today}('g')`));
    assert.deepEqual(await answer('CALL gds.license.state() YIELD isLicensed RETURN isLicensed = gds.isLicensed()'), ['true']);
    assert.deepEqual(await answer('CALL gds.memory.list() YIELD name, memoryInBytes RETURN name, memoryInBytes > 0'), ["'g' | true"]);
  }));

test('what has no nodes of the database is not written to it', () =>
  withEngine(async (answer) => {
    await answer("CALL gds.graph.generate('made', 4, 1, {relationshipSeed: 1})");
    await answer("CALL gds.graph.filter('part', 'made', '*', '*')");
    await answer("UNWIND [0, 1] AS i WITH gds.graph.project('numbers', i, 1 - i) AS g RETURN g.nodeCount");
    for (const name of ['made', 'part', 'numbers']) {
      await answer(`CALL gds.degree.mutate('${name}', {mutateProperty: 'd'})`);
      const type = name === 'numbers' ? '__ALL__' : 'REL';
      for (const call of [
        `gds.degree.write('${name}', {writeProperty: 'd'})`,
        `gds.nodeSimilarity.write('${name}', {writeProperty: 'd', writeRelationshipType: 'SIMILAR'})`,
        `gds.graph.nodeProperties.write('${name}', 'd')`,
        `gds.graph.relationship.write('${name}', '${type}')`,
        `gds.graph.nodeLabel.write('${name}', 'Made', {nodeFilter: '*'})`,
      ])
        await assert.rejects(answer(`CALL ${call}`), { code: 'ARGUMENT_ERROR', message: /cannot be written/ }, call);
      assert.deepEqual(await answer(`CALL gds.bfs.stream('${name}', {sourceNode: 0}) YIELD sourceNode, path RETURN *`), ['null | 0'], name);
    }
    assert.deepEqual(await answer('MATCH (n) WHERE n.d IS NOT NULL OR n:Made RETURN n'), []);
    assert.deepEqual(await answer('MATCH ()-[r]->() RETURN count(r)'), ['4']);
    await assert.rejects(answer("RETURN gds.graph.project('large', 4294967296, 1)"), { code: 'TYPE_ERROR' });
  }));

test('of calls at once that add one name to a graph, one succeeds', () =>
  withEngine(async (answer) => {
    await answer("CALL gds.graph.generate('large', 40000, 2)");
    for (const call of [
      "gds.degree.mutate('large', {mutateProperty: 'p'})",
      "gds.graph.nodeLabel.mutate('large', 'L', {nodeFilter: '*'})",
      "gds.graph.relationships.toUndirected('large', {relationshipType: 'REL', mutateRelationshipType: 'U'})",
      "gds.nodeSimilarity.mutate('large', {mutateProperty: 's', mutateRelationshipType: 'S', topK: 1})",
    ]) {
      const ended = await Promise.allSettled([1, 2, 3].map(() => answer(`CALL ${call}`)));
      assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 1, call);
      for (const each of ended) if (each.status === 'rejected') assert.match(String(each.reason), /already exists in the in-memory graph/);
    }
  }, ALTERNATING));

test('nothing is added to a graph that was dropped meanwhile', () =>
  withEngine(async (answer) => {
    for (const call of [
      "gds.pageRank.mutate('large', {mutateProperty: 'p'})",
      "gds.graph.nodeLabel.mutate('large', 'L', {nodeFilter: '*'})",
      "gds.graph.relationships.toUndirected('large', {relationshipType: 'REL', mutateRelationshipType: 'U'})",
      "gds.nodeSimilarity.mutate('large', {mutateProperty: 's', mutateRelationshipType: 'S', topK: 1})",
    ]) {
      await answer("CALL gds.graph.generate('large', 40000, 2)");
      const refused = assert.rejects(answer(`CALL ${call}`), { code: 'ARGUMENT_ERROR', message: /was dropped/ }, call);
      await answer("CALL gds.graph.drop('large') YIELD graphName CALL gds.graph.generate('large', 2, 1) YIELD name RETURN name");
      await refused;
      await answer("CALL gds.graph.drop('large')");
    }
  }, ALTERNATING));

test('names given twice count once, and no type is called *', () =>
  withEngine(async (answer) => {
    await answer("CALL gds.graph.project('n', '*', [])");
    for (const name of ['n', 'g']) {
      const refused = { code: 'ARGUMENT_ERROR', message: /not found in the graph/ };
      await assert.rejects(answer(`CALL gds.graph.relationships.drop('${name}', '*')`), refused);
      await assert.rejects(answer(`CALL gds.graph.relationship.write('${name}', '*')`), refused);
    }
    const removed = await answer("CALL gds.graph.nodeProperties.drop('g', ['age', 'age']) YIELD propertiesRemoved RETURN *");
    assert.deepEqual(removed, ['4']);
    assert.deepEqual(await answer("CALL gds.graph.drop(['n', 'n']) YIELD graphName RETURN graphName"), ["'n'"]);
    assert.deepEqual(await answer("CALL gds.graph.drop(['g', 'g'], false) YIELD graphName RETURN graphName"), ["'g'"]);
  }));

test('a call that fails at its first charge of memory is no task any more', () =>
  withEngine(async (answer, engine) => {
    const limited = engine.execute("CALL gds.pageRank.stats('g')", new Map(), { memoryBytes: 10 });
    await assert.rejects(limited, { code: 'MEMORY_LIMIT' });
    assert.deepEqual(await answer('CALL gds.listProgress() YIELD jobId RETURN jobId'), []);
  }));

/** Values in projected graphs, and what the modes make of them: aggregations, directions, names given twice, seeds, large Integers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

let opened = 0;

type Answer = (text: string) => Promise<string[]>;

/** Runs over (a)-[w: 1]->(b)-[w: 5]->(a), (b)-[w: 2]->(c), (b)-[]->(c). */
async function withEngine(run: (answer: Answer) => Promise<void>): Promise<void> {
  const engine = await openEngine(`memory://projected-values-${opened++}`, { flushIntervalMs: 0 }, {});
  try {
    const answer: Answer = async (text) => (await engine.execute(text, new Map())).rows.map((row) => row.map(literalText).join(' | '));
    await answer(
      `CREATE (a:N {name: 'a', id: 1, large: 1}), (b:N {name: 'b', id: 2, large: 9007199254740993}), (c:N {name: 'c', id: 3, half: 0.5})
       CREATE (a)-[:R {w: 1}]->(b), (b)-[:R {w: 5}]->(a), (b)-[:R {w: 2}]->(c), (b)-[:R]->(c)`,
    );
    await run(answer);
  } finally {
    await engine.close();
  }
}

const weights = (graph: string, type: string): string =>
  `CALL gds.graph.relationshipProperty.stream('${graph}', 'w', '${type}') YIELD sourceNodeId, targetNodeId, propertyValue
   RETURN gds.util.asNode(sourceNodeId).name + gds.util.asNode(targetNodeId).name, propertyValue`;

test('COUNT of a type counts the relationships that have a property, whatever its value', () =>
  withEngine(async (answer) => {
    await answer("CALL gds.graph.project('g', 'N', {R: {aggregation: 'COUNT', properties: {w: {defaultValue: 7}}}})");
    assert.deepEqual(await answer(weights('g', 'R')), ["'ab' | 1.0", "'ba' | 1.0", "'bc' | 1.0"]);
  }));

test('each label has a default of its own for a property, and a label without one has none', () =>
  withEngine(async (answer) => {
    await answer("CREATE (:A {name: 'd'}), (:A {name: 'e', x: 7}), (:B {name: 'f'}), (:A:B {name: 'g'}), (:C {name: 'h'})");
    const projected = (of: string): string => `CALL gds.graph.project('g', ${of}, '*')`;
    await answer(projected('{A: {properties: {x: {defaultValue: 10}}}, B: {properties: {x: {defaultValue: 20}}}}'));
    const stream = `CALL gds.graph.nodeProperty.stream('g', 'x') YIELD nodeId, propertyValue
      RETURN gds.util.asNode(nodeId).name, propertyValue`;
    assert.deepEqual(await answer(stream), ["'d' | 10", "'e' | 7", "'f' | 20", "'g' | 10"]);
    await answer("CALL gds.graph.drop('g') YIELD graphName RETURN graphName");
    const mixed = '{A: {properties: {x: {defaultValue: 10}}}, B: {properties: {x: {defaultValue: [1]}}}}';
    await assert.rejects(answer(projected(mixed)), { code: 'ARGUMENT_ERROR', message: /numbers and lists/ });
  }));

test('an undirected relationship has the same value in both directions', () =>
  withEngine(async (answer) => {
    const properties = 'properties: {w: {defaultValue: 3}}';
    await answer(`CALL gds.graph.project('g', 'N', {R: {orientation: 'UNDIRECTED', aggregation: 'SINGLE', ${properties}}})`);
    assert.deepEqual(await answer(weights('g', 'R')), ["'ab' | 1.0", "'ba' | 1.0", "'bc' | 2.0", "'cb' | 2.0"]);
    await answer(`CALL gds.graph.project('all', 'N', {R: {orientation: 'UNDIRECTED', ${properties}}})`);
    assert.deepEqual(await answer(weights('all', 'R')), [
      "'ab' | 1.0",
      "'ab' | 5.0",
      "'ba' | 1.0",
      "'ba' | 5.0",
      "'bc' | 2.0",
      "'bc' | 3.0",
      "'cb' | 2.0",
      "'cb' | 3.0",
    ]);
  }));

test('toUndirected aggregates as it is told', () =>
  withEngine(async (answer) => {
    await answer("CALL gds.graph.project('g', 'N', {R: {properties: 'w'}})");
    const expected = { SUM: ['6.0', 'NaN'], MIN: ['1.0', 'NaN'], max: ['5.0', 'NaN'], COUNT: ['2.0', '1.0'], SINGLE: ['1.0', '2.0'] };
    const call = (type: string, aggregation: string): string =>
      `CALL gds.graph.relationships.toUndirected('g',
         {relationshipType: 'R', mutateRelationshipType: '${type}', aggregation: ${aggregation}})`;
    for (const [aggregation, [ab, bc]] of Object.entries(expected)) {
      await answer(call(aggregation, `'${aggregation}'`));
      assert.deepEqual(await answer(weights('g', aggregation)), [`'ab' | ${ab}`, `'ba' | ${ab}`, `'bc' | ${bc}`, `'cb' | ${bc}`]);
    }
    await assert.rejects(answer(call('X', "'MEAN'")), { code: 'ARGUMENT_ERROR' });
    await assert.rejects(answer(call('X', "{w: 'SUM'}")), { code: 'TYPE_ERROR' });
  }));

test('relationships of a spanning tree lead from its root to its leaves', () =>
  withEngine(async (answer) => {
    await answer("CALL gds.graph.project('g', 'N', {R: {orientation: 'UNDIRECTED', properties: {w: {defaultValue: 3}}}})");
    const tree = "sourceNode: a, relationshipTypes: ['R'], relationshipWeightProperty: 'w'";
    await answer(
      `MATCH (a {name: 'a'}) CALL gds.spanningTree.mutate('g', {${tree}, mutateRelationshipType: 'T', mutateProperty: 'w'})
       YIELD relationshipsWritten RETURN *`,
    );
    assert.deepEqual(await answer(weights('g', 'T')), ["'ab' | 1.0", "'bc' | 2.0"]);
    await answer(
      `MATCH (a {name: 'a'}) CALL gds.spanningTree.write('g', {${tree}, writeRelationshipType: 'TREE', writeProperty: 'w'})
       YIELD relationshipsWritten RETURN *`,
    );
    assert.deepEqual(await answer('MATCH (a)-[r:TREE]->(b) RETURN a.name + b.name AS step, r.w ORDER BY step'), [
      "'ab' | 1.0",
      "'bc' | 2.0",
    ]);
  }));

test('a type that is given twice counts once', () =>
  withEngine(async (answer) => {
    await answer("CALL gds.graph.project('g', 'N', 'R')");
    const scores = "CALL gds.degree.stream('g', {relationshipTypes: ['R', 'R']}) YIELD score RETURN score";
    assert.deepEqual(await answer(scores), ['1.0', '3.0', '0.0']);
    assert.deepEqual(await answer("CALL gds.graph.relationships.stream('g', ['R', 'R']) YIELD sourceNodeId RETURN count(*)"), ['4']);
  }));

test('no source nodes are all nodes', () =>
  withEngine(async (answer) => {
    await answer("CALL gds.graph.project('g', 'N', 'R')");
    for (const name of ['pageRank', 'articleRank', 'eigenvector']) {
      const scores = (configuration: string): string => `CALL gds.${name}.stream('g', ${configuration}) YIELD score RETURN score`;
      assert.deepEqual(await answer(scores('{sourceNodes: []}')), await answer(scores('{}')));
    }
    for (const call of ['randomWalk.stream', 'node2vec.stream']) {
      const rows = (sources: string): string =>
        `CALL gds.${call}('g', {walkLength: 3, ${call.startsWith('n') ? 'embeddingDimension: 2, ' : ''}sourceNodes: ${sources}})
         YIELD ${call.startsWith('n') ? 'embedding' : 'nodeIds'} AS row RETURN row`;
      assert.deepEqual(await answer(rows('[]')), await answer(rows('null')));
      assert.notDeepEqual(await answer(rows('[]')), []);
    }
  }));

test('a property with an Integer beyond 2^53 is one of Floats, and no seed', () =>
  withEngine(async (answer) => {
    await answer("CALL gds.graph.project('g', 'N', 'R', {nodeProperties: [{large: {defaultValue: 2}, half: {defaultValue: 1}}, 'id']})");
    const values = (key: string): string => `CALL gds.graph.nodeProperty.stream('g', '${key}') YIELD propertyValue RETURN propertyValue`;
    assert.deepEqual(await answer(values('large')), ['1.0', '9.007199254740992E15', '2.0']);
    assert.deepEqual(await answer(values('id')), ['1', '2', '3']);
    for (const name of ['wcc', 'louvain', 'labelPropagation'])
      for (const key of ['large', 'half'])
        await assert.rejects(answer(`CALL gds.${name}.stream('g', {seedProperty: '${key}'})`), { code: 'ARGUMENT_ERROR' });
    assert.deepEqual(await answer("CALL gds.wcc.stream('g', {seedProperty: 'id'}) YIELD componentId RETURN componentId"), ['1', '1', '1']);
    await answer('CREATE (:L {list: [1, 2]}), (:L)');
    await answer("CALL gds.graph.project('l', 'L', [], {nodeProperties: {list: {defaultValue: [0.5]}}})");
    const lists = "CALL gds.graph.nodeProperty.stream('l', 'list') YIELD propertyValue RETURN propertyValue";
    assert.deepEqual(await answer(lists), ['[1.0, 2.0]', '[0.5]']);
  }));

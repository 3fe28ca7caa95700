/**
 * Nodes and relationships that procedures make, which are not in the graph: what compares, groups and sorts values takes
 * them too, in memory and with temporary files.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../src/engine/index.ts';
import { literalText } from '../src/value/index.ts';

async function answers(engine: Engine, statement: string): Promise<string[]> {
  const { rows } = await engine.execute(statement, new Map());
  return rows.map((row) => row.map(literalText).join(' | '));
}

const PATHS = "MATCH (a:A {x: 1}) CALL gds.allShortestPaths.dijkstra.stream('graph', {sourceNode: a}) YIELD path, totalCost ";
const NODES = 'CALL db.schema.visualization() YIELD nodes, relationships UNWIND nodes AS n ';
const [ONE, TWO, THREE] = [
  '<(:A {x: 1})>',
  '<(:A {x: 1})-[:PATH_1 {cost: 1.0}]->(:A {x: 2})>',
  '<(:A {x: 1})-[:PATH_2 {cost: 2.0}]->(:A {x: 3})>',
];
const [A, B] = ["(:A {name: 'A', indexes: [], constraints: []})", "(:B {name: 'B', indexes: [], constraints: []})"];

const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  [`${PATHS} RETURN path ORDER BY totalCost DESC`]: [THREE, TWO, ONE],
  [`${PATHS} RETURN path ORDER BY path DESC`]: [THREE, TWO, ONE],
  [`${PATHS} WITH DISTINCT path ORDER BY path RETURN path`]: [ONE, TWO, THREE],
  [`${PATHS} WITH path, count(*) AS n ORDER BY length(path), path RETURN path, n`]: [ONE, TWO, THREE].map((path) => `${path} | 1`),
  [`${PATHS} UNWIND relationships(path) AS r RETURN DISTINCT r ORDER BY r`]: ['[:PATH_1 {cost: 1.0}]', '[:PATH_2 {cost: 2.0}]'],
  [`${NODES} UNWIND [1, 2] AS k RETURN DISTINCT n ORDER BY n DESC`]: [A, B],
  [`${NODES} UNWIND [1, 2] AS k RETURN n, count(*) AS c ORDER BY n.name`]: [`${A} | 2`, `${B} | 2`],
  [`${NODES} UNWIND [1, 2] AS k WITH count(DISTINCT n) AS c, collect(DISTINCT n.name) AS l RETURN c, size(l)`]: ['2 | 2'],
  [`${NODES} WITH n, nodes ORDER BY n.name RETURN n IN nodes, n = nodes[0], n IS :: NODE`]: ['true | true | true', 'true | false | true'],
};

for (const [name, parts] of Object.entries({ 'in memory': {}, 'with files': { spillAfterRows: 1 } })) {
  test(`virtual nodes and relationships are compared, grouped and sorted ${name}`, async () => {
    const engine = await openEngine(`memory://virtual-entities-${name.length}`, {}, parts);
    try {
      await engine.execute('CREATE (a:A {x: 1})-[:R {w: 1}]->(b:A {x: 2}), (a)-[:R {w: 2}]->(:A {x: 3}), (b)-[:S]->(:B)', new Map());
      await engine.execute("CALL gds.graph.project('graph', 'A', {R: {properties: 'w'}})", new Map());
      for (const [statement, expected] of Object.entries(EXPECTED)) {
        const weighted = statement.replace('sourceNode: a}', "sourceNode: a, relationshipWeightProperty: 'w'}");
        assert.deepEqual(await answers(engine, weighted), expected, statement);
      }
      await assert.rejects(engine.execute(`${PATHS} DETACH DELETE path`, new Map()), { code: 'TYPE_ERROR' });
      await assert.rejects(engine.execute(`${NODES} RETURN labels(n)`, new Map()), { message: /a virtual Node/ });
    } finally {
      await engine.close();
    }
  });
}

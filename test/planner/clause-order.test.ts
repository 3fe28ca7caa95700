/**
 * Barriers where they are needed: a statement leaves the same graph and gives the same rows as with a barrier between
 * all operators, that is, as if each ran to its end before the next began.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPlan, type Operator, type Plan } from '../../src/plan/index.ts';
import { inputsOf, withInputs } from '../../src/plan/operators/references.ts';
import { contents, misleadingStatistics, planOf, randomGraph, run } from './world.ts';

const STATEMENTS = [
  'MATCH (a:A) CREATE (b:A {x: a.x})',
  'MATCH (a) CREATE (a)-[:R]->(b:Q)',
  'MATCH (a:A)-[r:R]->(b) CREATE (b)-[:R {w: 9}]->(a)',
  'MATCH (a:A)-[:R]->(b) SET a.x = b.x SET b.x = 7 RETURN a.x, b.x',
  'MATCH (a:A) SET a:B SET a.x = 3 RETURN a.id, labels(a)',
  'MATCH (a:A), (b:B) SET a:B, b.x = a.x',
  'MATCH (a:A)-[r]->(b)-[s]->(c) DELETE s',
  'MATCH (a:A) DETACH DELETE a',
  'MATCH (a:A)-[:R]->(b) REMOVE b:B, b.y SET a.y = 5',
  'MATCH (a:A) MERGE (b:B {x: a.x}) ON CREATE SET b.id = 100 ON MATCH SET b.y = 50 RETURN b.y',
  'UNWIND [1, 1, 2, 3, 9, 9] AS i MERGE (a:A {x: i}) MERGE (b:A {x: i + 1}) MERGE (a)-[r:R]->(b) RETURN count(*)',
  'MATCH (a:A) MERGE (a)-[:S]->(b:B) RETURN count(*)',
  'MATCH (a:A) CREATE (b:A {x: 100}) WITH a, b MATCH (c:A) WHERE c.x = 100 RETURN count(*)',
  'CREATE (b:A {x: 100}) WITH b MATCH (c:A {x: 100}) SET c.y = 1 RETURN count(*)',
  'MATCH (a:A) SET a.x = 5 WITH a MATCH (b:B) WHERE b.x = 5 RETURN a.id, b.id',
  'MATCH (a:A)-[r:R]->(b) SET r.w = b.x WITH a MATCH (a)-[s]->(c) RETURN s.w',
  'MATCH (a:A) FOREACH (i IN [1, 2] | CREATE (:A {x: i}) SET a.y = i)',
  'MATCH (a:A)--(b) SET b.x = b.x + 1 SET b.x = b.x * 2',
  'MATCH (a:A) CALL { CREATE (q:A {x: 77}) RETURN q } RETURN q.x',
  'MATCH (a:A)-[r:R]->(b) DELETE r CREATE (a)-[:R]->(b) RETURN count(*)',
  'MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b:B) SET b.x = 9, a.y = 1 RETURN b.x',
  'MATCH (a:A) UNWIND [1, 2] AS i SET a += {x: i} WITH a, i WHERE i = 1 SET a += {x: 7}',
  'MATCH (a:A) UNWIND [1, 2] AS i SET a = {x: i} FOREACH (j IN CASE WHEN i = 1 THEN [1] ELSE [] END | SET a = {y: j})',
  'MATCH ()-[r:R]->() UNWIND [1, 2] AS i SET r += {w: i} SET r += CASE WHEN i = 1 THEN {w: 7} ELSE {} END',
];

/** A barrier above every operator. */
function oneByOne(operator: Operator): Operator {
  return withInputs(
    operator,
    inputsOf(operator).map((input): Operator => {
      const inner = oneByOne(input);
      return input.kind === 'argument' || input.kind === 'eager' ? inner : { kind: 'eager', input: inner, estimatedRows: 1 };
    }),
  );
}

for (const statement of STATEMENTS) {
  test(statement, () => {
    for (const seed of [1, 2, 3]) {
      for (const figures of [0, 1, 2]) {
        const [store, reference] = [randomGraph(seed, 10, 16), randomGraph(seed, 10, 16)];
        const plan: Plan = planOf(statement, misleadingStatistics(store, figures));
        const rows = run(store, plan).sort();
        const expected = run(reference, { ...plan, root: oneByOne(plan.root) }).sort();
        assert.deepEqual(rows, expected, `graph ${seed}\n${formatPlan(plan)}`);
        assert.equal(contents(store), contents(reference), `graph ${seed}\n${formatPlan(plan)}`);
      }
    }
  });
}

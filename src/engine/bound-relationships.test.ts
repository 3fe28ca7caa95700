/** Patterns over relationships, and lists of them, that an earlier clause has found: all that holds for a new one holds for them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from './index.ts';

const SETUP = 'CREATE (a:A {k: 1})-[:S {w: 1}]->(b:B {k: 2})-[:T {w: 2}]->(c:C {k: 3}), (a)-[:S {w: 3}]->(b)';

const QUERIES: readonly (readonly [string, readonly unknown[][]])[] = [
  // A known relationship differs from those that the same clause found before it.
  ['MATCH (a:A)-[r:T|S {w: 1}]-(b) MATCH (a)-[:S]-(c)-[r]-(d) RETURN c.k, d.k', [[2, 1]]],
  ['MATCH (a:A)-[r {w: 1}]->() MATCH (a)-[:S {w: 1}]->(c)<-[r]-(d) RETURN c.k, d.k', []],
  ['MATCH (a:A)-[r {w: 1}]->() OPTIONAL MATCH (a)-[:S {w: 1}]->(c)<-[r]-(d) RETURN c.k, d.k', [[null, null]]],
  // A known list differs from them, holds nothing twice, and fulfils what is asked of each step.
  ['MATCH (:A)-[rs:S|T*2 {}]->(:C) WITH rs LIMIT 1 MATCH (x)-[rs*2]->(y) RETURN x.k, y.k', [[1, 3]]],
  ['MATCH (:A)-[r {w: 1}]->() WITH [r] AS rs MATCH (a:A)-[:S {w: 1}]->(b)<-[rs*]-(x) RETURN x.k', []],
  ['MATCH (:A)-[r {w: 1}]->() WITH [r] AS rs MATCH (a:A)-[:S {w: 3}]->(b)<-[rs*]-(x) RETURN x.k', [[1]]],
  ['MATCH (:A)-[r {w: 1}]->() WITH [r, r] AS rs MATCH (x)-[rs*]-(y) RETURN x.k', []],
  ['MATCH (:A)-[r]->() WITH collect(r) AS rs MATCH (x)-[rs*2 {w: 1}]-(y) RETURN x.k', []],
  ['MATCH (:A)-[r {w: 1}]->() WITH [r] AS rs MATCH (x)-[rs* {w: 1}]->(y) RETURN x.k, y.k', [[1, 2]]],
];

for (const [i, [query, expected]] of QUERIES.entries()) {
  test(query, async () => {
    const engine = await openEngine(`memory://bound-relationships-${i}`);
    await engine.execute(SETUP, new Map());
    assert.deepEqual((await engine.execute(query, new Map())).rows, expected);
    await engine.close();
  });
}

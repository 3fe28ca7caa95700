/**
 * A plan may be any plan, but the answer is the answer: the same statements planned with figures that mislead the
 * planner in different ways, run on the same small graphs, give the same rows as often. And what a rewrite computes
 * agrees with what a query says that the rewrite does not know.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPlan } from '../../src/plan/index.ts';
import { misleadingStatistics, planOf, randomGraph, run } from './world.ts';

const GRAPHS = [1, 2, 3];
const FIGURES = Array.from({ length: 12 }, (_, seed) => seed);

const QUERIES = [
  'MATCH (a:A)-[r:R]->(b)-[s:R|S]-(c:B)<-[t]-(a) RETURN a.id, b.id, c.id, r.id, s.id, t.id',
  'MATCH (a:A {x: 1})-[:R]->(b)-[:R]->(c)-[:R]->(d:B {id: 3}) RETURN a.id, b.id, c.id',
  'MATCH (a {id: 1})-[:R]-(w)-[:R]-(b)-[:R]-(c)-[:R]-(d {id: 2}) RETURN w.id, b.id, c.id',
  'MATCH (a:A)-[r]->(b), (c:B)-[s]->(d) WHERE a.x = c.x AND b.y < d.y RETURN a.id, c.id, r.id, s.id',
  'MATCH (a:A), (b:B) WHERE a.id = b.id + 1 MATCH (b)-[r]->(c) RETURN a.id, c.id, r.id',
  'MATCH (a:A {x: 1})-[r:R*0..2]-(b)-[s:R]->(c) RETURN a.id, c.id, [e IN r | e.id], s.id',
  'MATCH p = (a:A)-[r:R*1..2 {w: 1}]->(b)<-[s]-(c) RETURN [n IN nodes(p) | n.id], [e IN relationships(p) | e.id]',
  'MATCH (a:A)-[r:R*1..3]->(b) WHERE all(e IN r WHERE e.w > 0) AND none(e IN r WHERE e.w = 2) RETURN a.id, b.id, size(r)',
  'MATCH (a) ((x)-[r:R]->(y) WHERE x.x <= y.x){1,3} (b:B) RETURN a.id, b.id, [e IN r | e.id], [e IN x | e.id], [e IN y | e.id]',
  'MATCH p = allShortestPaths((a:A {x: 1})-[:R*]-(b:B {x: 2})) RETURN a.id, b.id, [e IN relationships(p) | e.id]',
  'MATCH (a:A) WHERE EXISTS { (a)-[:R]->(:B) } AND NOT (a)-[:S]->() RETURN a.id',
  'MATCH (a)-[:R]->(f) WHERE EXISTS { (f)-[:R]->(m)-[:S]->(:B {x: 1}) } RETURN a.id, f.id',
  'MATCH (a:A) OPTIONAL MATCH (a)-[:S]->(f) WITH a, f WHERE (f)-[:R]-()-[:R]-({x: 2}) RETURN a.id, f.id',
  'MATCH (a)-[:R]->(f) WHERE EXISTS { MATCH (g:A {x: 1})-[:R]-(f)-[:S]->(h) WHERE h.y > g.y } AND NOT EXISTS { (f)-[:R]->({x: ' +
    '2}) } RETURN a.id, f.id',
  'MATCH (a:A) OPTIONAL MATCH (a)-[r:S]->(b:B) WHERE b.x > a.x RETURN a.id, b.id',
  'MATCH (a:A)-[r]->(b) WITH r, b MATCH (x)-[r]-(y) RETURN x.id, y.id, r.id, b.id',
  'UNWIND [1, 2, 2, 3, null] AS i MATCH (a:A {x: i})-[r:R]->(b) RETURN i, a.id, b.id',
  'MATCH (a:A)-[:R]->(b)-[:S]->(c), (b)-[:R]->(d)-[:S]->(e) WHERE a.x < e.x RETURN a.id, b.id, c.id, d.id, e.id',
  'MATCH (a:A|C)-[r]->(b:!A) WHERE a.x >= 1 AND (b.y = 1 OR b.y = 2) RETURN a.id, b.id',
  'MATCH (a:A) WHERE a.x = 1 OR a.x > 1 AND a.y < 2 RETURN a.id',
  'MATCH (a:A)-[r:R]->(b) WHERE a.x = b.y OR b.x = 1 AND a.x > 1 RETURN a.id, b.id, r.id',
  'UNWIND [1, null, 2] AS i MATCH (a:A) WHERE a.x = i OR a.x IN [i, 3, 3] AND a.y = 1 RETURN i, a.id',
  'MATCH (b:B) OPTIONAL MATCH (a:A) WHERE a.x = b.x OR a.x > b.y AND a.y > 0 RETURN a.id, b.id',
  'MATCH (b:B), (a:A) WHERE (a.x = 1 OR id(a) = id(b)) AND a.y = b.y RETURN a.id, b.id',
  'MATCH (a:A)-[:R]->(b) WITH b, count(*) AS c WHERE c > 1 MATCH (b)-[:S]->(d) RETURN b.id, c, d.id',
  'MATCH (a:A)-[:R]-(f) MATCH (f)<-[:R]-(m)-[:S]-(t:B {x: 1}) RETURN a.id, f.id, m.id, t.id',
  'MATCH (a) OPTIONAL MATCH (a)-[:S]->(f:B) WITH f MATCH (f)<-[:R]-(m)-[:R]->(t {x: 2}) RETURN f.id, m.id, t.id',
  'UNWIND [1, 1, 2] AS i MATCH (f:A {x: i}) MATCH (f)-[r:R]->(m)-[s:R]->(t:B {y: 2}) WHERE m.x <> i RETURN i, f.id, r.id, m.id, s.id',
  'MATCH (a:A)-[:R]->(f) WITH f MATCH (f)<-[:R]-(m)-[:S]->(t:B {x: 1}) RETURN m.id, t.id',
  'MATCH (a:A)-[:R]->(f) WITH f MATCH (f)<-[:R]-(m)-[:S]->(t:B {x: 1}) RETURN f.x, m.id, f = m',
  'MATCH (a) OPTIONAL MATCH (a)-[:S]->(f:B) WITH f MATCH (f)<-[:R]-(m)-[:R]->(t {x: 2}) RETURN m.id, t.id',
  'MATCH (a)-[r]->() MATCH (b)--()-[r]->(a) WHERE (b)-->() RETURN a.id, b.id, r.id',
  'MATCH (a)-[r:R]->(f) WITH r, a, f MATCH (f)-[s]->(m)-[t]->(a)-[u:R]->(o {x: 1}) RETURN r.id, s.id, t.id, u.id',
];

test('rows that know a node are joined with a pattern that was matched from its other end', () => {
  const query = 'MATCH (a)-[:R]-(f) MATCH (f)<-[:R]-(m)-[:S]-(t {x: 1}) RETURN a.id, f.id, m.id, t.id';
  const plans = GRAPHS.flatMap((seed) => FIGURES.map((figures) => planOf(query, misleadingStatistics(randomGraph(seed, 12, 24), figures))));
  assert.ok(plans.some((plan) => formatPlan(plan).includes('HashJoin')));
});

test('nodes of which a pattern must exist are joined with those that it is matched for', () => {
  const query = 'MATCH (a)-[:R]->(f) WHERE EXISTS { (f)-[:R]->(m)-[:S]->(:B {x: 1}) } RETURN a.id, f.id';
  const plans = GRAPHS.flatMap((seed) => FIGURES.map((figures) => planOf(query, misleadingStatistics(randomGraph(seed, 12, 24), figures))));
  assert.ok(plans.some((plan) => /HashJoin +f = f/.test(formatPlan(plan))));
  assert.ok(plans.some((plan) => formatPlan(plan).includes('SemiApply')));
});

for (const query of QUERIES) {
  test(query, () => {
    for (const seed of GRAPHS) {
      const store = randomGraph(seed, 12, 24);
      const plans = FIGURES.map((figures) => planOf(query, misleadingStatistics(store, figures)));
      const [first, ...others] = plans.map((plan) => ({ plan, rows: run(store, plan).sort() }));
      for (const { plan, rows } of others) {
        assert.deepEqual(rows, first!.rows, `graph ${seed}\n${formatPlan(first!.plan)}\n${formatPlan(plan)}`);
      }
    }
  });
}

const COUNTED = [
  '(a)-[:R]->(b)',
  '(a:A)-[:R]->(b:B)',
  '(a)-[:R]->(b)-[:R]->(c)',
  '(a)-[:R]-(b)-[:R]-(c {x: 1})',
  '(a:A)-[:R]-(b {x: 1})-[:R]->(c {y: 1})',
  '(a)-[:R|S]->(b)-[:R|S]->(c)',
  '(a)-[:R]->(b)-[:R]->(b)',
  '(a)-[:S]-(b)-[:R]->(c)-[:R]-(d)',
  '(a)-[r:R]->(b)-[s:R]->(c) WHERE s.w > a.x',
];

test('Q2: counts by degree are counts of rows', () => {
  const pairs = COUNTED.flatMap((pattern) => [
    [`MATCH ${pattern} RETURN count(*)`, `MATCH ${pattern} RETURN size(collect(1))`],
    [`MATCH ${pattern} RETURN b.x, count(*), min(b.id)`, `MATCH ${pattern} RETURN b.x, size(collect(1)), min(b.id)`],
  ]);
  assert(sameAnswers(pairs as [string, string][]).has('count by degree'));
});

const EXISTING = [
  '(a:A)-[:R]->(b)-[:S]->(c)',
  '(a)-[:R*1..2]->(b)-[:R]->(c {x: 1})',
  '(a)-[:R*0..3]-(b)',
  '(a:A)-[:R]->(b) OPTIONAL MATCH (b)-[:S]->(c) WHERE c.y = 1',
];

test('distinct rows are the rows, each once', () => {
  const pairs = EXISTING.flatMap((pattern) =>
    ['a.id', 'a.x, b.x', 'b.id'].map((items) => {
      const names = items.split(', ').map((item, at) => `${item} AS i${at}`);
      return [
        `MATCH ${pattern} RETURN DISTINCT ${names.join(', ')}`,
        `MATCH ${pattern} WITH ${names.join(', ')}, count(*) AS n RETURN ${names.map((_, at) => `i${at}`).join(', ')}`,
      ] as [string, string];
    }),
  );
  const rewrites = sameAnswers(pairs);
  assert(rewrites.has('existence') && rewrites.has('distinct ends'));
});

/** @returns the rewrites that were applied to the first of some pair */
function sameAnswers(pairs: readonly (readonly [string, string])[]): Set<string> {
  const rewrites = new Set<string>();
  for (const [rewritten, plain] of pairs) {
    for (const seed of GRAPHS) {
      const store = randomGraph(seed, 9, 20);
      for (const figures of FIGURES.slice(0, 3)) {
        const statistics = misleadingStatistics(store, figures);
        const plan = planOf(rewritten, statistics);
        for (const name of plan.rewrites ?? []) rewrites.add(name);
        assert.deepEqual(
          run(store, plan).sort(),
          run(store, planOf(plain, statistics)).sort(),
          `graph ${seed}\n${rewritten}\n${formatPlan(plan)}`,
        );
      }
    }
  }
  return rewrites;
}

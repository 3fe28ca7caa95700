/** Components against the reachability of all pairs, on 200 random graphs of each kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbers } from '../graph/node-property.ts';
import { distancesOf, outcomeOf, randomGraphs, summaryOf, valuesOf } from '../testing/random-graphs.fixture.ts';
import { scc } from './scc.ts';
import { wcc } from './wcc.ts';

const GRAPHS = [...randomGraphs(200, false), ...randomGraphs(100, true)];

/** Returns for each node the least node for which the relation holds. */
const least = (count: number, holds: (a: number, b: number) => boolean): number[] =>
  Array.from({ length: count }, (_, a) => Array.from({ length: count }, (_, b) => b).find((b) => holds(a, b))!);

test('weakly connected nodes have the smallest of them in common', () => {
  for (const graph of GRAPHS) {
    const both = distancesOf({ ...graph, isUndirected: true }, false);
    const expected = least(graph.nodeCount, (a, b) => both[a]![b]! < Number.POSITIVE_INFINITY);
    const outcome = outcomeOf(wcc, graph, {});
    assert.deepEqual(valuesOf(outcome), expected, graph.name);
    assert.equal(summaryOf(outcome)['componentCount'], new Set(expected).size);
    const dense = valuesOf(outcomeOf(wcc, graph, { consecutiveIds: true }));
    const order = [...new Set(expected)];
    assert.deepEqual(
      dense,
      expected.map((each) => order.indexOf(each)),
    );
  }
});

test('relationships count whose weight is above the threshold', () => {
  for (const graph of GRAPHS) {
    const heavy = { ...graph, isUndirected: true, edges: graph.edges.filter(({ weight }) => weight > 1.5) };
    const both = distancesOf(heavy, false);
    const expected = least(graph.nodeCount, (a, b) => both[a]![b]! < Number.POSITIVE_INFINITY);
    assert.deepEqual(valuesOf(outcomeOf(wcc, graph, { threshold: 1.5 }, { isWeighted: true })), expected, graph.name);
  }
});

test('a component takes its least seed; one without seeds gets a new number', () => {
  for (const graph of GRAPHS) {
    const both = distancesOf({ ...graph, isUndirected: true }, false);
    const roots = least(graph.nodeCount, (a, b) => both[a]![b]! < Number.POSITIVE_INFINITY);
    const seeds = roots.map((root, node) => (node % 3 === 0 ? Number.NaN : 100 - root));
    let next = Math.max(0, ...seeds.filter((seed) => !Number.isNaN(seed)).map((seed) => seed + 1));
    const byRoot = new Map<number, number>();
    for (const root of new Set(roots)) {
      const own = seeds.filter((seed, node) => roots[node] === root && !Number.isNaN(seed));
      byRoot.set(root, own.length > 0 ? Math.min(...own) : next++);
    }
    const properties = new Map([['seed', numbers('integer', Float64Array.from(seeds))]]);
    assert.deepEqual(
      valuesOf(outcomeOf(wcc, graph, { seedProperty: 'seed' }, { properties })),
      roots.map((root) => byRoot.get(root)),
      graph.name,
    );
  }
  const [, graph] = GRAPHS;
  assert.throws(() => outcomeOf(wcc, graph!, { seedProperty: 'seed', consecutiveIds: true }), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => outcomeOf(wcc, graph!, { seedProperty: 'seed' }), { code: 'ARGUMENT_ERROR' });
});

test('strongly connected nodes reach each other', () => {
  for (const graph of GRAPHS) {
    const distances = distancesOf(graph, false);
    const isBoth = (a: number, b: number): boolean => distances[a]![b]! + distances[b]![a]! < Number.POSITIVE_INFINITY;
    assert.deepEqual(valuesOf(outcomeOf(scc, graph, {})), least(graph.nodeCount, isBoth), graph.name);
  }
});

test('a line of many nodes, down which no recursion could go', () => {
  const nodeCount = 100_000;
  const edges = Array.from({ length: nodeCount }, (_, i) => ({ from: i, to: (i + 1) % nodeCount, weight: 1 }));
  const ring = { name: 'a ring', nodeCount, edges, isUndirected: false };
  assert.ok(valuesOf(outcomeOf(scc, ring, {})).every((name) => name === 0));
  assert.ok(valuesOf(outcomeOf(wcc, ring, {})).every((name) => name === 0));
});

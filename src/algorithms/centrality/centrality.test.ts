/** Centralities against the definitions, on 200 random graphs of each kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arcsOf,
  distancesOf,
  matrixOf,
  near,
  outcomeOf,
  type RandomGraph,
  randomGraphs,
  summaryOf,
  valuesOf,
} from '../testing/random-graphs.fixture.ts';
import { betweenness } from './betweenness.ts';
import { closeness, harmonic } from './closeness.ts';
import { degree } from './degree.ts';
import { eigenvector } from './eigenvector.ts';
import { hits } from './hits.ts';
import { articleRank, pageRank } from './page-rank.ts';

const GRAPHS = [...randomGraphs(100, false), ...randomGraphs(100, true)];

/** Ranks by the recurrence over a matrix of shares. */
function ranks(graph: RandomGraph, isWeighted: boolean, iterations: number, added: number): number[] {
  const out = new Array<number>(graph.nodeCount).fill(0);
  for (const { from, weight } of arcsOf(graph)) out[from]! += isWeighted ? weight : 1;
  const mean = out.reduce((sum, each) => sum + each, 0) / Math.max(1, graph.nodeCount);
  let rank = out.map(() => 0.15);
  for (let i = 1; i < iterations; i++) {
    const next = out.map(() => 0.15);
    for (const { from, to, weight } of arcsOf(graph)) {
      const divisor = out[from]! + added * mean;
      if (divisor > 0) next[to]! += (0.85 * rank[from]! * (isWeighted ? weight : 1)) / divisor;
    }
    rank = next;
  }
  return rank;
}

for (const isWeighted of [false, true]) {
  test(`PageRank and ArticleRank follow their recurrence, ${isWeighted ? 'with' : 'without'} weights`, () => {
    for (const graph of GRAPHS) {
      const configuration = { maxIterations: 12, tolerance: 0 };
      near(valuesOf(outcomeOf(pageRank, graph, configuration, { isWeighted })), ranks(graph, isWeighted, 12, 0), graph.name);
      near(valuesOf(outcomeOf(articleRank, graph, configuration, { isWeighted })), ranks(graph, isWeighted, 12, 1), graph.name);
    }
  });

  test(`betweenness counts the shares of shortest paths, ${isWeighted ? 'with' : 'without'} weights`, () => {
    for (const graph of GRAPHS) {
      // Weights of 0 make infinitely many shortest walks; Brandes needs positive ones.
      const positive = { ...graph, edges: graph.edges.map((edge) => ({ ...edge, weight: edge.weight + 0.25 })) };
      near(valuesOf(outcomeOf(betweenness, positive, {}, { isWeighted })), betweennessOf(positive, isWeighted), graph.name);
    }
  });
}

/** Counts the shortest paths between all pairs, each found by walking all of them. */
function betweennessOf(graph: RandomGraph, isWeighted: boolean): number[] {
  const { nodeCount, isUndirected } = graph;
  const distances = distancesOf(graph, isWeighted);
  const arcs = arcsOf(graph).map((arc) => ({ ...arc, weight: isWeighted ? arc.weight : 1 }));
  const known = new Map<number, number>();
  const paths = (a: number, b: number): number => {
    if (a === b) return 1;
    const key = a * nodeCount + b;
    let count = known.get(key);
    if (count === undefined) {
      count = 0;
      for (const { from, to, weight } of arcs)
        if (to === b && from !== b && distances[a]![from]! + weight === distances[a]![b]) count += paths(a, from);
      known.set(key, count);
    }
    return count;
  };
  const scores = new Array<number>(nodeCount).fill(0);
  for (let a = 0; a < nodeCount; a++)
    for (let b = 0; b < nodeCount; b++)
      for (let via = 0; via < nodeCount; via++) {
        if (a === b || via === a || via === b || distances[a]![b] === Number.POSITIVE_INFINITY) continue;
        if (distances[a]![via]! + distances[via]![b]! === distances[a]![b]) scores[via]! += (paths(a, via) * paths(via, b)) / paths(a, b);
      }
  return scores.map((score) => (isUndirected ? score / 2 : score));
}

test('betweenness where weights add nothing to distances: no path leads back', () => {
  const scores = (edges: RandomGraph['edges'], isUndirected: boolean): number[] =>
    valuesOf(outcomeOf(betweenness, { name: 'light', nodeCount: 3, edges, isUndirected }, {}, { isWeighted: true }));
  const pair = { from: 0, to: 1, weight: 0 };
  assert.deepEqual(scores([pair], true), [0, 0, 0]);
  assert.deepEqual(scores([pair, { from: 1, to: 0, weight: 0 }], false), [0, 0, 0]);
  assert.deepEqual(scores([pair, { from: 1, to: 2, weight: 0 }], false), [0, 1, 0]);
  const far = { from: 0, to: 1, weight: 1e17 };
  assert.deepEqual(scores([far, { from: 1, to: 2, weight: 1 }, { from: 2, to: 1, weight: 0.5 }], false), [0, 1, 0]);
});

test('a sample of all nodes is all nodes, and one of none gives 0', () => {
  for (const graph of [...randomGraphs(20, false)]) {
    const all = valuesOf(outcomeOf(betweenness, graph, {}));
    assert.deepEqual(valuesOf(outcomeOf(betweenness, graph, { samplingSize: graph.nodeCount })), all);
    assert.deepEqual(
      valuesOf(outcomeOf(betweenness, graph, { samplingSize: 0 })),
      all.map(() => 0),
    );
    assert.deepEqual(
      valuesOf(outcomeOf(betweenness, graph, { samplingSize: 2 })),
      valuesOf(outcomeOf(betweenness, graph, { samplingSize: 2 })),
    );
  }
});

test('closeness and harmonic centrality are those of the distances to each node', () => {
  for (const graph of GRAPHS) {
    const distances = distancesOf(graph, false);
    const n = graph.nodeCount;
    const incoming = distances.map((_, node) =>
      distances.map((row) => row[node]!).filter((d, from) => from !== node && d < Number.POSITIVE_INFINITY),
    );
    const mean = incoming.map((list) => (list.length === 0 ? 0 : list.length / list.reduce((sum, d) => sum + d, 0)));
    near(valuesOf(outcomeOf(closeness, graph, {})), mean, graph.name);
    near(
      valuesOf(outcomeOf(closeness, graph, { useWassermanFaust: true })),
      mean.map((score, node) => (n < 2 ? score : (score * incoming[node]!.length) / (n - 1))),
      graph.name,
    );
    near(
      valuesOf(outcomeOf(harmonic, graph, {})),
      incoming.map((list) => (n < 2 ? 0 : list.reduce((sum, d) => sum + 1 / d, 0) / (n - 1))),
      graph.name,
    );
  }
});

test('searches from more than 32 nodes', () => {
  const nodeCount = 70;
  const edges = Array.from({ length: nodeCount - 1 }, (_, i) => ({ from: i, to: i + 1, weight: 1 }));
  const scores = valuesOf(outcomeOf(closeness, { name: 'a line', nodeCount, edges, isUndirected: false }, {}));
  near(
    scores,
    scores.map((_, node) => (node === 0 ? 0 : 2 / (node + 1))),
    'a line',
  );
});

test('degrees count relationships, or add up their positive weights', () => {
  for (const graph of GRAPHS) {
    const matrix = matrixOf(graph);
    const out = matrix.map((row) => row.reduce((sum, each) => sum + each, 0));
    const into = matrix.map((_, node) => matrix.reduce((sum, row) => sum + row[node]!, 0));
    assert.deepEqual(valuesOf(outcomeOf(degree, graph, {})), out);
    assert.deepEqual(valuesOf(outcomeOf(degree, graph, { orientation: 'reverse' })), into);
    assert.deepEqual(
      valuesOf(outcomeOf(degree, graph, { orientation: 'UNDIRECTED' })),
      out.map((count, node) => count + into[node]!),
    );
    const weights = out.map(() => 0);
    for (const { from, weight } of arcsOf(graph)) weights[from]! += weight;
    near(valuesOf(outcomeOf(degree, graph, {}, { isWeighted: true })), weights, graph.name);
  }
});

test('eigenvector scores are the fixed point of the power iteration', () => {
  for (const graph of GRAPHS) {
    const outcome = outcomeOf(eigenvector, graph, { maxIterations: 4000, tolerance: 1e-13 });
    if (summaryOf(outcome)['didConverge'] !== true) continue;
    const scores = valuesOf(outcome);
    const next = [...scores];
    for (const { from, to } of arcsOf(graph)) next[to]! += scores[from]!;
    const norm = Math.hypot(...next) || 1;
    near(
      scores,
      next.map((each) => each / norm),
      graph.name,
      1e-9,
    );
  }
});

test('hubs and authorities follow their recurrence', () => {
  for (const graph of GRAPHS) {
    const { properties } = outcomeOf(hits, graph, { hitsIterations: 6 });
    let hubs = new Array<number>(graph.nodeCount).fill(1);
    let authorities = hubs;
    const unit = (values: number[]): number[] => values.map((value) => value / (Math.hypot(...values) || 1));
    for (let i = 0; i < 6; i++) {
      const into = hubs.map(() => 0);
      for (const { from, to } of arcsOf(graph)) into[to]! += hubs[from]!;
      authorities = unit(into);
      const out = hubs.map(() => 0);
      for (const { from, to } of arcsOf(graph)) out[from]! += authorities[to]!;
      hubs = unit(out);
    }
    near([...properties['auth']!.values], authorities, graph.name);
    near([...properties['hub']!.values], hubs, graph.name);
  }
});

test('ranks around sources, and the scales of scores', () => {
  const graph: RandomGraph = {
    name: 'three',
    nodeCount: 3,
    isUndirected: false,
    edges: [
      { from: 0, to: 1, weight: 1 },
      { from: 1, to: 2, weight: 1 },
    ],
  };
  near(valuesOf(outcomeOf(pageRank, graph, { sourceNodes: [10] })), [0.15, 0.15 * 0.85, 0.15 * 0.85 ** 2], 'from the first');
  const plain = valuesOf(outcomeOf(pageRank, graph, {}));
  const [min, max] = [Math.min(...plain), Math.max(...plain)];
  near(
    valuesOf(outcomeOf(pageRank, graph, { scaler: 'minmax' })),
    plain.map((score) => (score - min) / (max - min)),
    'MinMax',
  );
  assert.throws(() => outcomeOf(pageRank, graph, { sourceNodes: [11] }), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => outcomeOf(pageRank, graph, { scaler: 'no' }), { code: 'ARGUMENT_ERROR' });
});

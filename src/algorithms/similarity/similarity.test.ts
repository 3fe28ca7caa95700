/** Similarities of all pairs of nodes against their definitions, on 200 random graphs of each kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../value/index.ts';
import { numbers, vectors } from '../graph/node-property.ts';
import { SeededRandom } from '../random.ts';
import { near, outcomeOf, pairsOf, type RandomGraph, randomGraphs, summaryOf } from '../testing/random-graphs.fixture.ts';
import { knn } from './knn.ts';
import { filteredNodeSimilarity, nodeSimilarity } from './node-similarity.ts';

const GRAPHS = [...randomGraphs(200, false), ...randomGraphs(100, true)];
type Pair = [number, number, number];

/** Target → weight, of parallel arcs the first in the order of the projection. */
function targetsOf(graph: RandomGraph, node: number, isWeighted: boolean): Map<number, number> {
  const targets = new Map<number, number>();
  const { edges, isUndirected } = graph;
  const arcs = isUndirected ? [...edges, ...edges.map(({ from, to, weight }) => ({ from: to, to: from, weight }))] : edges;
  for (const { from, to, weight } of arcs) if (from === node && !targets.has(to)) targets.set(to, isWeighted ? weight : 1);
  return targets;
}

function similarity(a: Map<number, number>, b: Map<number, number>, metric: string): number {
  const all = [...new Set([...a.keys(), ...b.keys()])].map((key) => [a.get(key) ?? 0, b.get(key) ?? 0] as const);
  const sum = (value: (pair: readonly [number, number]) => number): number => all.reduce((total, pair) => total + value(pair), 0);
  if (metric === 'COSINE') return sum(([x, y]) => x * y) / Math.sqrt(sum(([x]) => x * x) * sum(([, y]) => y * y));
  const common = sum(([x, y]) => Math.min(x, y));
  return metric === 'JACCARD'
    ? common / sum(([x, y]) => Math.max(x, y))
    : common /
        Math.min(
          sum(([x]) => x),
          sum(([, y]) => y),
        );
}

function allPairs(graph: RandomGraph, isWeighted: boolean, metric: string): Pair[] {
  const lists = Array.from({ length: graph.nodeCount }, (_, node) => targetsOf(graph, node, isWeighted));
  return lists.flatMap((a, node1) =>
    lists.flatMap((b, node2): Pair[] => {
      if (node1 === node2 || ![...a.keys()].some((key) => b.has(key))) return [];
      const value = similarity(a, b, metric);
      return value > 0 ? [[node1, node2, value]] : [];
    }),
  );
}

const best = (pairs: Pair[]): Pair[] => pairs.sort((a, b) => b[2] - a[2] || a[1] - b[1]);

function topK(pairs: readonly Pair[], k: number): Pair[] {
  const sources = [...new Set(pairs.map(([source]) => source))].sort((a, b) => a - b);
  return sources.flatMap((source) => best(pairs.filter(([from]) => from === source)).slice(0, k));
}

function assertPairs(found: readonly Pair[], expected: readonly Pair[], message: string): void {
  near(
    found.map(([, , weight]) => weight),
    expected.map(([, , weight]) => weight),
    message,
  );
  const first = ([a]: Pair): number => a;
  assert.deepEqual(found.map(first), expected.map(first), message);
}

for (const metric of ['JACCARD', 'OVERLAP', 'COSINE']) {
  test(`node similarity by ${metric}`, () => {
    for (const graph of GRAPHS) {
      for (const isWeighted of [false, true]) {
        // Weights of parallel relationships differ, and only the first counts there and back: all are made equal.
        const even: RandomGraph = {
          ...graph,
          edges: graph.edges.map((edge) => ({ ...edge, weight: 1 + ((edge.from * 7 + edge.to * 7) % 5) / 4 })),
        };
        const expected = allPairs(even, isWeighted, metric);
        const found = pairsOf(outcomeOf(nodeSimilarity, even, { similarityMetric: metric, topK: 100 }, { isWeighted }));
        assertPairs(found, topK(expected, 100), graph.name);
        assertPairs(
          pairsOf(outcomeOf(nodeSimilarity, even, { similarityMetric: metric, topK: 2 }, { isWeighted })),
          topK(expected, 2),
          graph.name,
        );
      }
    }
  });
}

test('cut-offs, the best of all, the worst of each, filters', () => {
  for (const graph of GRAPHS) {
    const all = allPairs(graph, false, 'JACCARD');
    const run = (configuration: Record<string, Value>): Pair[] =>
      pairsOf(outcomeOf(nodeSimilarity, graph, { topK: 100, ...configuration }));
    assertPairs(
      run({ similarityCutoff: 0.5 }),
      topK(
        all.filter(([, , value]) => value >= 0.5),
        100,
      ),
      graph.name,
    );
    const degrees = Array.from({ length: graph.nodeCount }, (_, node) => targetsOf(graph, node, false).size);
    const large = all.filter(([a, b]) => degrees[a]! >= 2 && degrees[b]! >= 2 && degrees[a]! <= 3 && degrees[b]! <= 3);
    assertPairs(run({ degreeCutoff: 2, upperDegreeCutoff: 3 }), topK(large, 100), graph.name);
    const sorted = topK(all, 100).sort((a, b) => b[2] - a[2]);
    near(
      run({ topN: 3 }).map(([, , value]) => value),
      sorted.slice(0, 3).map(([, , value]) => value),
      graph.name,
    );
    const worst = all.map(([a, b, value]): Pair => [a, b, -value]);
    near(
      run({ bottomK: 1 }).map(([, , value]) => value),
      topK(worst, 1).map(([, , value]) => -value),
      graph.name,
    );
    const labels = new Map([['Even', Uint8Array.from(degrees, (_, node) => (node % 2 === 0 ? 1 : 0))]]);
    const configuration = { topK: 100, sourceNodeFilter: 'Even', targetNodeFilter: graph.nodeCount > 1 ? [10, 20] : [] };
    const filtered = pairsOf(outcomeOf(filteredNodeSimilarity, graph, configuration, { labels }));
    assertPairs(
      filtered,
      topK(
        all.filter(([a, b]) => a % 2 === 0 && b < 2),
        100,
      ),
      graph.name,
    );
  }
});

const isolated = (nodeCount: number): RandomGraph => ({ name: `${nodeCount} nodes`, nodeCount, edges: [], isUndirected: true });

test('the best and the worst pairs are not asked together', () => {
  const graph = GRAPHS[0]!;
  for (const bottomK of [0, 1])
    assert.throws(() => outcomeOf(nodeSimilarity, graph, { topN: 3, bottomN: 3, bottomK }), { code: 'ARGUMENT_ERROR' });
});

test('the nearest neighbours by numbers are exact where lists hold all nodes', () => {
  for (let index = 0; index < 200; index++) {
    const random = new SeededRandom(3, index);
    const graph = isolated(random.below(9));
    const values = Float64Array.from({ length: graph.nodeCount }, () => random.below(20) / 4);
    const properties = new Map([['age', numbers('float', values)]]);
    const found = pairsOf(outcomeOf(knn, graph, { nodeProperties: 'age', topK: 10 }, { properties }));
    const pairs = [...values].flatMap((a, node1) =>
      [...values].flatMap((b, node2): Pair[] => (node1 === node2 ? [] : [[node1, node2, 1 / (1 + Math.abs(a - b))]])),
    );
    assertPairs(found, topK(pairs, 10), graph.name);
  }
});

test('NN-descent finds nearly all of the nearest neighbours of vectors, the same in every run', () => {
  const random = new SeededRandom(5);
  const graph = isolated(400);
  const dimension = 6;
  const values = Float64Array.from({ length: graph.nodeCount * dimension }, () => random.normal());
  const properties = new Map([['vector', vectors(values, dimension)]]);
  const configuration = { nodeProperties: 'vector', topK: 10, sampleRate: 1, deltaThreshold: 0 };
  const outcome = outcomeOf(knn, graph, configuration, { properties });
  const found = pairsOf(outcome);
  const vector = (node: number): number[] => [...values.subarray(node * dimension, (node + 1) * dimension)];
  const cosine = (a: number[], b: number[]): number => {
    const dot = (x: number[], y: number[]): number => x.reduce((sum, each, i) => sum + each * y[i]!, 0);
    return (dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)) + 1) / 2;
  };
  let right = 0;
  for (let node = 0; node < graph.nodeCount; node++) {
    const exact = best(
      Array.from({ length: graph.nodeCount }, (_, other): Pair => [node, other, cosine(vector(node), vector(other))]).filter(
        ([, other]) => other !== node,
      ),
    ).slice(0, 10);
    const own = new Set(found.filter(([from]) => from === node).map(([, to]) => to));
    right += exact.filter(([, other]) => own.has(other)).length;
  }
  assert.ok(right > 0.95 * 4000, `${right} of 4000`);
  assert.equal(summaryOf(outcome)['similarityPairs'], 4000);
  assert.deepEqual(pairsOf(outcomeOf(knn, graph, configuration, { properties })), found);
  assert.notDeepEqual(
    pairsOf(outcomeOf(knn, graph, { ...configuration, sampleRate: 0.2, randomSeed: 1, maxIterations: 1 }, { properties })),
    found,
  );
});

test('metrics of lists, and faults', () => {
  const graph = isolated(2);
  const sets = { kind: 'integers', values: Float64Array.of(3, 1, 2, 2, 3), offsets: Uint32Array.of(0, 3, 5), stored: false } as const;
  const floats = vectors(Float64Array.of(1, 2, 3, 2, 4, 7), 3);
  const properties = new Map([
    ['set', sets],
    ['vector', floats],
  ]);
  const of = (nodeProperties: Value): number => pairsOf(outcomeOf(knn, graph, { nodeProperties }, { properties }))[0]![2];
  near([of('set'), of(new Map([['set', 'OVERLAP']]))], [2 / 3, 1], 'sets');
  near([of(new Map([['vector', 'EUCLIDEAN']]))], [1 / (1 + Math.sqrt(1 + 4 + 16))], 'vectors');
  near([of(['set', 'vector'])], [(2 / 3 + of('vector')) / 2], 'their mean');
  const pearson = (() => {
    const [a, b] = [[1, 2, 3].map((x) => x - 2), [2, 4, 7].map((x) => x - 13 / 3)];
    const dot = (x: number[], y: number[]): number => x.reduce((sum, each, i) => sum + each * y[i]!, 0);
    return (dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)) + 1) / 2;
  })();
  near([of(new Map([['vector', 'pearson']]))], [pearson], 'Pearson');
  for (const wrong of ['none', new Map([['set', 'COSINE']]), 1] as Value[])
    assert.throws(() => outcomeOf(knn, graph, { nodeProperties: wrong }, { properties }), { code: 'ARGUMENT_ERROR' });
});

/** The memory of algorithms stays within their estimates: with configurations that take more of it, with one thread and with two. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Value } from '../value/index.ts';
import { algorithms } from './algorithms.ts';
import { readConfiguration } from './configuration/read-configuration.ts';
import { buildRelationships, relationshipBytes } from './graph/build-relationships.ts';
import { numbers } from './graph/node-property.ts';
import { select } from './graph/topology.ts';
import { SeededRandom } from './random.ts';
import { LEAST_BYTES_PER_NODE, type Outcome } from './table/algorithm.ts';
import { ended, projected, type RandomGraph, TestWork } from './testing/random-graphs.fixture.ts';
import { AlgorithmThreads } from './threads/algorithm-threads.ts';

const NODE_COUNT = 900;
const random = new SeededRandom(17);
const threads = new AlgorithmThreads(2);
after(() => threads.close());

const SKEWED = Array.from({ length: 8 * NODE_COUNT }, () => ({
  from: random.below(NODE_COUNT),
  to: random.below(random.below(NODE_COUNT) + 1),
  weight: 1 + random.below(900) / 7,
}));
const SPARSE = Array.from({ length: NODE_COUNT + NODE_COUNT / 4 }, () => ({
  from: random.below(NODE_COUNT),
  to: random.below(NODE_COUNT),
  weight: 1 + random.below(900) / 7,
}));
const GRAPHS: readonly RandomGraph[] = [
  { name: 'directed', nodeCount: NODE_COUNT, edges: SKEWED, isUndirected: false },
  { name: 'undirected', nodeCount: NODE_COUNT, edges: SKEWED, isUndirected: true },
  { name: 'sparse', nodeCount: NODE_COUNT, edges: SPARSE, isUndirected: true },
];
const fractions = numbers(
  'float',
  Float64Array.from({ length: NODE_COUNT }, () => random.fraction()),
);
const seeds = numbers(
  'integer',
  Float64Array.from({ length: NODE_COUNT }, () => random.below(90)),
);
const PROPERTIES = new Map([
  ['number', fractions],
  ['seed', seeds],
]);

type Configuration = Readonly<Record<string, Value>>;

const CONFIGURED: readonly (readonly [name: string, configuration: Configuration])[] = [
  ['pageRank', { danglingNodes: 'REDISTRIBUTE', scaler: 'L1Norm', sourceNodes: [10, 20] }],
  ['articleRank', { scaler: 'MinMax' }],
  ['eigenvector', { scaler: 'StdScore', sourceNodes: [10, 20] }],
  ['degree', { orientation: 'UNDIRECTED' }],
  ['degree', { orientation: 'REVERSE' }],
  ['betweenness', { samplingSize: 40, samplingSeed: 3 }],
  ['closeness', { useWassermanFaust: true }],
  ['hits', { hitsIterations: 3 }],
  ['wcc', { seedProperty: 'seed' }],
  ['wcc', { consecutiveIds: true, threshold: 2 }],
  ['scc', { consecutiveIds: true }],
  ['labelPropagation', { seedProperty: 'seed', nodeWeightProperty: 'number' }],
  ['labelPropagation', { consecutiveIds: true }],
  ['louvain', { includeIntermediateCommunities: true }],
  ['louvain', { seedProperty: 'seed' }],
  ['leiden', { includeIntermediateCommunities: true, gamma: 3 }],
  ['leiden', { seedProperty: 'seed', maxLevels: 2 }],
  ['triangleCount', { maxDegree: 40 }],
  ['localClusteringCoefficient', { triangleCountProperty: 'seed' }],
  ['nodeSimilarity', { topK: 60, similarityMetric: 'COSINE' }],
  ['nodeSimilarity', { bottomK: 7, topN: 200, similarityMetric: 'OVERLAP' }],
  ['knn', { nodeProperties: ['number', 'seed'], topK: 40, initialSampler: 'RANDOMWALK', perturbationRate: 0.3 }],
  ['fastRP', { embeddingDimension: 32, iterationWeights: [1, 1, 1, 1], featureProperties: ['number'], propertyRatio: 0.5 }],
  ['node2vec', { embeddingDimension: 8, walkLength: 12, walksPerNode: 3, iterations: 2, returnFactor: 0.5 }],
  ['randomWalk', { walkLength: 300, walksPerNode: 2, inOutFactor: 0.3 }],
  ['randomWalk', { sourceNodes: [10], walkLength: 2 }],
  ['scaleProperties', { nodeProperties: ['number', 'seed', 'number'], scaler: 'L2NORM' }],
  ['shortestPath.dijkstra', { sourceNode: 10, targetNodes: [20, 30, 40, 50] }],
  ['shortestPath.yens', { sourceNode: 10, targetNode: 60, k: 1 }],
  ['shortestPath.yens', { sourceNode: 10, targetNode: 60, k: 70 }],
  ['allShortestPaths.dijkstra', { sourceNode: 10 }],
  ['allShortestPaths.delta', { sourceNode: 10, delta: 0.001 }],
  ['allShortestPaths.delta', { sourceNode: 10, delta: 1e9 }],
  ['bfs', { sourceNode: 10, targetNodes: [20, 30], maxDepth: 3 }],
  ['dfs', { sourceNode: 10, maxDepth: 5 }],
  ['spanningTree', { sourceNode: 10, objective: 'maximum' }],
];

/** Uses all that an outcome holds. */
function useUp(outcome: Outcome): void {
  if (outcome.kind === 'paths') for (const _ of outcome.paths());
  for (const value of Object.values(outcome.summary)) if (typeof value === 'function') ended(value());
}

function check(name: string, configuration: Configuration, graph: RandomGraph, isWeighted: boolean): void {
  const algorithm = algorithms.find((each) => each.name === name)!;
  const { values } = readConfiguration(algorithm.fields, new Map(Object.entries(configuration)));
  const selection = { nodeLabels: ['*'], relationshipTypes: ['*'], weightProperty: isWeighted ? 'weight' : null };
  for (const team of [null, threads.team(2, 0)]) {
    const topology = ended(select(projected(graph, { properties: PROPERTIES }), selection, new TestWork()));
    const work = new TestWork(team);
    useUp(ended<Outcome>(algorithm.run({ topology, configuration: values, work })));
    const { nodeCount, relationshipCount, isUndirected } = topology;
    const size = { nodeCount, relationshipCount, isDirected: !isUndirected, isWeighted, members: team?.size ?? 1 };
    const estimate = algorithm.bytes(size, values);
    const least = algorithm.leastBytes?.(size, values) ?? LEAST_BYTES_PER_NODE * nodeCount;
    const told = `${graph.name}, ${isWeighted ? 'weighted' : 'unweighted'}: ${work.most} bytes were charged, ${estimate} estimated`;
    assert.ok(work.most <= estimate + (algorithm.kind === 'nodes' ? 64 : 0), told);
    assert.ok(least <= work.most, `${told}, ${least} at least`);
  }
}

for (const [name, configuration] of CONFIGURED) {
  test(`${name} ${JSON.stringify(configuration)}`, () => {
    const { needsUndirected, weights } = algorithms.find((each) => each.name === name)!;
    for (const graph of GRAPHS)
      if (graph.isUndirected || !needsUndirected)
        for (const isWeighted of weights === 'none' ? [false] : [false, true]) check(name, configuration, graph, isWeighted);
  });
}

test('relationships are built within the bytes that are told', () => {
  for (const properties of [[], ['w'], ['w', 'x']])
    for (const count of [0, 100, 9000]) {
      const work = new TestWork();
      const nodes = Uint32Array.from({ length: count }, () => random.below(NODE_COUNT));
      const draft = properties.map((name) => ({ name, aggregation: 'NONE' as const, values: new Float64Array(count) }));
      const pairs = { nodeCount: NODE_COUNT, count, sources: nodes, targets: nodes };
      ended(buildRelationships({ ...pairs, type: 'R', orientation: 'NATURAL', aggregation: 'NONE', properties: draft }, work));
      assert.equal(work.most, relationshipBytes({ nodeCount: NODE_COUNT, count, properties: properties.length }));
    }
});

/** A chain of which each node is a shorter way to every hub than the nodes before it. */
function hubs(length: number, count: number): RandomGraph {
  const chain = Array.from({ length: length - 1 }, (_, i) => ({ from: i, to: i + 1, weight: 1 }));
  const ways = chain.flatMap(({ from }) =>
    Array.from({ length: count }, (_, hub) => ({ from, to: length + hub, weight: 4 * length - 3 * from + hub / 64 })),
  );
  return { name: 'hubs', nodeCount: length + count, edges: [...chain, ...ways], isUndirected: false };
}

const HUBS = hubs(120, 60);

for (const delta of [0.01, 2, 1e6]) {
  test(`nodes that come nearer again and again take no more: delta-stepping by ${delta}`, () => {
    check('allShortestPaths.delta', { sourceNode: 10, delta }, HUBS, true);
  });
}

for (const k of [1, 2, 40]) {
  test(`ways that are not among the ${k} shortest are not kept`, () => {
    check('shortestPath.yens', { sourceNode: 10, targetNode: 1800, k }, HUBS, true);
  });
}

/**
 * Properties of every algorithm: its memory stays within its estimate, what it charges it releases no more than once,
 * and its result is the same in every run.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../value/index.ts';
import { algorithms } from './algorithms.ts';
import { readConfiguration } from './configuration/read-configuration.ts';
import { numbers } from './graph/node-property.ts';
import { select } from './graph/topology.ts';
import { SeededRandom } from './random.ts';
import type { Outcome } from './table/algorithm.ts';
import { ended, projected, type RandomGraph, TestWork } from './testing/random-graphs.fixture.ts';

const NODE_COUNT = 1500;
/** Paths may be as long as the graph, weights need sums beside them, and each distance may have a bucket of its own. */
const UNKEPT = ['shortestPath.yens', 'randomWalk', 'allShortestPaths.delta'];
const random = new SeededRandom(11);

const MANDATORY: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  bfs: { sourceNode: 10 },
  dfs: { sourceNode: 10 },
  'shortestPath.dijkstra': { sourceNode: 10, targetNode: 20 },
  'shortestPath.astar': { sourceNode: 10, targetNode: 20, latitudeProperty: 'number', longitudeProperty: 'number' },
  'shortestPath.yens': { sourceNode: 10, targetNode: 20, k: 3 },
  'allShortestPaths.dijkstra': { sourceNode: 10 },
  'allShortestPaths.delta': { sourceNode: 10 },
  spanningTree: { sourceNode: 10 },
  knn: { nodeProperties: 'number', maxIterations: 3 },
  'knn.filtered': { nodeProperties: 'number', maxIterations: 3, seedTargetNodes: true },
  fastRP: { embeddingDimension: 16 },
  node2vec: { embeddingDimension: 4, walksPerNode: 1, walkLength: 5 },
  scaleProperties: { nodeProperties: ['number', 'number'], scaler: 'MEAN' },
  randomWalk: { walksPerNode: 1, walkLength: 5 },
};

function graphOf(isUndirected: boolean): RandomGraph {
  const edges = Array.from({ length: 6 * NODE_COUNT }, () => ({
    from: random.below(NODE_COUNT),
    to: random.below(random.below(NODE_COUNT) + 1),
    weight: 1 + random.below(8) / 4,
  }));
  return { name: 'skewed', nodeCount: NODE_COUNT, edges, isUndirected };
}

const GRAPHS = { directed: graphOf(false), undirected: graphOf(true) };
const PROPERTIES = new Map([
  [
    'number',
    numbers(
      'float',
      Float64Array.from({ length: NODE_COUNT }, () => random.fraction()),
    ),
  ],
]);

/** All that an outcome holds, as text. */
function textOf(outcome: Outcome): string {
  if (outcome.kind === 'nodes')
    return Object.values(outcome.properties)
      .map(({ values }) => values.join())
      .join(';');
  if (outcome.kind === 'pairs') return `${outcome.sources.join()};${outcome.targets.join()};${outcome.weights.join()}`;
  return JSON.stringify([...outcome.paths()]);
}

for (const algorithm of algorithms) {
  for (const isWeighted of algorithm.weights === 'none' ? [false] : [false, true]) {
    test(`${algorithm.name}${isWeighted ? ' with weights' : ''}`, () => {
      for (const graph of algorithm.needsUndirected ? [GRAPHS.undirected] : [GRAPHS.directed, GRAPHS.undirected]) {
        const run = (): { text: string; most: number; estimate: number } => {
          const selection = { nodeLabels: ['*'], relationshipTypes: ['*'], weightProperty: isWeighted ? 'weight' : null };
          const topology = ended(select(projected(graph, { properties: PROPERTIES }), selection, new TestWork()));
          const { values } = readConfiguration(algorithm.fields, new Map(Object.entries(MANDATORY[algorithm.name] ?? {})));
          const work = new TestWork();
          const outcome = ended<Outcome>(algorithm.run({ topology, configuration: values, work }));
          const { nodeCount, relationshipCount } = topology;
          const text = textOf(outcome);
          const { most } = work;
          return {
            text,
            most,
            estimate: algorithm.bytes({ nodeCount, relationshipCount, isDirected: !graph.isUndirected, isWeighted, members: 1 }, values),
          };
        };
        const first = run();
        assert.equal(run().text, first.text, 'another run gives the same');
        assert.ok(first.most <= 1.25 * first.estimate + 4096, `${first.most} bytes were charged, ${first.estimate} estimated`);
        if (!UNKEPT.includes(algorithm.name))
          assert.ok(first.estimate <= 4 * first.most + 65_536, `${first.estimate} bytes were estimated, ${first.most} charged`);
      }
    });
  }
}

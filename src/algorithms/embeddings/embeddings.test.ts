/** Walks, vectors of nodes, scaled properties: what must hold for any seed, and that a seed always gives the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleProperties } from '../centrality/scale-properties.ts';
import { numbers } from '../graph/node-property.ts';
import { arcsOf, near, outcomeOf, pathsOf, type RandomGraph, randomGraphs, valuesOf } from '../testing/random-graphs.fixture.ts';
import { fastRP } from './fast-rp.ts';
import { node2vec } from './node2vec.ts';
import { randomWalk } from './random-walk.ts';

const GRAPHS = [...randomGraphs(100, false), ...randomGraphs(100, true)];

test('walks lead along relationships that weigh something, and are the same for a seed', () => {
  for (const graph of GRAPHS) {
    for (const isWeighted of [false, true]) {
      const configuration = { walkLength: 6, walksPerNode: 3, inOutFactor: 0.5, returnFactor: 2 };
      const walks = pathsOf(outcomeOf(randomWalk, graph, configuration, { isWeighted })).map(({ nodes }) => nodes);
      const arcs = new Set(
        arcsOf(graph)
          .filter(({ weight }) => !isWeighted || weight > 0)
          .map(({ from, to }) => `${from} ${to}`),
      );
      for (const walk of walks) {
        for (let i = 1; i < walk.length; i++) assert.ok(arcs.has(`${walk[i - 1]} ${walk[i]}`), graph.name);
        const last = walk.at(-1);
        assert.ok(walk.length === 6 || ![...arcs].some((arc) => arc.startsWith(`${last} `)), graph.name);
      }
      const starts = new Set([...arcs].map((arc) => Number(arc.split(' ')[0])));
      assert.equal(walks.length, 3 * starts.size, graph.name);
      assert.deepEqual(
        pathsOf(outcomeOf(randomWalk, graph, configuration, { isWeighted })).map(({ nodes }) => nodes),
        walks,
      );
    }
  }
});

test('walks go back, and afar, as often as their factors say', () => {
  // From 0 to 1; then back to 0, on to 2, which 0 leads to as well, or afar to 3.
  const edges = [
    [0, 1],
    [1, 2],
    [0, 2],
    [1, 3],
  ].map(([from, to]) => ({ from: from!, to: to!, weight: 1 }));
  const graph: RandomGraph = { name: 'fork', nodeCount: 4, edges, isUndirected: true };
  const thirds = (returnFactor: number, inOutFactor: number): number[] => {
    const configuration = { sourceNodes: [10], walkLength: 3, walksPerNode: 30_000, returnFactor, inOutFactor };
    const counts = [0, 0, 0, 0];
    for (const { nodes } of pathsOf(outcomeOf(randomWalk, graph, configuration))) if (nodes[1] === 1) counts[nodes[2]!]!++;
    const sum = counts.reduce((total, each) => total + each, 0);
    return counts.map((count) => count / sum);
  };
  near(thirds(1, 1), [1 / 3, 0, 1 / 3, 1 / 3], 'evenly', 0.02);
  near(thirds(0.25, 0.5), [4 / 7, 0, 1 / 7, 2 / 7], 'by factors', 0.02);
});

/** One round of FastRP is the mean of the vectors of neighbours, of unit length. */
test('FastRP: rounds are means of rounds before, added up by their weights', () => {
  const dimension = 8;
  const vectorsOf = (graph: RandomGraph, iterationWeights: number[], isWeighted = false): number[][] => {
    const all = valuesOf(outcomeOf(fastRP, graph, { embeddingDimension: dimension, iterationWeights }, { isWeighted }));
    return Array.from({ length: graph.nodeCount }, (_, node) => all.slice(node * dimension, (node + 1) * dimension));
  };
  for (const graph of GRAPHS) {
    for (const isWeighted of [false, true]) {
      const first = vectorsOf(graph, [1], isWeighted);
      const second = vectorsOf(graph, [0, 1], isWeighted);
      const both = vectorsOf(graph, [0.5, 2], isWeighted);
      for (let node = 0; node < graph.nodeCount; node++) {
        near(
          both[node]!,
          first[node]!.map((x, i) => 0.5 * x + 2 * second[node]![i]!),
          graph.name,
          1e-5,
        );
        for (const vector of [first[node]!, second[node]!]) {
          const length = Math.hypot(...vector);
          assert.ok(length < 1e-6 || Math.abs(length - 1) < 1e-5, graph.name);
        }
      }
    }
  }
});

test('FastRP: nodes with the same neighbours have the same vector; features and the node itself count', () => {
  const edges = [
    [0, 2],
    [1, 2],
    [0, 3],
    [1, 3],
    [4, 2],
  ].map(([from, to]) => ({ from: from!, to: to!, weight: 1 }));
  const graph: RandomGraph = { name: 'twins', nodeCount: 5, edges, isUndirected: true };
  const dimension = 64;
  const of = (configuration: object, node: number): number[] => {
    const properties = new Map([['age', numbers('float', Float64Array.of(1, 1, 2, 3, 5))]]);
    const all = valuesOf(outcomeOf(fastRP, graph, { embeddingDimension: dimension, ...configuration }, { properties }));
    return all.slice(node * dimension, (node + 1) * dimension);
  };
  near(of({}, 0), of({}, 1), 'twins', 1e-6);
  assert.notDeepEqual(of({}, 0), of({}, 4));
  assert.notDeepEqual(of({ nodeSelfInfluence: 1 }, 0), of({ nodeSelfInfluence: 1 }, 1));
  assert.notDeepEqual(of({ randomSeed: 7 }, 0), of({}, 0));
  const withAge = of({ featureProperties: ['age'], propertyRatio: 0.5 }, 0);
  assert.ok(withAge.slice(dimension / 2).some((x) => x !== 0));
  assert.throws(() => of({ propertyRatio: 0.5 }, 0), { code: 'ARGUMENT_ERROR' });
  assert.throws(() => of({ embeddingDimension: 0 }, 0), { code: 'ARGUMENT_ERROR' });
});

test('node2vec brings nodes of one clique nearer to each other than to those of another', () => {
  const clique = (first: number) =>
    [0, 1, 2, 3, 4, 5].flatMap((a) => [0, 1, 2, 3, 4, 5].filter((b) => b > a).map((b) => ({ from: first + a, to: first + b, weight: 1 })));
  const graph: RandomGraph = {
    name: 'cliques',
    nodeCount: 12,
    isUndirected: true,
    edges: [...clique(0), ...clique(6), { from: 5, to: 6, weight: 1 }],
  };
  const configuration = { embeddingDimension: 16, iterations: 5, walkLength: 20, initialLearningRate: 0.05, positiveSamplingFactor: 0 };
  const values = valuesOf(outcomeOf(node2vec, graph, configuration));
  const vector = (node: number): number[] => values.slice(node * 16, (node + 1) * 16);
  const cosine = (a: number, b: number): number => {
    const product = vector(a).reduce((sum, x, i) => sum + x * vector(b)[i]!, 0);
    return product / (Math.hypot(...vector(a)) * Math.hypot(...vector(b)));
  };
  let inside = 0;
  let across = 0;
  for (let a = 0; a < 6; a++)
    for (let b = a + 1; b < 6; b++) {
      inside += cosine(a, b);
      across += cosine(a, b + 6);
    }
  assert.ok(inside > across + 3, `${inside} inside, ${across} across`);
  assert.deepEqual(valuesOf(outcomeOf(node2vec, graph, configuration)), values);
  for (const other of randomGraphs(20, false))
    valuesOf(outcomeOf(node2vec, other, { embeddingDimension: 3, walkLength: 4, walksPerNode: 1 }));
});

test('scaled properties stand side by side', () => {
  const graph: RandomGraph = { name: 'three', nodeCount: 3, edges: [], isUndirected: true };
  const properties = new Map([
    ['a', numbers('integer', Float64Array.of(1, 2, 4))],
    ['b', numbers('float', Float64Array.of(-1, 0, 3))],
  ]);
  const scaled = (scaler: unknown): number[] =>
    valuesOf(outcomeOf(scaleProperties, graph, { nodeProperties: ['a', 'b'], scaler: scaler as string }, { properties }));
  near(scaled('MINMAX'), [0, 0, 1 / 3, 0.25, 1, 1], 'MinMax');
  near(scaled('max'), [0.25, -1 / 3, 0.5, 0, 1, 1], 'Max');
  near(scaled('Mean'), [(1 - 7 / 3) / 3, (-1 - 2 / 3) / 4, (2 - 7 / 3) / 3, -2 / 3 / 4, (4 - 7 / 3) / 3, (3 - 2 / 3) / 4], 'Mean');
  near(scaled('center'), [1 - 7 / 3, -1 - 2 / 3, 2 - 7 / 3, -2 / 3, 4 - 7 / 3, 3 - 2 / 3], 'Center');
  near(
    scaled(
      new Map<string, unknown>([
        ['type', 'log'],
        ['offset', 2],
      ]),
    ),
    [3, 1, 4, 2, 6, 5].map(Math.log),
    'Log',
  );
  const deviation = Math.sqrt(((1 - 7 / 3) ** 2 + (2 - 7 / 3) ** 2 + (4 - 7 / 3) ** 2) / 3);
  near([scaled('StdScore')[4]!], [(4 - 7 / 3) / deviation], 'StdScore');
  assert.throws(() => scaled('nothing'), { code: 'ARGUMENT_ERROR' });
});

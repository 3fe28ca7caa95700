/**
 * node2vec (Grover and Leskovec 2016): random walks as sentences of a skip-gram model with negative samples (Mikolov
 * and others 2013), trained in the order of the walks. O(walks × length × window × samples × dimension). Random numbers
 * come from a seed.
 */

import { makeFloat } from '../../value/index.ts';
import { float, integer, oneOf, optional, sourceNodes } from '../configuration/fields.ts';
import { vectors } from '../graph/node-property.ts';
import { sourcesIn } from '../graph/sources.ts';
import { SeededRandom } from '../random.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { Arrays } from '../work.ts';
import { bytesOfWalker, Walker } from './walks.ts';

const FIELDS = {
  sourceNodes: sourceNodes(),
  walkLength: integer(80, { min: 2 }),
  walksPerNode: integer(10, { min: 1 }),
  inOutFactor: float(1, { min: 0, above: true }),
  returnFactor: float(1, { min: 0, above: true }),
  windowSize: integer(10, { min: 2 }),
  negativeSamplingRate: integer(5, { min: 1 }),
  positiveSamplingFactor: float(0.001, { min: 0 }),
  negativeSamplingExponent: float(0.75),
  embeddingDimension: integer(128, { min: 1 }),
  embeddingInitializer: oneOf(['UNIFORM', 'NORMALIZED'], 'NORMALIZED'),
  iterations: integer(1, { min: 1 }),
  initialLearningRate: float(0.01, { min: 0, above: true }),
  minLearningRate: float(0.0001, { min: 0, above: true }),
  randomSeed: optional(integer(undefined, { min: 0 })),
  walkBufferSize: integer(1000, { min: 1 }),
};

interface Model {
  readonly dimension: number;
  readonly centres: Float32Array;
  readonly contexts: Float32Array;
  readonly change: Float32Array;
  loss: number;
}

/** Brings a pair nearer (label 1), or a negative sample farther away (label 0). Changes of the centre gather in `change`. */
function learn(model: Model, centre: number, context: number, label: 0 | 1, rate: number): void {
  const { dimension, centres, contexts, change } = model;
  const a = centre * dimension;
  const b = context * dimension;
  let product = 0;
  for (let k = 0; k < dimension; k++) product += centres[a + k]! * contexts[b + k]!;
  const probability = 1 / (1 + Math.exp(-product));
  const step = (label - probability) * rate;
  model.loss -= Math.log(Math.max(1e-12, label === 1 ? probability : 1 - probability));
  for (let k = 0; k < dimension; k++) {
    change[k]! += step * contexts[b + k]!;
    contexts[b + k]! += step * centres[a + k]!;
  }
}

/** Returns for each node the sum, up to and including it, of the odds by which nodes are drawn as negative samples. */
function oddsOf(counts: Uint32Array, exponent: number): Float64Array {
  const sums = new Float64Array(counts.length);
  let sum = 0;
  for (let node = 0; node < counts.length; node++) {
    if (counts[node]! > 0) sum += counts[node]! ** exponent;
    sums[node] = sum;
  }
  return sums;
}

function drawn(sums: Float64Array, random: SeededRandom): number {
  const wanted = random.fraction() * sums[sums.length - 1]!;
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[middle]! <= wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** node2vec embeddings. */
export const node2vec: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'node2vec',
  description: 'Vectors of nodes such that nodes that come near each other in random walks are near each other.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: [{ name: 'embedding', type: 'LIST<FLOAT>' }],
  summary: [
    { name: 'nodeCount', type: 'INTEGER' },
    { name: 'lossPerIteration', type: 'LIST<FLOAT>' },
  ],
  bytes: (size, { embeddingDimension, walkLength }) =>
    size.nodeCount * (12 + 8 * embeddingDimension) + bytesOfWalker(size) + walkLength * 4,
  leastBytes: (size, { embeddingDimension, walkLength }) =>
    size.nodeCount * (4 + 8 * embeddingDimension) + bytesOfWalker(size) + walkLength * 4,
  *run({ topology, configuration, work }) {
    const { nodeCount } = topology;
    const { embeddingDimension: dimension, walkLength, walksPerNode, windowSize, iterations, negativeSamplingRate } = configuration;
    const { initialLearningRate, minLearningRate, positiveSamplingFactor, embeddingInitializer, randomSeed, sourceNodes } = configuration;
    const sources = sourceNodes === null ? null : sourcesIn(topology, 'sourceNodes', sourceNodes);
    const sourceCount = sources === null ? nodeCount : sources.length;
    const walker = yield* Walker.over(topology, configuration, work);
    const arrays = new Arrays(work);
    const walk = arrays.uint32(walkLength);
    const counts = arrays.uint32(nodeCount);
    let places = 0;
    for (let i = 0; i < sourceCount * walksPerNode; i++) {
      if (work.worked(walkLength * 4)) yield null;
      const index = Math.floor(i / walksPerNode);
      const length = walker.walk(sources === null ? index : sources[index]!, i % walksPerNode, walk);
      for (let at = 0; at < length; at++) counts[walk[at]!]!++;
      places += length;
    }
    const odds = oddsOf(counts, configuration.negativeSamplingExponent);
    const random = new SeededRandom(randomSeed, 2);
    const model: Model = {
      dimension,
      centres: arrays.float32(nodeCount * dimension),
      contexts: arrays.float32(nodeCount * dimension),
      change: new Float32Array(dimension),
      loss: 0,
    };
    const bound = embeddingInitializer === 'NORMALIZED' ? 0.5 / dimension : 1;
    for (let node = 0; node < nodeCount; node++) {
      if (work.worked(dimension)) yield null;
      for (let k = node * dimension; k < (node + 1) * dimension; k++) model.centres[k] = (2 * random.fraction() - 1) * bound;
    }
    const losses: number[] = [];
    const window = Math.max(1, Math.floor(windowSize / 2));
    for (let iteration = 0; iteration < iterations; iteration++) {
      const rate = Math.max(minLearningRate, initialLearningRate - ((initialLearningRate - minLearningRate) * iteration) / iterations);
      model.loss = 0;
      for (let i = 0; i < sourceCount * walksPerNode; i++) {
        const index = Math.floor(i / walksPerNode);
        if (work.worked(walkLength * 4)) yield null;
        const length = walker.walk(sources === null ? index : sources[index]!, i % walksPerNode, walk);
        for (let at = 0; at < length; at++) {
          if (work.worked((2 * window * (1 + negativeSamplingRate) * dimension) / 4)) yield null;
          const centre = walk[at]!;
          const share = counts[centre]! / places;
          const keeps =
            positiveSamplingFactor === 0 ? 1 : (Math.sqrt(share / positiveSamplingFactor) + 1) * (positiveSamplingFactor / share);
          if (keeps < 1 && random.fraction() > keeps) continue;
          for (let other = Math.max(0, at - window); other < Math.min(length, at + window + 1); other++) {
            if (other === at) continue;
            model.change.fill(0);
            learn(model, centre, walk[other]!, 1, rate);
            for (let sample = 0; sample < negativeSamplingRate; sample++) learn(model, centre, drawn(odds, random), 0, rate);
            for (let k = 0; k < dimension; k++) model.centres[centre * dimension + k]! += model.change[k]!;
          }
        }
      }
      losses.push(model.loss);
      work.progress((iteration + 1) / iterations);
    }
    const { centres } = model;
    return {
      kind: 'nodes',
      properties: { '': vectors(centres, dimension) },
      row: (node, id) => [id, Array.from(centres.subarray(node * dimension, (node + 1) * dimension), makeFloat)],
      summary: { nodeCount, lossPerIteration: losses.map(makeFloat) },
    };
  },
});

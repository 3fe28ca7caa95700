/**
 * FastRP (Chen and others 2019): sparse random vectors of nodes (Achlioptas 2003), averaged over neighbours again and
 * again, each round of unit length, weighted and added up. Features of nodes are projected into a part of the vector.
 * O(rounds × relationships × dimension). The random vector of a node depends on the seed and the node only.
 */

import { argumentFault, makeFloat } from '../../value/index.ts';
import { widthOfProperty } from '../centrality/scale-properties.ts';
import { float, floats, integer, optional, strings } from '../configuration/fields.ts';
import type { Csr } from '../graph/csr.ts';
import { vectors } from '../graph/node-property.ts';
import type { Topology } from '../graph/topology.ts';
import { SeededRandom } from '../random.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { sharedPhase } from '../threads/shared-phase.ts';
import { Arrays, overLists, overRange, type Phase, type Pieces, type Work } from '../work.ts';

const FIELDS = {
  embeddingDimension: integer(undefined, { min: 1 }),
  iterationWeights: floats([0, 1, 1]),
  normalizationStrength: float(0),
  nodeSelfInfluence: float(0),
  propertyRatio: float(0, { min: 0, max: 1 }),
  featureProperties: strings([]),
  randomSeed: optional(integer(undefined, { min: 0 })),
};

/** One entry of this many is not 0 on average; entries are larger by its root, so that a vector is as long as a dense one. */
const SPARSITY = 3;

interface Projection {
  readonly vectors: Float32Array;
  readonly dimension: number;
  readonly offsets: Uint32Array;
  readonly strength: number;
  readonly seed: number | null;
}

/** Fills each vector with entries that are 0, or plus or minus a size that depends on the degree of the node. */
const project = sharedPhase<Projection>('fastRP.project', ({ vectors: into, dimension, offsets, strength, seed }, from, to) => {
  const random = new SeededRandom(seed);
  for (let node = from; node < to; node++) {
    random.reset(seed, node);
    const degree = Math.max(1, offsets[node + 1]! - offsets[node]!);
    const size = (Math.sqrt(SPARSITY) * (strength === 0 ? 1 : degree ** strength)) / Math.sqrt(dimension);
    for (let i = node * dimension; i < (node + 1) * dimension; i++) {
      const drawn = random.below(2 * SPARSITY);
      if (drawn < 2) into[i] = drawn === 0 ? size : -size;
    }
  }
});

interface Rounds {
  readonly csr: Csr;
  readonly weights: Float64Array | null;
  readonly dimension: number;
  before: Float32Array;
  after: Float32Array;
  readonly embeddings: Float32Array;
  weight: number;
}

/** Averages the vectors of each node's neighbours, and adds the mean, at unit length times the round's weight, to the embedding. */
const average = sharedPhase<Rounds>('fastRP.average', ({ csr, weights, dimension, before, after, embeddings, weight }, from, to) => {
  for (let node = from; node < to; node++) {
    const at = node * dimension;
    after.fill(0, at, at + dimension);
    const start = csr.offsets[node]!;
    const end = csr.offsets[node + 1]!;
    for (let i = start; i < end; i++) {
      const share = (weights === null ? 1 : weights[i]!) / (end - start);
      const other = csr.targets[i]! * dimension;
      for (let k = 0; k < dimension; k++) after[at + k]! += share * before[other + k]!;
    }
    addUnit(after, embeddings, at, dimension, weight);
  }
});

function addUnit(vector: Float32Array, embeddings: Float32Array, at: number, dimension: number, weight: number): void {
  let squares = 0;
  for (let i = at; i < at + dimension; i++) squares += vector[i]! * vector[i]!;
  const by = squares > 0 ? weight / Math.sqrt(squares) : 0;
  for (let i = at; i < at + dimension; i++) embeddings[i]! += by * vector[i]!;
}

const addSelf: Phase<Rounds> = ({ before, embeddings, dimension, weight }, from, to) => {
  for (let node = from; node < to; node++) addUnit(before, embeddings, node * dimension, dimension, weight);
};

/** Adds the features to the last entries of the vectors: each number of a feature times a random vector of its own. */
function* addFeatures(topology: Topology, state: Rounds, { names, width, seed }: Features, work: Work): Pieces<void> {
  const { dimension, before } = state;
  const random = new SeededRandom(seed, 1);
  for (const name of names) {
    const property = topology.property(name);
    const numbersOfNode = widthOfProperty(topology, name);
    for (let place = 0; place < numbersOfNode; place++) {
      const direction = Float32Array.from({ length: width }, () => {
        const drawn = random.below(2 * SPARSITY);
        return drawn < 2 ? ((drawn === 0 ? 1 : -1) * Math.sqrt(SPARSITY)) / Math.sqrt(width) : 0;
      });
      for (let node = 0; node < topology.nodeCount; node++) {
        if (work.worked(width)) yield null;
        const member = topology.memberAt(node);
        const value = property.values[property.offsets === null ? member : property.offsets[member]! + place]!;
        if (Number.isNaN(value))
          throw argumentFault(`the node ${topology.ordinalOf(node)} has no value of the feature property \`${name}\``);
        const at = (node + 1) * dimension - width;
        for (let k = 0; k < width; k++) before[at + k]! += value * direction[k]!;
      }
    }
  }
}

interface Features {
  readonly names: readonly string[];
  /** How many entries of a vector the features take. */
  readonly width: number;
  readonly seed: number | null;
}

/** FastRP embeddings. */
export const fastRP: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'fastRP',
  description: 'Vectors of nodes such that nodes with common neighbours are near each other.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'optional',
  needsUndirected: false,
  columns: [{ name: 'embedding', type: 'LIST<FLOAT>' }],
  summary: [{ name: 'nodeCount', type: 'INTEGER' }],
  bytes: ({ nodeCount }, { embeddingDimension }) => nodeCount * 12 * embeddingDimension,
  leastBytes: ({ nodeCount }, { embeddingDimension }) => nodeCount * 12 * embeddingDimension,
  *run({ topology, configuration, work }) {
    const { nodeCount, csr, weights } = topology;
    const {
      embeddingDimension: dimension,
      iterationWeights,
      normalizationStrength,
      nodeSelfInfluence,
      propertyRatio,
      featureProperties,
      randomSeed,
    } = configuration;
    const width = featureProperties.length === 0 ? 0 : Math.floor(dimension * propertyRatio);
    if (propertyRatio > 0 && featureProperties.length === 0)
      throw argumentFault('When `propertyRatio` is greater than 0, `featureProperties` may not be empty.');
    const arrays = new Arrays(work);
    const array = (): Float32Array => arrays.float32(nodeCount * dimension);
    const state: Rounds = { csr, weights, dimension, before: array(), after: array(), embeddings: array(), weight: nodeSelfInfluence };
    const projection: Projection = {
      vectors: state.before,
      dimension,
      offsets: csr.offsets,
      strength: normalizationStrength,
      seed: randomSeed,
    };
    yield* overRange(work, nodeCount, project, projection, dimension);
    if (width > 0) {
      for (let node = 0; node < nodeCount; node++) state.before.fill(0, (node + 1) * dimension - width, (node + 1) * dimension);
      yield* addFeatures(topology, state, { names: featureProperties, width, seed: randomSeed }, work);
    }
    if (nodeSelfInfluence !== 0) yield* overRange(work, nodeCount, addSelf, state, dimension);
    for (const [round, weight] of iterationWeights.entries()) {
      state.weight = weight;
      yield* overLists(work, csr.offsets, average, state, Math.ceil(dimension / 8));
      [state.before, state.after] = [state.after, state.before];
      work.progress((round + 1) / iterationWeights.length);
    }
    const { embeddings } = state;
    return {
      kind: 'nodes',
      properties: { '': vectors(embeddings, dimension) },
      row: (node, id) => [id, Array.from(embeddings.subarray(node * dimension, (node + 1) * dimension), makeFloat)],
      summary: { nodeCount },
    };
  },
});

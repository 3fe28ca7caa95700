/**
 * The nearest neighbours of each node by its properties: NN-descent (Dong, Charikar, Li 2011). Lists begin at random;
 * then the neighbours of a node's neighbours are compared with each other, entries that are new to a list with all
 * others, until few lists change. The result is approximate, and exact where the lists hold all nodes. Random numbers
 * come from a seed, and nodes are joined in their order.
 */
import { anything, boolean, type Configured, float, integer, nodeFilter, oneOf, optional } from '../configuration/fields.ts';
import type { Topology } from '../graph/topology.ts';
import { SeededRandom } from '../random.ts';
import { type Algorithm, type PairOutcome, pairAlgorithm } from '../table/algorithm.ts';
import { scoreDistribution } from '../table/distribution.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';
import { type Metric, metricsOf } from './metrics.ts';
import { filterOf, type NodeFilter } from './node-filter.ts';
import { SIMILARITY_SUMMARY } from './pairs.ts';

const FIELDS = {
  nodeProperties: anything(undefined),
  topK: integer(10, { min: 1 }),
  sampleRate: float(0.5, { min: 0, max: 1, above: true }),
  deltaThreshold: float(0.001, { min: 0, max: 1 }),
  maxIterations: integer(100, { min: 1 }),
  randomJoins: integer(10, { min: 0 }),
  similarityCutoff: float(0, { min: 0, max: 1 }),
  perturbationRate: float(0, { min: 0, max: 1 }),
  initialSampler: oneOf(['UNIFORM', 'RANDOMWALK'], 'UNIFORM'),
  randomSeed: optional(integer(undefined, { min: 0 })),
};

const FILTERED = { ...FIELDS, sourceNodeFilter: nodeFilter(), targetNodeFilter: nodeFilter(), seedTargetNodes: boolean(false) };

const NOBODY = 0xffffffff;

/** For each node a list of its best neighbours so far, best first. */
class Lists {
  readonly size: number;
  readonly nodes: Uint32Array;
  readonly similarities: Float64Array;
  readonly isNew: Uint8Array;
  compared = 0;
  /** Called for each pair that is compared, once for each of its nodes; null: pairs are not watched. */
  watcher: ((node: number, other: number, similarity: number) => void) | null = null;
  private readonly metric: Metric;

  constructor(nodeCount: number, size: number, metric: Metric, arrays: Arrays) {
    this.size = size;
    this.metric = metric;
    this.nodes = arrays.uint32(nodeCount * size).fill(NOBODY);
    this.similarities = arrays.float64(nodeCount * size).fill(Number.NEGATIVE_INFINITY);
    this.isNew = arrays.uint8(nodeCount * size);
  }

  /** Compares two nodes, and offers each to the list of the other. @returns how many lists have changed */
  join(a: number, b: number): number {
    if (a === b) return 0;
    this.compared++;
    const similarity = this.metric(a, b);
    this.watcher?.(a, b, similarity);
    this.watcher?.(b, a, similarity);
    return this.offer(a, b, similarity) + this.offer(b, a, similarity);
  }

  offer(node: number, other: number, similarity: number): number {
    const { size, nodes, similarities, isNew } = this;
    const start = node * size;
    const isWorse = (at: number): boolean => similarities[at]! < similarity || (similarities[at] === similarity && nodes[at]! > other);
    if (!isWorse(start + size - 1)) return 0;
    for (let at = start; at < start + size; at++) if (nodes[at] === other) return 0;
    let at = start + size - 1;
    for (; at > start && isWorse(at - 1); at--) {
      nodes[at] = nodes[at - 1]!;
      similarities[at] = similarities[at - 1]!;
      isNew[at] = isNew[at - 1]!;
    }
    nodes[at] = other;
    similarities[at] = similarity;
    isNew[at] = 1;
    return 1;
  }
}

/** For each node the sampled entries of its list, at most `size`, which are to be compared with each other. */
class Samples {
  readonly counts: Uint32Array;
  readonly nodes: Uint32Array;
  readonly size: number;

  constructor(nodeCount: number, size: number, arrays: Arrays) {
    this.size = size;
    this.counts = arrays.uint32(nodeCount);
    this.nodes = arrays.uint32(nodeCount * size);
  }

  /** Adds a node to a sample. A full sample gives every node the same chance to be kept (reservoir). */
  add(node: number, other: number, random: SeededRandom): void {
    const count = this.counts[node]!++;
    const at = count < this.size ? count : random.below(count + 1);
    if (at < this.size) this.nodes[node * this.size + at] = other;
  }

  countOf(node: number): number {
    return Math.min(this.size, this.counts[node]!);
  }
}

/** Samples list entries in both directions: at most `most` new ones of each list go into `fresh`, those not new into `old`. */
function sample(lists: Lists, from: number, to: number, { fresh, old, random, most }: Sampling): void {
  const { size, nodes, isNew } = lists;
  for (let node = from; node < to; node++) {
    let taken = 0;
    for (let at = node * size; at < (node + 1) * size; at++) {
      const other = nodes[at]!;
      if (other === NOBODY) break;
      if (isNew[at] === 0) {
        old.add(node, other, random);
        old.add(other, node, random);
      } else if (taken < most) {
        taken++;
        isNew[at] = 0;
        fresh.add(node, other, random);
        fresh.add(other, node, random);
      }
    }
  }
}

interface Sampling {
  readonly fresh: Samples;
  readonly old: Samples;
  readonly random: SeededRandom;
  /** The most new entries that are taken from one list. */
  readonly most: number;
}

function joinAround(lists: Lists, node: number, { fresh, old, random }: Sampling, randomJoins: number, nodeCount: number): number {
  let changes = 0;
  const freshCount = fresh.countOf(node);
  const oldCount = old.countOf(node);
  for (let i = 0; i < freshCount; i++) {
    const a = fresh.nodes[node * fresh.size + i]!;
    for (let j = i + 1; j < freshCount; j++) changes += lists.join(a, fresh.nodes[node * fresh.size + j]!);
    for (let j = 0; j < oldCount; j++) changes += lists.join(a, old.nodes[node * old.size + j]!);
  }
  for (let i = 0; i < randomJoins; i++) changes += lists.join(node, random.below(nodeCount));
  return changes;
}

function begin(lists: Lists, node: number, topology: Topology, sampler: 'UNIFORM' | 'RANDOMWALK', random: SeededRandom): void {
  const { nodeCount, csr } = topology;
  const { size } = lists;
  if (size >= nodeCount - 1) {
    for (let other = 0; other < nodeCount; other++) if (other !== node) lists.join(node, other);
    return;
  }
  let at = node;
  for (let i = 0; i < size; i++) {
    const degree = csr.offsets[at + 1]! - csr.offsets[at]!;
    at = sampler === 'RANDOMWALK' && degree > 0 ? csr.targets[csr.offsets[at]! + random.below(degree)]! : random.below(nodeCount);
    lists.join(node, at);
  }
}

/** Returns how many neighbours the list of a node has room for. */
const listSize = (topK: number, nodeCount: number): number => Math.max(1, Math.min(topK, nodeCount - 1));

/** K nearest neighbours. */
export const knn: Algorithm<typeof FIELDS, PairOutcome> = pairAlgorithm({
  name: 'knn',
  description: 'The nodes that are most alike each node by their properties.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'none',
  needsUndirected: false,
  columns: [],
  summary: [
    { name: 'ranIterations', type: 'INTEGER' },
    { name: 'didConverge', type: 'BOOLEAN' },
    { name: 'nodePairsConsidered', type: 'INTEGER' },
    { name: 'nodesCompared', type: 'INTEGER' },
    ...SIMILARITY_SUMMARY,
  ],
  bytes: ({ nodeCount }, { topK }) => nodeCount * (16 + 37 * listSize(topK, nodeCount)),
  leastBytes: ({ nodeCount }, { topK }) => nodeCount * 13 * listSize(topK, nodeCount),
  relationships: ({ nodeCount }, { topK }) => nodeCount * listSize(topK, nodeCount),
  *run({ topology, configuration, work }) {
    return yield* neighbours(topology, configuration, null, work);
  },
});

/** K nearest neighbours between filtered nodes. */
export const filteredKnn: Algorithm<typeof FILTERED, PairOutcome> = pairAlgorithm<typeof FILTERED>({
  ...knn,
  name: 'knn.filtered',
  description: 'The nodes of one set that are most alike each node of another by their properties.',
  fields: FILTERED,
  bytes: ({ nodeCount }, { topK }) => nodeCount * (16 + 50 * listSize(topK, nodeCount)),
  leastBytes: ({ nodeCount }, { topK }) => nodeCount * 26 * listSize(topK, nodeCount),
  *run({ topology, configuration, work }) {
    const isSource = filterOf(topology, 'sourceNodeFilter', configuration.sourceNodeFilter);
    const isTarget = filterOf(topology, 'targetNodeFilter', configuration.targetNodeFilter);
    return yield* neighbours(topology, configuration, { isSource, isTarget, isSeeded: configuration.seedTargetNodes }, work);
  },
});

interface Filters {
  readonly isSource: NodeFilter;
  readonly isTarget: NodeFilter;
  /** Whether the lists of sources begin with random targets, however unlike these are. */
  readonly isSeeded: boolean;
}

/** @param filters null: all nodes are sources and targets. Else other lists keep the best targets of all pairs that are compared. */
function* neighbours(
  topology: Topology,
  configuration: Configured<typeof FIELDS>,
  filters: Filters | null,
  work: Work,
): Pieces<PairOutcome> {
  const { topK, sampleRate, deltaThreshold, maxIterations, randomJoins, similarityCutoff, perturbationRate, initialSampler, randomSeed } =
    configuration;
  const { nodeCount } = topology;
  const measures = metricsOf(topology, configuration.nodeProperties);
  const width = measures.reduce((sum, each) => sum + each.width, 4);
  const random = new SeededRandom(randomSeed);
  const metric = perturbed(meanOf(measures.map((each) => each.metric)), perturbationRate, random);
  const size = listSize(topK, nodeCount);
  const most = Math.max(1, Math.ceil(sampleRate * size));
  const lists = new Lists(nodeCount, size, metric, new Arrays(work));
  const wanted = filters === null ? lists : new Lists(nodeCount, size, metric, new Arrays(work));
  if (filters !== null) {
    const { isSource, isTarget } = filters;
    lists.watcher = (node, other, similarity) => {
      if (isSource(node) && isTarget(other)) wanted.offer(node, other, similarity);
    };
    if (filters.isSeeded) yield* seedTargets(lists, nodeCount, filters, random, work);
  }
  for (let node = 0; node < nodeCount; node++) {
    if (work.worked(size * width)) yield null;
    begin(lists, node, topology, initialSampler, random);
  }
  let ranIterations = 0;
  let didConverge = size >= nodeCount - 1;
  while (!didConverge && ranIterations < maxIterations) {
    const arrays = new Arrays(work);
    const sampling: Sampling = {
      fresh: new Samples(nodeCount, 2 * most, arrays),
      old: new Samples(nodeCount, size + most, arrays),
      random,
      most,
    };
    for (let node = 0; node < nodeCount; node++) {
      if (work.worked(4 * size)) yield null;
      sample(lists, node, node + 1, sampling);
    }
    let changes = 0;
    for (let node = 0; node < nodeCount; node++) {
      const fresh = sampling.fresh.countOf(node);
      if (work.worked((fresh * (fresh + sampling.old.countOf(node)) + randomJoins) * width)) yield null;
      changes += joinAround(lists, node, sampling, randomJoins, nodeCount);
    }
    work.release(nodeCount * (8 + 4 * (size + 3 * most)));
    ranIterations++;
    work.progress(ranIterations / maxIterations);
    didConverge = changes <= deltaThreshold * size * nodeCount;
  }
  const found = yield* pairsOf(wanted, nodeCount, similarityCutoff, work);
  return {
    kind: 'pairs',
    ...found,
    summary: {
      ranIterations,
      didConverge,
      nodePairsConsidered: lists.compared,
      nodesCompared: nodeCount,
      similarityPairs: found.weights.length,
      similarityDistribution: () => scoreDistribution(found.weights, work),
    },
  };
}

/** Compares each source with as many random targets as a list has room for. */
function* seedTargets(lists: Lists, nodeCount: number, { isSource, isTarget }: Filters, random: SeededRandom, work: Work): Pieces<void> {
  if (work.worked(nodeCount)) yield null;
  const targets: number[] = [];
  for (let node = 0; node < nodeCount; node++) if (isTarget(node)) targets.push(node);
  for (let node = 0; node < nodeCount && targets.length > 0; node++) {
    if (!isSource(node)) continue;
    if (work.worked(4 * lists.size)) yield null;
    for (let i = 0; i < lists.size; i++) lists.join(node, targets[random.below(targets.length)]!);
  }
}

function meanOf(metrics: readonly Metric[]): Metric {
  const [only] = metrics;
  if (metrics.length === 1 && only !== undefined) return only;
  return (a, b) => {
    let sum = 0;
    for (const metric of metrics) sum += metric(a, b);
    return sum / metrics.length;
  };
}

function perturbed(metric: Metric, rate: number, random: SeededRandom): Metric {
  return rate === 0 ? metric : (a, b) => metric(a, b) * (1 - rate * random.fraction());
}

function* pairsOf({ nodes, similarities, size }: Lists, nodeCount: number, cutoff: number, work: Work) {
  const isFound = (i: number): boolean => nodes[i] !== NOBODY && similarities[i]! >= cutoff;
  if (work.worked(nodes.length)) yield null;
  let count = 0;
  for (let i = 0; i < nodes.length; i++) if (isFound(i)) count++;
  const arrays = new Arrays(work);
  const found = { sources: arrays.uint32(count), targets: arrays.uint32(count), weights: arrays.float64(count) };
  let at = 0;
  for (let i = 0; i < nodeCount * size; i++) {
    if (!isFound(i)) continue;
    found.sources[at] = Math.floor(i / size);
    found.targets[at] = nodes[i]!;
    found.weights[at++] = similarities[i]!;
  }
  return found;
}

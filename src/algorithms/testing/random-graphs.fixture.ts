/** Small random graphs, and kernels run over them to the end. */
import { strict as assert } from 'node:assert';
import type { Value } from '../../value/index.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { buildRelationships } from '../graph/build-relationships.ts';
import type { NodeProperty } from '../graph/node-property.ts';
import { type Orientation, ProjectedGraph } from '../graph/projected-graph.ts';
import { select } from '../graph/topology.ts';
import { SeededRandom } from '../random.ts';
import type { Algorithm, NodeOutcome, Outcome, PairOutcome, PathOutcome } from '../table/algorithm.ts';
import type { Team } from '../threads/algorithm-threads.ts';
import type { Pieces, Work } from '../work.ts';

export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

export interface RandomGraph {
  readonly name: string;
  readonly nodeCount: number;
  /** As they were drawn; in an undirected graph each stands for both directions. */
  readonly edges: readonly Edge[];
  readonly isUndirected: boolean;
}

/** Charges are counted, and must be given back in proportion; every third look gives way. */
export class TestWork implements Work {
  readonly team: Team | null;
  charged = 0;
  most = 0;
  private looks = 0;

  constructor(team: Team | null = null) {
    this.team = team;
  }

  readonly worked = (steps: number): boolean => {
    assert.ok(steps >= 0);
    return this.looks++ % 3 === 0;
  };

  charge(bytes: number): void {
    assert.ok(bytes >= 0, 'bytes are charged');
    this.charged += bytes;
    this.most = Math.max(this.most, this.charged);
  }

  release(bytes: number): void {
    this.charged -= bytes;
    assert.ok(this.charged >= 0, 'no more is released than was charged');
  }

  progress(fraction: number): void {
    assert.ok(fraction >= 0 && fraction <= 1);
  }
}

export function ended<T>(pieces: Pieces<T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
  }
}

/** Empty ones, isolated nodes, loops, parallel relationships, dense and thin ones; weights are multiples of 1/4, so that sums are exact. */
export function* randomGraphs(count: number, isUndirected: boolean, seed = 1): Generator<RandomGraph> {
  for (let index = 0; index < count; index++) {
    const random = new SeededRandom(seed, index);
    const nodeCount = index === 0 ? 0 : 1 + random.below(index % 5 === 0 ? 24 : 9);
    const edgeCount = nodeCount === 0 || index % 17 === 1 ? 0 : random.below(1 + nodeCount * (1 + (index % 4)));
    const edges = Array.from(
      { length: edgeCount },
      (): Edge => ({ from: random.below(nodeCount), to: random.below(nodeCount), weight: random.below(16) / 4 }),
    );
    yield { name: `graph ${index} of seed ${seed}`, nodeCount, edges, isUndirected };
  }
}

export interface Options {
  readonly isWeighted?: boolean;
  readonly properties?: ReadonlyMap<string, NodeProperty>;
  readonly labels?: ReadonlyMap<string, Uint8Array>;
}

/** Nodes have the ordinals 10, 20, … */
export function projected({ nodeCount, edges, isUndirected }: RandomGraph, { properties, labels }: Options = {}): ProjectedGraph {
  const orientation: Orientation = isUndirected ? 'UNDIRECTED' : 'NATURAL';
  const set = ended(
    buildRelationships(
      {
        type: 'R',
        orientation,
        aggregation: 'NONE',
        nodeCount,
        count: edges.length,
        sources: Uint32Array.from(edges, ({ from }) => from),
        targets: Uint32Array.from(edges, ({ to }) => to),
        properties: [{ name: 'weight', aggregation: 'NONE', values: Float64Array.from(edges, ({ weight }) => weight) }],
      },
      new TestWork(),
    ),
  );
  return new ProjectedGraph({
    isOfDatabase: false,
    ordinals: Uint32Array.from({ length: nodeCount }, (_, i) => 10 * (i + 1)),
    labels: labels ?? new Map(),
    properties: properties ?? new Map(),
    relationships: new Map([['R', set]]),
  });
}

/** The outcome of an algorithm with a configuration of the algorithm's own keys. */
export function outcomeOf<O extends Outcome>(
  // biome-ignore lint/suspicious/noExplicitAny: of any configuration
  algorithm: Algorithm<any, O>,
  graph: RandomGraph,
  configuration: Readonly<Record<string, Value>>,
  options: Options = {},
): O {
  const work = new TestWork();
  const selection = { nodeLabels: ['*'], relationshipTypes: ['*'], weightProperty: options.isWeighted === true ? 'weight' : null };
  const topology = ended(select(projected(graph, options), selection, work));
  const { values } = readConfiguration(algorithm.fields, new Map(Object.entries(configuration)));
  return ended(algorithm.run({ topology, configuration: values, work }));
}

/** The numbers of nodes in their order. */
export const valuesOf = ({ properties }: NodeOutcome): number[] => [...(properties['']?.values ?? [])];

/** Values of the summary. */
export function summaryOf({ summary }: Outcome): Record<string, Value> {
  return Object.fromEntries(Object.entries(summary).map(([key, value]) => [key, typeof value === 'function' ? ended(value()) : value]));
}

export function pathsOf(outcome: PathOutcome): { nodes: number[]; costs: number[] }[] {
  return [...outcome.paths()].flatMap((path) => (path === null ? [] : [{ nodes: [...path.nodes], costs: [...path.costs] }]));
}

export const pairsOf = ({ sources, targets, weights }: PairOutcome): [number, number, number][] =>
  Array.from(weights, (weight, i) => [sources[i]!, targets[i]!, weight]);

/** Both directions of undirected edges. */
export const arcsOf = ({ edges, isUndirected }: RandomGraph): Edge[] =>
  isUndirected ? edges.flatMap((edge) => [edge, { from: edge.to, to: edge.from, weight: edge.weight }]) : [...edges];

/** How many arcs lead from a node to another. */
export function matrixOf(graph: RandomGraph): number[][] {
  const matrix = Array.from({ length: graph.nodeCount }, () => new Array<number>(graph.nodeCount).fill(0));
  for (const { from, to } of arcsOf(graph)) matrix[from]![to]!++;
  return matrix;
}

/** Distances between all pairs (Floyd and Warshall); each arc counts 1 without weights. */
export function distancesOf(graph: RandomGraph, isWeighted: boolean): number[][] {
  const { nodeCount } = graph;
  const distances = Array.from({ length: nodeCount }, (_, a) =>
    Array.from({ length: nodeCount }, (_, b) => (a === b ? 0 : Number.POSITIVE_INFINITY)),
  );
  for (const { from, to, weight } of arcsOf(graph)) distances[from]![to] = Math.min(distances[from]![to]!, isWeighted ? weight : 1);
  for (let k = 0; k < nodeCount; k++)
    for (let a = 0; a < nodeCount; a++)
      for (let b = 0; b < nodeCount; b++) distances[a]![b] = Math.min(distances[a]![b]!, distances[a]![k]! + distances[k]![b]!);
  return distances;
}

export function near(actual: readonly number[], expected: readonly number[], message: string, tolerance = 1e-9): void {
  assert.equal(actual.length, expected.length, message);
  for (const [i, value] of actual.entries())
    assert.ok(
      Math.abs(value - expected[i]!) <= tolerance * Math.max(1, Math.abs(expected[i]!)),
      `${message}: [${actual}] is not [${expected}]`,
    );
}

/**
 * RMAT graphs with the probabilities of Graph500, the social network as one graph, and their CSR as the catalog of
 * projected graphs builds it.
 */
import { buildRelationships, type Pieces, ProjectedGraph, type Work } from '../../src/algorithms/index.ts';
import { NONE, socialGraph } from '../social/graph.ts';

/** A statement without limits, that works alone. */
export const ALONE: Work = {
  worked: () => false,
  charge: () => undefined,
  release: () => undefined,
  progress: () => undefined,
  team: null,
};

export function ended<T>(pieces: Pieces<T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
  }
}

export interface Edges {
  readonly nodeCount: number;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  /** Multiples of 1/8 from 1/8 to 8. */
  readonly weights: Float64Array;
}

/** Eight relationships for each node; random numbers from a linear congruential generator. */
export function rmat(count: number): Edges {
  const nodeCount = 2 ** Math.ceil(Math.log2(count / 8));
  let state = 12345;
  const fraction = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const sources = new Uint32Array(count);
  const targets = new Uint32Array(count);
  const weights = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    for (let size = nodeCount >> 1; size > 0; size >>= 1) {
      const drawn = fraction();
      if (drawn >= 0.76) sources[i]! += size;
      if ((drawn >= 0.57 && drawn < 0.76) || drawn >= 0.95) targets[i]! += size;
    }
    weights[i] = (1 + Math.floor(fraction() * 64)) / 8;
  }
  return { nodeCount, sources, targets, weights };
}

/** The edges without loops, of parallel ones the first: a graph that databases with one relationship per pair of nodes hold too. */
export function simpleEdges({ nodeCount, sources, targets, weights }: Edges): Edges {
  const seen = new Set<number>();
  const kept = Uint32Array.from({ length: sources.length }, (_, i) => i).filter((i) => {
    const pair = sources[i]! * nodeCount + targets[i]!;
    return sources[i] !== targets[i] && seen.size < seen.add(pair).size;
  });
  return {
    nodeCount,
    sources: kept.map((i) => sources[i]!),
    targets: kept.map((i) => targets[i]!),
    weights: Float64Array.from(kept, (i) => weights[i]!),
  };
}

/** Persons, messages and tags of the social network, and all of its relationships; each weighs 1/8 to 8, by its number. */
export function wholeNetwork(scale: number): Edges {
  const graph = socialGraph(scale);
  const { persons, messages, tags } = graph;
  const sources: number[] = [];
  const targets: number[] = [];
  const add = (from: Uint32Array, to: Uint32Array, [fromFirst, toFirst]: readonly [number, number]): void => {
    for (let i = 0; i < from.length; i++) {
      sources.push(fromFirst + from[i]!);
      targets.push(toFirst + to[i]!);
    }
  };
  const all = Uint32Array.from({ length: messages }, (_, i) => i);
  const replies = all.filter((message) => graph.replyTo[message] !== NONE);
  add(graph.knowsFrom, graph.knowsTo, [0, 0]);
  add(all, graph.creators, [persons, 0]);
  add(
    replies,
    replies.map((message) => graph.replyTo[message]!),
    [persons, persons],
  );
  add(graph.likesFrom, graph.likesTo, [0, persons]);
  add(graph.taggedMessage, graph.taggedTag, [persons, persons + messages]);
  return {
    nodeCount: persons + messages + tags,
    sources: Uint32Array.from(sources),
    targets: Uint32Array.from(targets),
    weights: Float64Array.from(sources, (_, i) => (1 + ((i * 37) % 64)) / 8),
  };
}

/** Two types: `R` as they are, `U` undirected; both with the property `weight`. */
export function projectedGraph({ nodeCount, sources, targets, weights }: Edges): ProjectedGraph {
  const built = (type: string, orientation: 'NATURAL' | 'UNDIRECTED') =>
    ended(
      buildRelationships(
        {
          type,
          orientation,
          aggregation: 'NONE',
          nodeCount,
          count: sources.length,
          sources,
          targets,
          properties: [{ name: 'weight', aggregation: 'NONE', values: weights }],
        },
        ALONE,
      ),
    );
  return new ProjectedGraph({
    isOfDatabase: false,
    ordinals: Uint32Array.from({ length: nodeCount }, (_, i) => i),
    labels: new Map(),
    properties: new Map(),
    relationships: new Map([
      ['R', built('R', 'NATURAL')],
      ['U', built('U', 'UNDIRECTED')],
    ]),
  });
}

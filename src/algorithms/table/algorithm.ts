/**
 * The description of an algorithm: one record, from which the procedures of its modes are made. A record gives names
 * and types of columns as Graph Data Science 2 has them, the table of its configuration, the memory that it needs, and
 * the kernel.
 */
import type { Value } from '../../value/index.ts';
import type { Configured, Fields } from '../configuration/fields.ts';
import type { NodeProperty } from '../graph/node-property.ts';
import type { Topology } from '../graph/topology.ts';
import type { Pieces, Work } from '../work.ts';

/** A column of a result: its name and type. */
export interface Column {
  readonly name: string;
  /** The type, as signatures of procedures write it. */
  readonly type: 'INTEGER' | 'FLOAT' | 'BOOLEAN' | 'STRING' | 'MAP' | 'LIST<INTEGER>' | 'LIST<FLOAT>' | 'LIST<MAP>' | 'LIST<ANY>' | 'PATH';
}

/** The outcome of an algorithm that gives each node some values. */
export interface NodeOutcome {
  readonly kind: 'nodes';
  /** The properties that `mutate` and `write` store, by the suffix of the property's name; most algorithms have one, without a suffix. */
  readonly properties: Readonly<Record<string, NodeProperty>>;
  /** The community of each node; absent: the algorithm finds no communities. */
  readonly communities?: ArrayLike<number>;
  /** Returns the row that `stream` shows of a node, which begins with the node's id. */
  row(node: number, id: number): readonly Value[];
  /** Values of the columns of `stats`, `mutate` and `write` that describe the result. */
  readonly summary: Summary;
}

/** The outcome of an algorithm that finds pairs of nodes, each with a weight, as arrays of one length. */
export interface PairOutcome {
  readonly kind: 'pairs';
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
  /** Set where the pairs are nodes of a tree and their parents, first the root as its own: relationships lead from parents to children. */
  readonly isTree?: true;
  readonly summary: Summary;
}

/** The outcome of an algorithm that finds paths. Each path is a row: dense nodes in their order, and the cost up to each of them. */
export interface PathOutcome {
  readonly kind: 'paths';
  /**
   * True: `mutate` adds each step of a path as a relationship, without a cost. False: it adds one relationship for each
   * path, from its first to its last node.
   */
  readonly isStepwise: boolean;
  /** Yields the paths, and null wherever other statements may run. */
  paths(): Generator<FoundPath | null, void, void>;
  readonly summary: Summary;
}

/** A path that an algorithm found, with the cost up to each node. */
export interface FoundPath {
  readonly nodes: readonly number[];
  /** The cost up to each node of the path; the first is 0. */
  readonly costs: readonly number[];
}

/** The outcome of an algorithm. */
export type Outcome = NodeOutcome | PairOutcome | PathOutcome;

/** Values by column. A function is called after the computation, and its time counts as post-processing. */
export type Summary = Readonly<Record<string, Value | (() => Pieces<Value>)>>;

/** The input of a kernel. */
export interface KernelInput<Configuration> {
  readonly topology: Topology;
  readonly configuration: Configuration;
  readonly work: Work;
}

/** A mode in which an algorithm is called. */
export type Mode = 'stream' | 'stats' | 'mutate' | 'write';

/** The size of a graph, from which memory is estimated. */
export interface Size {
  readonly nodeCount: number;
  readonly relationshipCount: number;
  /** Whether some relationship is directed. */
  readonly isDirected: boolean;
  /** Whether relationships are weighed by a property. */
  readonly isWeighted: boolean;
  /** How many threads share the work, the main thread included. */
  readonly members: number;
}

/** The bytes for each node that each algorithm takes which does not tell how many it takes at least. */
export const LEAST_BYTES_PER_NODE = 4;

interface Common<F extends Fields, O extends Outcome> {
  /** The name after `gds.`, such as `pageRank` or `shortestPath.dijkstra`. */
  readonly name: string;
  readonly description: string;
  readonly modes: readonly Mode[];
  /** The parameters of this algorithm, beside those that all algorithms have. */
  readonly fields: F;
  /** Whether the algorithm reads `relationshipWeightProperty`. */
  readonly weights: 'none' | 'optional';
  /** The parameter that gives the least size of communities whose nodes are streamed and written; absent: there is none. */
  readonly minimumSize?: string;
  /** Set where the property that `mutate` and `write` name is a prefix of the names of several properties, and may be empty. */
  readonly namesPrefix?: true;
  /** Whether directed relationships are refused. */
  readonly needsUndirected: boolean;
  /** The columns of `stream` after `nodeId`, or instead of it. */
  readonly columns: readonly Column[];
  /** The columns of the other modes beside times, counts of what was written and the configuration. */
  readonly summary: readonly Column[];
  /** Returns how many bytes the kernel takes at most, with the columns of the summary. */
  bytes(size: Size, configuration: Configured<F>): number;
  /** Returns how many bytes the kernel takes at least, which grows with the graph; absent: `LEAST_BYTES_PER_NODE` for each node. */
  leastBytes?(size: Size, configuration: Configured<F>): number;
  /** Returns how many relationships `mutate` adds at most, where outcomes are pairs or paths; absent: one for each node. */
  relationships?(size: Size, configuration: Configured<F>): number;
  /** Runs the kernel. @throws ARGUMENT_ERROR when the graph does not fit the configuration */
  run(input: KernelInput<Configured<F>>): Pieces<O>;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of algorithms with any configuration
type AnyFields = any;

/** The description of an algorithm. */
export interface Algorithm<F extends Fields = AnyFields, O extends Outcome = Outcome> extends Common<F, O> {
  readonly kind: O['kind'];
}

/** An algorithm that gives each node some values. */
export function nodeAlgorithm<F extends Fields>(record: Common<F, NodeOutcome>): Algorithm<F, NodeOutcome> {
  return { ...record, kind: 'nodes' };
}

/** An algorithm that finds pairs of nodes. */
export function pairAlgorithm<F extends Fields>(record: Common<F, PairOutcome>): Algorithm<F, PairOutcome> {
  return { ...record, kind: 'pairs' };
}

/** An algorithm that finds paths. */
export function pathAlgorithm<F extends Fields>(record: Common<F, PathOutcome>): Algorithm<F, PathOutcome> {
  return { ...record, kind: 'paths' };
}

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
  /** As signatures of procedures write it. */
  readonly type: 'INTEGER' | 'FLOAT' | 'BOOLEAN' | 'STRING' | 'MAP' | 'LIST<INTEGER>' | 'LIST<FLOAT>' | 'LIST<MAP>' | 'LIST<ANY>' | 'PATH';
}

/** Values of each node; which of them `mutate` and `write` store, the record says. */
export interface NodeOutcome {
  readonly kind: 'nodes';
  /** The properties that are written, by the suffix of the property's name; most algorithms have one, without a suffix. */
  readonly properties: Readonly<Record<string, NodeProperty>>;
  /** The community of each node; absent: the values say nothing of communities. */
  readonly communities?: ArrayLike<number>;
  /** The row of a node in `stream` behind `nodeId`; null: the node has none. */
  row(node: number): readonly Value[] | null;
  /** The columns of `stats`, `mutate` and `write` that describe the result. */
  readonly summary: Summary;
}

/** Pairs of nodes with a weight each; arrays of one length. */
export interface PairOutcome {
  readonly kind: 'pairs';
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
  /** The first pair is streamed, and is no relationship: the root of a tree. */
  readonly skipsFirst?: true;
  readonly summary: Summary;
}

/** Rows, each a path: dense nodes in their order, and what it costs to each of them. */
export interface PathOutcome {
  readonly kind: 'paths';
  /**
   * Each step of a path is a relationship that `mutate` adds, without a cost; otherwise each path is one from its first
   * to its last node.
   */
  readonly isStepwise: boolean;
  /** null wherever others may run. */
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

/** Values by column; a function is called after the computation, and its time is that of post-processing. */
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
  /** The relationships are there in one direction only. */
  readonly isDirected: boolean;
  /** Threads that share the work, with the main thread. */
  readonly members: number;
}

interface Common<F extends Fields, O extends Outcome> {
  /** As it stands behind `gds.`: `pageRank`, `shortestPath.dijkstra`. */
  readonly name: string;
  readonly description: string;
  readonly modes: readonly Mode[];
  /** The configuration beside what all algorithms have. */
  readonly fields: F;
  /** It reads `relationshipWeightProperty`; `required`: it must be given. */
  readonly weights: 'none' | 'optional';
  /** The parameter that says how large communities are at least of which nodes are streamed and written; absent: there is none. */
  readonly minimumSize?: string;
  /** The property that `mutate` and `write` name is what the names of several properties begin with, and may be empty. */
  readonly namesPrefix?: true;
  /** Directed relationships are refused. */
  readonly needsUndirected: boolean;
  /** The columns of `stream` behind `nodeId`, or instead of it. */
  readonly columns: readonly Column[];
  /** The columns of the other modes beside times, counts of what was written and the configuration. */
  readonly summary: readonly Column[];
  /** Bytes that the kernel takes at most, arrays by arrays. */
  bytes(size: Size, configuration: Configured<F>): number;
  /** @throws ARGUMENT_ERROR: the graph does not fit the configuration. */
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

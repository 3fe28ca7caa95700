/** The rows of the mode `stream`, for results on nodes, on pairs of nodes, and on paths. */
import type { Algorithm, FoundPath, Outcome, Topology } from '../../../algorithms/index.ts';
import { makeFloat, PathValue, type RelationshipValue, type Value } from '../../../value/index.ts';
import { virtualRelationship } from '../../functions/virtual.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { largeEnough } from './community-sizes.ts';

type Rows = Generator<readonly Value[] | null>;

/** The result of an algorithm that is streamed. */
export interface Streamed {
  readonly algorithm: Algorithm;
  readonly topology: Topology;
  readonly outcome: Outcome;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Yields the rows of `stream`; null where other statements should run. */
export function* streamRows(context: ProcedureContext, { algorithm, topology, outcome, values }: Streamed): Rows {
  const { worked } = context;
  if (outcome.kind === 'nodes') {
    const isShown = yield* largeEnough(context, algorithm, outcome, values);
    for (let node = 0; node < topology.nodeCount; node++) {
      if (worked(1)) yield null;
      const row = isShown(node) ? outcome.row(node) : null;
      if (row !== null) yield [topology.ordinalOf(node), ...row];
    }
  } else if (outcome.kind === 'pairs') {
    const { sources, targets, weights } = outcome;
    for (let i = 0; i < weights.length; i++) {
      if (worked(1)) yield null;
      yield [topology.ordinalOf(sources[i]!), topology.ordinalOf(targets[i]!), makeFloat(weights[i]!)];
    }
  } else {
    let index = 0;
    for (const path of outcome.paths()) {
      if (path === null || worked(path.nodes.length * 4)) yield null;
      if (path !== null) yield pathRow(topology, algorithm, path, index++);
    }
  }
}

/** Makes the row of a path, with the columns in the order of the algorithm's record. */
function pathRow(topology: Topology, { columns }: Algorithm, path: FoundPath, index: number): Value[] {
  const { isOfDatabase } = topology.graph;
  const nodes = path.nodes.map((node) => topology.ordinalOf(node));
  return columns.map(({ name }) => pathFields(name, { nodes, costs: path.costs, index, isOfDatabase }));
}

interface NumberedPath {
  readonly nodes: number[];
  readonly costs: readonly number[];
  readonly index: number;
  /** False if the nodes have numbers only: then there is no value for the path. */
  readonly isOfDatabase: boolean;
}

function pathFields(name: string, { nodes, costs, index, isOfDatabase }: NumberedPath): Value {
  if (name === 'index') return index;
  if (name === 'sourceNode') return nodes[0]!;
  if (name === 'targetNode') return nodes.at(-1)!;
  if (name === 'totalCost') return makeFloat(costs.at(-1) ?? 0);
  if (name === 'nodeIds') return nodes;
  if (name === 'costs') return costs.map(makeFloat);
  return isOfDatabase ? virtualPath(nodes, costs, index) : null;
}

/**
 * Makes a path of virtual relationships, with negative ordinals and the cost of each step: relationships of the
 * projection are not those of the database.
 */
function virtualPath(nodes: readonly number[], costs: readonly number[], index: number): Value {
  const steps = nodes.slice(1).map((target, i) => {
    const properties: [string, Value][] = costs.length === 0 ? [] : [['cost', makeFloat(costs[i + 1]! - costs[i]!)]];
    const type = costs.length === 0 ? 'NEXT' : `PATH_${index}`;
    // as: results and functions know virtual ones
    return virtualRelationship(-1 - i, type, { source: nodes[i]!, target }, new Map(properties)) as unknown as RelationshipValue;
  });
  return new PathValue(nodes, steps);
}

/** The rows of the mode `stream`, for results on nodes, on pairs of nodes, and on paths. */
import type { Algorithm, FoundPath, Outcome, Topology } from '../../../algorithms/index.ts';
import { makeFloat, PathValue, type RelationshipValue, type Value } from '../../../value/index.ts';
import { virtualRelationship } from '../../functions/virtual.ts';
import { RowBatch } from '../../runtime/procedure.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { largeEnough } from './community-sizes.ts';

type Rows = Generator<readonly Value[] | RowBatch | null>;

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
    yield* together(topology.nodeCount, worked, (node) => (isShown(node) ? outcome.row(node, topology.ordinalOf(node)) : null));
  } else if (outcome.kind === 'pairs') {
    const { sources, targets, weights } = outcome;
    const rowOf = (i: number): Value[] => [topology.ordinalOf(sources[i]!), topology.ordinalOf(targets[i]!), makeFloat(weights[i]!)];
    yield* together(weights.length, worked, rowOf);
  } else {
    let index = 0;
    for (const path of outcome.paths()) {
      if (path === null || worked(path.nodes.length * 4)) yield null;
      if (path !== null) yield pathRow(topology, algorithm, path, index++);
    }
  }
}

/** The most values, those of lists counted one by one, of rows that are made at once. */
const VALUES_TOGETHER = 1_024;

/** Yields the rows of numbers from 0 to below `count`, some at a time. @param rowOf returns null for a number without a row */
function* together(count: number, worked: ProcedureContext['worked'], rowOf: (i: number) => readonly Value[] | null): Rows {
  for (let i = 0; i < count; ) {
    const rows: (readonly Value[])[] = [];
    let values = 0;
    for (; i < count && values < VALUES_TOGETHER; i++) {
      const row = rowOf(i);
      if (row !== null) rows.push(row);
      values += row === null ? 1 : valuesIn(row);
    }
    if (worked(values)) yield null;
    if (rows.length > 0) yield new RowBatch(rows);
  }
}

function valuesIn(row: readonly Value[]): number {
  let values = row.length;
  for (let i = 1; i < row.length; i++) {
    const value = row[i];
    if (Array.isArray(value)) values += value.length;
  }
  return values;
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

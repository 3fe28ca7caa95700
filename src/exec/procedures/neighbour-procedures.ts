/**
 * `apoc.neighbors.*`: finds the nodes around a node by breadth-first search. Each node is found once, at its least
 * distance; the start is not included. Examines each relationship of the nodes found, and takes eight bytes per node.
 */
import { assertListLength, aType, isInteger, NodeValue, typeFault, type Value } from '../../value/index.ts';
import type { Procedure, ProcedureField } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { OrdinalSet } from '../runtime/rows/ordinal-map.ts';
import type { Adjacent } from '../runtime/walks/adjacent.ts';
import { Cursor } from '../runtime/walks/walk.ts';
import type { Pieces } from './graph-shape.ts';
import { adjacentsOf } from './paths/relationship-filter.ts';

/** Nodes that are charged to the statement's memory together. */
const CHARGED_TOGETHER = 1024;

interface Wanted {
  readonly start: number;
  readonly adjacents: readonly Adjacent[];
  readonly distance: number;
}

/** Reads the arguments; null, which gives no rows, without a node, without types (as in APOC), or for a distance below 1. */
function wantedOf(context: ProcedureContext, [node, types, distance]: readonly Value[]): Wanted | null {
  if (node === null || types === null || types === '') return null;
  if (!(node instanceof NodeValue)) throw typeFault(`expected a Node, not ${aType(node)}`);
  if (typeof types !== 'string') throw typeFault(`relationship types are given as a String such as 'KNOWS>|<OWNS', not as ${aType(types)}`);
  if (!isInteger(distance)) throw typeFault(`a distance is given as an Integer, not as ${aType(distance)}`);
  if (distance < 1) return null;
  const adjacents = adjacentsOf(context, types);
  return { start: node.ordinal, adjacents, distance: Number(distance) };
}

/** Yields the nodes at each distance from 1 on, ascending, until there are none; null where other statements should run. */
function* levels(context: ProcedureContext, { start, adjacents, distance }: Wanted): Generator<readonly number[] | null> {
  const seen = new OrdinalSet();
  seen.add(start);
  const cursor = new Cursor();
  let frontier: readonly number[] = [start];
  for (let depth = 1; depth <= distance; depth++) {
    const next: number[] = [];
    for (const node of frontier) {
      if (context.worked(1)) yield null;
      cursor.open(node, adjacents);
      while (cursor.advance()) {
        if (context.worked(1)) yield null;
        if (!seen.add(cursor.neighbour)) continue;
        next.push(cursor.neighbour);
        if (next.length % CHARGED_TOGETHER === 0) context.charge(CHARGED_TOGETHER, 1);
      }
    }
    if (next.length === 0) return;
    context.charge(next.length % CHARGED_TOGETHER, 1);
    yield* context.sort(next);
    frontier = next;
    yield frontier;
  }
}

const nodeOf = (ordinal: number): NodeValue => new NodeValue(ordinal);

type Rows = Generator<readonly Value[] | null>;

/** Makes the function of a procedure that gives no rows if there is nothing to find. */
function perLevels(rows: (context: ProcedureContext, wanted: Wanted) => Rows): Procedure['call'] {
  return function* (context, args) {
    const wanted = wantedOf(context, args);
    if (wanted !== null) yield* rows(context, wanted);
  };
}

const toHop = perLevels(function* (context, wanted) {
  const found: number[] = [];
  for (const level of levels(context, wanted)) {
    if (level === null) yield null;
    else for (const ordinal of level) found.push(ordinal);
  }
  yield* context.sort(found);
  for (const ordinal of found) yield [nodeOf(ordinal)];
});

const countToHop = perLevels(function* (context, wanted) {
  let count = 0;
  for (const level of levels(context, wanted)) {
    if (level === null) yield null;
    else count += level.length;
  }
  yield [count];
});

/** Yields a row for each distance, including those without nodes. */
const byHop = perLevels(function* (context, wanted) {
  let depth = 0;
  for (const level of levels(context, wanted)) {
    if (level === null) {
      yield null;
      continue;
    }
    depth++;
    const nodes: Value[] = [];
    for (const ordinal of level) {
      if (context.worked(1)) yield null;
      nodes.push(nodeOf(ordinal));
    }
    yield [nodes];
  }
  for (; depth < wanted.distance; depth++) yield [[]];
});

const countByHop = perLevels(function* (context, wanted) {
  assertListLength(wanted.distance, 'apoc.neighbors.byhop.count()');
  context.charge(wanted.distance, 1);
  const counts = new Array<Value>(wanted.distance).fill(0);
  let depth = 0;
  for (const level of levels(context, wanted)) {
    if (level === null) yield null;
    else counts[depth++] = level.length;
  }
  yield [counts];
});

/** Returns the nodes at exactly the requested distance. */
function* lastLevel(context: ProcedureContext, wanted: Wanted): Pieces<readonly number[]> {
  let depth = 0;
  for (const level of levels(context, wanted)) {
    if (level === null) yield null;
    else if (++depth === wanted.distance) return level;
  }
  return [];
}

const atHop = perLevels(function* (context, wanted) {
  for (const ordinal of yield* lastLevel(context, wanted)) yield [nodeOf(ordinal)];
});

const countAtHop = perLevels(function* (context, wanted) {
  yield [(yield* lastLevel(context, wanted)).length];
});

function procedure(name: string, output: ProcedureField, description: string, call: Procedure['call']): Procedure {
  return {
    name: `apoc.neighbors.${name}`,
    inputs: [
      { name: 'node', type: 'NODE' },
      { name: 'relTypes', type: 'STRING', default: '' },
      { name: 'distance', type: 'INTEGER', default: 1 },
    ],
    outputs: [output],
    mode: 'READ',
    scans: 'relationships',
    description,
    call,
  };
}

/** The procedures `apoc.neighbors.*`. */
export const neighbourProcedures: readonly Procedure[] = [
  procedure('tohop', { name: 'node', type: 'NODE' }, 'The nodes within so many hops of a node.', toHop),
  procedure('tohop.count', { name: 'value', type: 'INTEGER' }, 'How many nodes are within so many hops of a node.', countToHop),
  procedure('byhop', { name: 'nodes', type: 'LIST<NODE>' }, 'The nodes at each number of hops from a node, a row for each.', byHop),
  procedure('byhop.count', { name: 'value', type: 'LIST<INTEGER>' }, 'How many nodes are at each number of hops from a node.', countByHop),
  procedure('athop', { name: 'node', type: 'NODE' }, 'The nodes at just so many hops from a node.', atHop),
  procedure('athop.count', { name: 'value', type: 'INTEGER' }, 'How many nodes are at just so many hops from a node.', countAtHop),
];

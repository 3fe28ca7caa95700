/**
 * `apoc.neighbors.*`: the nodes around a node, by breadth-first search. Each node is found once, at its least distance; the node itself is not among them.
 * Costs a look at each relationship of what is found, and eight bytes for each node.
 */
import { assertListLength, aType, isInteger, NodeValue, typeFault, type Value } from '../../value/index.ts';
import type { Procedure, ProcedureField } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { OrdinalSet } from '../runtime/rows/ordinal-map.ts';
import type { Adjacent, Direction } from '../runtime/walks/adjacent.ts';
import { Cursor } from '../runtime/walks/walk.ts';

interface Wanted {
  readonly start: number;
  readonly adjacents: readonly Adjacent[];
  readonly distance: number;
}

/** null: nothing is asked for, which has no rows. That is so without a pattern of types too, as in APOC. */
function wantedOf(context: ProcedureContext, [node, types, distance]: readonly Value[]): Wanted | null {
  if (node === null || types === null || types === '') return null;
  if (!(node instanceof NodeValue)) throw typeFault(`expected a Node, not ${aType(node)}`);
  if (typeof types !== 'string') throw typeFault(`relationship types are given as a String such as 'KNOWS>|<OWNS', not as ${aType(types)}`);
  if (!isInteger(distance)) throw typeFault(`a distance is given as an Integer, not as ${aType(distance)}`);
  if (distance < 1) return null;
  const adjacents = parsePattern(types).flatMap(({ type, direction }) => context.adjacencies(type === null ? null : [type], direction));
  return { start: node.ordinal, adjacents, distance: Number(distance) };
}

/** Of APOC's pattern `[<]TYPE[>]|…`: an arrow without a type stands for all types, a type without an arrow for both directions. */
function parsePattern(pattern: string): { readonly type: string | null; readonly direction: Direction }[] {
  const parts = pattern.split('|');
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts.map((part) => ({
    type: typeIn(part),
    direction: part.includes('<') ? 'in' : part.includes('>') ? 'out' : 'both',
  }));
}

/** null: all of them. */
function typeIn(part: string): string | null {
  const quoted = /`(.*)`/.exec(part)?.[1];
  const name = quoted ?? part.replace(/[<>:]/g, '').trim();
  return name === '' ? null : name;
}

/** The nodes at each distance from 1 on, in ascending order, until there are none. */
function* levels(context: ProcedureContext, { start, adjacents, distance }: Wanted): Generator<readonly number[]> {
  const seen = new OrdinalSet();
  seen.add(start);
  const cursor = new Cursor();
  let frontier: readonly number[] = [start];
  for (let depth = 1; depth <= distance; depth++) {
    const next: number[] = [];
    for (const node of frontier) {
      context.worked(1);
      cursor.open(node, adjacents);
      while (cursor.advance()) {
        context.worked(1);
        if (seen.add(cursor.neighbour)) next.push(cursor.neighbour);
      }
    }
    if (next.length === 0) return;
    context.charge(next.length, 1);
    frontier = next.sort((a, b) => a - b);
    yield frontier;
  }
}

const nodeOf = (ordinal: number): NodeValue => new NodeValue(ordinal);

function* toHop(context: ProcedureContext, args: readonly Value[]): Generator<Value[]> {
  const wanted = wantedOf(context, args);
  if (wanted === null) return;
  const found = [...levels(context, wanted)].flat().sort((a, b) => a - b);
  for (const ordinal of found) yield [nodeOf(ordinal)];
}

function* countToHop(context: ProcedureContext, args: readonly Value[]): Generator<Value[]> {
  const wanted = wantedOf(context, args);
  if (wanted !== null) yield [levels(context, wanted).reduce((count, level) => count + level.length, 0)];
}

/** A row for each distance, those without nodes too. */
function* byHop(context: ProcedureContext, args: readonly Value[]): Generator<Value[]> {
  const wanted = wantedOf(context, args);
  if (wanted === null) return;
  let depth = 0;
  for (const level of levels(context, wanted)) {
    depth++;
    yield [level.map(nodeOf)];
  }
  for (; depth < wanted.distance; depth++) yield [[]];
}

function* countByHop(context: ProcedureContext, args: readonly Value[]): Generator<Value[]> {
  const wanted = wantedOf(context, args);
  if (wanted === null) return;
  assertListLength(wanted.distance, 'apoc.neighbors.byhop.count()');
  context.charge(wanted.distance, 1);
  const counts = new Array<Value>(wanted.distance).fill(0);
  let depth = 0;
  for (const level of levels(context, wanted)) counts[depth++] = level.length;
  yield [counts];
}

/** The nodes at just that distance. */
function lastLevel(context: ProcedureContext, wanted: Wanted): readonly number[] {
  let depth = 0;
  for (const level of levels(context, wanted)) if (++depth === wanted.distance) return level;
  return [];
}

function* atHop(context: ProcedureContext, args: readonly Value[]): Generator<Value[]> {
  const wanted = wantedOf(context, args);
  if (wanted !== null) for (const ordinal of lastLevel(context, wanted)) yield [nodeOf(ordinal)];
}

function* countAtHop(context: ProcedureContext, args: readonly Value[]): Generator<Value[]> {
  const wanted = wantedOf(context, args);
  if (wanted !== null) yield [lastLevel(context, wanted).length];
}

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

export const neighbourProcedures: readonly Procedure[] = [
  procedure('tohop', { name: 'node', type: 'NODE' }, 'The nodes within so many hops of a node.', toHop),
  procedure('tohop.count', { name: 'value', type: 'INTEGER' }, 'How many nodes are within so many hops of a node.', countToHop),
  procedure('byhop', { name: 'nodes', type: 'LIST<NODE>' }, 'The nodes at each number of hops from a node, a row for each.', byHop),
  procedure('byhop.count', { name: 'value', type: 'LIST<INTEGER>' }, 'How many nodes are at each number of hops from a node.', countByHop),
  procedure('athop', { name: 'node', type: 'NODE' }, 'The nodes at just so many hops from a node.', atHop),
  procedure('athop.count', { name: 'value', type: 'INTEGER' }, 'How many nodes are at just so many hops from a node.', countAtHop),
];

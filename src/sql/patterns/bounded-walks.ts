/** Walks of bounded length: a table of the walks of each length, as joins of as many scans. */
import type { RelationshipPattern } from '../../cypher/index.ts';
import type { Program } from '../program.ts';
import { INTEGER, type SqlType } from '../types.ts';
import type { Joined } from './joined.ts';
import { wantedTypes } from './labels.ts';
import { type ListColumn, listOf, type WalkColumns, walkOf } from './paths.ts';
import type { WalkEnds, Walked } from './walk-ends.ts';

/**
 * Adds a table of walks of each length: their start and end, and a column for each relationship, null after the end of a
 * walk.
 */
export function boundedWalks(
  joined: Joined,
  pattern: RelationshipPattern,
  {
    least,
    most,
    ends,
    lists,
  }: { readonly least: number; readonly most: number; readonly ends: WalkEnds; readonly lists: readonly ListColumn[] },
): Walked {
  const { program } = joined;
  const [start, end, steps] = [program.fresh('w'), program.fresh('w'), program.fresh('w')];
  const ordinals = Array.from({ length: most }, () => program.fresh('w'));
  const columns: WalkColumns = { start, end, steps, ordinals, lists };
  const selects: string[] = [];
  for (let count = least; count <= most; count++) selects.push(walksOf(joined.apart(), pattern, count, columns));
  joined.scan(selects.length === 0 ? [noWalks(program, columns)] : selects);
  joined.conditions.push(`${start} = ${ends.left.ordinal}`, `${end} = ${ends.right.ordinal}`);
  const hops = ordinals.length === 0 ? null : { ordinals, mayBeNull: true, types: wantedTypes(program, pattern) };
  return { walk: walkOf(columns), hops };
}

/** Returns a SELECT of the walks of one length. */
function walksOf(
  joined: Joined,
  pattern: RelationshipPattern,
  count: number,
  { start, end, steps: length, ordinals, lists }: WalkColumns,
): string {
  const { program } = joined;
  const steps = Array.from({ length: count }, () => stepOf(joined, pattern));
  const nodes = lists.some(({ name }) => name === 'nodes') ? steps.map(({ to }) => joined.nodeAt(to, pattern)) : [];
  for (const [index, step] of steps.entries()) {
    if (index > 0) joined.conditions.push(`${steps[index - 1]!.to} = ${step.from}`);
    for (const before of steps.slice(0, index)) joined.conditions.push(`${before.entity.ordinal} <> ${step.entity.ordinal}`);
  }
  const [first, last] = [steps[0], steps.at(-1)];
  const node = program.dialect.quote('<ordinal>');
  const items = [
    `${first?.from ?? node} AS ${start}`,
    `${last?.to ?? node} AS ${end}`,
    `CAST(${count} AS BIGINT) AS ${length}`,
    ...ordinals.map((name, index) => `${steps[index]?.entity.ordinal ?? `CAST(NULL AS ${program.dialect.typeName(INTEGER)})`} AS ${name}`),
    ...lists.map(({ name, type, column }) => {
      const entities = name === 'nodes' ? nodes : steps.map(({ entity }) => entity);
      return `${listOf(program, entities, type).sql} AS ${column}`;
    }),
  ];
  const from = first === undefined ? program.source({ labels: [] }, ['<ordinal>']) : joined.from.join(', ');
  return `SELECT ${items.join(', ')} FROM ${from}${joined.where}`;
}

function stepOf(joined: Joined, pattern: RelationshipPattern): ReturnType<Joined['step']> {
  const step = joined.step(pattern, pattern.direction === 'in');
  joined.narrow(step.entity, pattern.properties, pattern.where);
  return step;
}

function noWalks({ dialect }: Program, { start, end, steps, ordinals, lists }: WalkColumns): string {
  const columns = [
    ...[start, end, steps, ...ordinals].map((name) => ({ name, type: INTEGER })),
    ...lists.map(({ column, type }) => ({ name: column, type: { kind: 'list', item: type } as SqlType })),
  ];
  return `SELECT ${columns.map(({ name, type }) => `CAST(NULL AS ${dialect.typeName(type)}) AS ${name}`).join(', ')} WHERE FALSE`;
}

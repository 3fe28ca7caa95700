/** Walks of any length: a table that reads itself. */
import type { NodePattern, RelationshipPattern } from '../../cypher/index.ts';
import { INTEGER, type SqlType } from '../types.ts';
import type { Joined } from './joined.ts';
import { wantedTypes } from './labels.ts';
import { type ListColumn, listOf, walkOf } from './paths.ts';
import { type KnownNodes, seedsOf } from './seeds.ts';
import type { WalkEnds, Walked } from './walk-ends.ts';

/**
 * Adds a table that reads itself, which has the walks from the nodes at one end of the pattern: from the end of which
 * more is known. Each step adds a relationship to those that the walk has not passed.
 */
export function recursiveWalks(
  joined: Joined,
  pattern: RelationshipPattern,
  {
    least,
    most,
    ends,
    lists,
    known,
  }: {
    readonly least: number;
    readonly most: number | null;
    readonly ends: WalkEnds;
    readonly lists: readonly ListColumn[];
    readonly known: KnownNodes;
  },
): Walked {
  const { program } = joined;
  const { dialect } = program;
  const [left, right] = ends.patterns.map((each) => seedsOf(joined, known, each as NodePattern));
  const isReversed = !left!.isNarrow && right!.isNarrow;
  const [start, end, hops] = [program.fresh('w'), program.fresh('w'), program.fresh('w')];
  const empty = (item: SqlType): string => `CAST(${dialect.list([])} AS ${dialect.typeName({ kind: 'list', item })})`;
  const seeds = (isReversed ? right! : left!).select(start, end);
  const emptyLists = [`${empty(INTEGER)} AS ${hops}`, ...lists.map(({ type, column }) => `${empty(type)} AS ${column}`)];
  const first = `${[seeds.select, ...emptyLists].join(', ')}${seeds.from}`;
  const table = program.recursive(first, (name) => {
    const inner = joined.apart();
    const { entity, from, to } = inner.step(pattern, (pattern.direction === 'in') !== isReversed);
    inner.narrow(entity, pattern.properties, pattern.where);
    // Of a reversed walk each step finds the node before those that are known.
    const node = lists.some((list) => list.name === 'nodes') ? inner.nodeAt(isReversed ? from : to, pattern) : null;
    inner.conditions.push(`${end} = ${from}`, `NOT ${dialect.contains(hops, entity.ordinal)}`);
    if (most !== null) inner.conditions.push(`${dialect.size(hops)} < ${most}`);
    const extended = (list: string, item: string): string => dialect.concatenate(isReversed ? [item, list] : [list, item]);
    const items = [
      start,
      to,
      extended(hops, dialect.list([entity.ordinal])),
      ...lists.map(({ name: which, type, column }) => extended(column, listOf(program, [which === 'nodes' ? node! : entity], type).sql)),
    ];
    return `SELECT ${items.join(', ')} FROM ${[name, ...inner.from].join(', ')}${inner.where}`;
  });
  joined.from.push(table);
  const [leftEnd, rightEnd] = isReversed ? [end, start] : [start, end];
  joined.conditions.push(`${leftEnd} = ${ends.left.ordinal}`, `${rightEnd} = ${ends.right.ordinal}`);
  if (least > 0) joined.conditions.push(`${dialect.size(hops)} >= ${least}`);
  const steps = `CAST(${dialect.size(hops)} AS BIGINT)`;
  return { walk: walkOf({ steps, lists }), hops: { list: hops, types: wantedTypes(program, pattern) } };
}

/**
 * A node that is found from one side and then checked from others is found from all sides at once: cycles fold into one MultiwayJoin.
 *
 *     Expand(into, from a, to c)          MultiwayJoin((b)-->(c) AND (a)<--(c))
 *       Expand(from b, to c)                X
 *         X
 *
 * Filters between the two come after the join: it gives fewer rows than either.
 */
import type { PlanContext } from '../context.ts';
import { hasSubplans, isVolatile } from '../expressions/walk.ts';
import type { Expand, Filter, MultiwayJoin } from '../operators/kinds/table.ts';
import { reverse } from '../pattern/query-graph.ts';
import type { Operator } from '../plan.ts';
import { mapOperators } from './traverse.ts';

type Leg = MultiwayJoin['legs'][number];

/** Rewrites expands into known nodes to multiway joins. */
export function joinManyWays(context: PlanContext, root: Operator): Operator {
  return mapOperators(root, (operator) => {
    if (operator.kind !== 'expand' || !operator.into || operator.relationshipBound || operator.from === operator.to) return operator;
    const filters: Filter[] = [];
    let below = operator.input;
    for (; below.kind === 'filter' && !isVolatile(below.predicate) && !hasSubplans(below.predicate); below = below.input)
      filters.unshift(below);
    const joined = fold(operator, below);
    if (joined === null) return operator;
    context.rewrites.add('multiway joins');
    const { estimatedRows } = operator;
    return filters.reduce<Operator>((input, filter) => ({ ...filter, input, estimatedRows }), { ...joined, estimatedRows });
  });
}

/** Adds an expand between known nodes to the operator below as a leg; null if that operator does not find one of the two nodes. */
function fold(closing: Expand, below: Operator): MultiwayJoin | null {
  const isOpen = below.kind === 'expand' && !below.into && !below.relationshipBound;
  if (!isOpen && below.kind !== 'multiwayJoin') return null;
  const { to, input, estimatedRows } = below;
  const legs = below.kind === 'expand' ? [legOf(below)] : below.legs;
  const last = legTo(closing, to);
  if (last === null || legs.some((leg) => leg.from === to)) return null;
  return { kind: 'multiwayJoin', input, to, legs: [...legs, last], estimatedRows };
}

function legTo(expand: Expand, to: string): Leg | null {
  if (expand.to === to) return legOf(expand);
  return expand.from === to ? { ...legOf(expand), from: expand.to, direction: reverse(expand.direction) } : null;
}

function legOf({ from, relationship, types, direction, uniqueAgainst }: Expand): Leg {
  return { from, relationship, types, direction, uniqueAgainst };
}

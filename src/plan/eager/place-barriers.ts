/**
 * Places eager operators so that a statement behaves as if its clauses ran one after the other: reads of a clause see
 * all writes of earlier clauses and none of later ones.
 *
 * Rows flow one at a time from the leaf up. Walking in that direction we remember what has been read and written since
 * the last point at which all rows were held together. An operator that would disturb an earlier read, or read what an
 * earlier write has not finished, or collide with an earlier write, gets a barrier below it. Where at most one row
 * passes, everything below has finished when it arrives, and nothing is remembered.
 *
 * LIMIT stops asking for rows when it has enough; updates below it have to be done for all of them, so a barrier stands between.
 */
import type { VariableType } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { changesAnything, collide, type Effects, interferes, mayHoldEntities, NO_EFFECTS, reading, unite } from '../effects.ts';
import { factsOf } from '../operators/kinds/table.ts';
import { inputsOf, subplanOf, withInputs, withSubplan } from '../operators/references.ts';
import { isSingleRow } from '../operators/single-row.ts';
import type { Operator } from '../plan.ts';
import { effectsOf } from './operator-effects.ts';

type Types = ReadonlyMap<string, VariableType>;

interface Placed {
  readonly operator: Operator;
  /** The effects of the operators since the last barrier. */
  readonly pending: Effects;
  /** Some update below has not been run to its end when a row leaves. */
  readonly unfinished: boolean;
}

/** Places eager operators in a plan. `columns`: the variables of the result, whose entities are read when a row leaves. */
export function placeBarriers(context: PlanContext, root: Operator, columns: readonly string[]): Operator {
  if (!context.bound.writes) return root;
  const placed = place(root, context.types);
  const leaving = columns.some((name) => mayHoldEntities(context.types.get(name))) ? reading({ keys: 'all', labels: true }) : NO_EFFECTS;
  return needsBarrier(placed.pending, leaving) ? barrier(placed.operator) : placed.operator;
}

function place(operator: Operator, types: Types): Placed {
  const subplan = subplanOf(operator);
  const inside = subplan === null ? operator : withSubplan(operator, place(subplan, types).operator);
  const inputs = inputsOf(operator).map((input) => place(input, types));
  const own = effectsOf(operator, types);
  const before = pendingBelow(operator, inputs);
  const isUnfinished = inputs.some((input) => input.unfinished);
  const isBarred = needsBarrier(before, own) || (operator.kind === 'limit' && isUnfinished);
  const operators = inputs.map((input) => (isBarred ? barrier(input.operator) : input.operator));
  const placed = withInputs(inside, operators);
  if (factsOf(operator).holdsAllRows) return { operator: placed, pending: NO_EFFECTS, unfinished: false };
  const updates = changesAnything(own.writes);
  const pending = isSingleRow(placed) ? NO_EFFECTS : unite(isBarred ? NO_EFFECTS : before, own);
  return { operator: placed, pending, unfinished: updates || (isUnfinished && !isBarred) };
}

/**
 * Returns the pending effects below an operator. The right side of a join has ended before the left one starts, so only
 * the left one counts; the parts of a union run one after the other.
 */
function pendingBelow(operator: Operator, inputs: readonly Placed[]): Effects {
  if (factsOf(operator).inputs.othersFirst) return inputs[0]!.pending;
  return inputs.reduce((effects, input) => unite(effects, input.pending), NO_EFFECTS);
}

function needsBarrier(earlier: Effects, later: Effects): boolean {
  return interferes(earlier.reads, later.writes) || interferes(later.reads, earlier.writes) || collide(earlier.writes, later.writes);
}

function barrier(input: Operator): Operator {
  return input.kind === 'eager' ? input : { kind: 'eager', input, estimatedRows: input.estimatedRows };
}

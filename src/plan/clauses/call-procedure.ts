/** Plans CALL of a procedure. The binder has written out what a standalone call may leave out. */
import { assert } from '../../base/index.ts';
import type { CallProcedureClause, Expression } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { and } from '../expressions/build.ts';
import { conjuncts } from '../expressions/conjuncts.ts';
import { convertExpression } from '../pattern/convert.ts';
import type { Operator } from '../plan.ts';
import type { RowState } from '../row-state.ts';

const UNKNOWN_ROWS = 10;

/** Plans CALL of a procedure. */
export function planCallProcedure(context: PlanContext, state: RowState, clause: CallProcedureClause): RowState {
  const { arguments: given, yields } = clause;
  assert(given !== null && yields !== null && yields !== '*', 'the binder writes out arguments and YIELD');
  const isUnit = yields.length === 0;
  const names = yields.map((field) => field.variable.name);
  const rows = state.plan.estimatedRows * (isUnit ? 1 : UNKNOWN_ROWS);
  const callOver = (input: Operator): Operator => ({
    kind: 'procedureCall',
    input,
    name: clause.name,
    arguments: given.map((argument) => convertExpression(context, argument, state.scope)),
    yields,
    unit: isUnit,
    isAlone: clause.standalone,
    writes: clause.writes === true,
    byPage: clause.readsByPage === true,
    estimatedRows: rows,
  });
  const scope = new Set([...state.scope, ...names]);
  const filtered = (plan: Operator): Operator =>
    clause.where === null
      ? plan
      : {
          kind: 'filter',
          input: plan,
          predicate: and(conjunctsOrTrue(clause.where).map((part) => convertExpression(context, part, scope))),
          estimatedRows: rows / 2,
        };
  const plan: Operator = clause.optional
    ? {
        kind: 'optionalApply',
        input: state.plan,
        plan: filtered(callOver({ kind: 'argument', variables: [...state.scope], estimatedRows: 1 })),
        nullVariables: names,
        estimatedRows: rows,
      }
    : filtered(callOver(state.plan));
  return { ...state, plan, scope, single: state.single && isUnit };
}

function conjunctsOrTrue(where: Expression): readonly Expression[] {
  const parts = conjuncts(where);
  return parts.length === 0 ? [where] : parts;
}

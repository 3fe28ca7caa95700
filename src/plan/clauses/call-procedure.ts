/** CALL of a procedure. A standalone call may leave out its arguments (parameters of the same names) and its YIELD (all fields). */
import { GraphDBError } from '../../base/index.ts';
import type { CallProcedureClause, Expression, ProcedureYield } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { and, NOWHERE, variable } from '../expressions/build.ts';
import { conjuncts } from '../expressions/conjuncts.ts';
import { convertExpression } from '../expressions/convert.ts';
import type { RowState } from '../match/state.ts';
import type { Operator } from '../plan.ts';

const UNKNOWN_ROWS = 10;

export function planCallProcedure(context: PlanContext, state: RowState, clause: CallProcedureClause): RowState {
  const yields = yieldsOf(context, clause);
  const isUnit = yields.length === 0;
  const names = yields.map((field) => field.variable.name);
  const rows = state.plan.estimatedRows * (isUnit ? 1 : UNKNOWN_ROWS);
  const callOver = (input: Operator): Operator => ({
    kind: 'procedureCall',
    input,
    name: clause.name,
    arguments: argumentsOf(context, clause).map((argument) => convertExpression(context, argument, state.scope)),
    yields,
    unit: isUnit,
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

function argumentsOf(context: PlanContext, clause: CallProcedureClause): readonly Expression[] {
  if (clause.arguments !== null) return clause.arguments;
  return signatureOf(context, clause.name).inputs.map((name) => ({ kind: 'parameter', name, span: clause.span }));
}

/** Fields of the procedure with the variables that they go to. */
function yieldsOf(context: PlanContext, clause: CallProcedureClause): readonly ProcedureYield[] {
  if (clause.yields !== null && clause.yields !== '*') return clause.yields;
  if (!clause.standalone) return [];
  const columns = new Map(context.bound.columns.map((column) => [column.name, column.variable]));
  return signatureOf(context, clause.name)
    .outputs.filter((field) => columns.has(field))
    .map((field) => ({ field, variable: variable(columns.get(field)!), span: NOWHERE }));
}

function signatureOf(context: PlanContext, name: string): { readonly inputs: readonly string[]; readonly outputs: readonly string[] } {
  const signature = context.procedures(name);
  if (signature === undefined) throw new GraphDBError('SEMANTIC_ERROR', `there is no procedure ${name}`);
  return signature;
}

/** CALL { … }: the query as a sub-plan with the imported variables as its argument. */

import { assert } from '../../base/index.ts';
import type { CallSubqueryClause } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { narrowArguments } from '../operators/arguments.ts';
import { convertExpression } from '../pattern/convert.ts';
import type { Operator } from '../plan.ts';
import type { PlannedQuery, RowState } from '../row-state.ts';

/** Plans CALL of a subquery. */
export function planCallSubquery(context: PlanContext, state: RowState, clause: CallSubqueryClause): RowState {
  assert(Array.isArray(clause.imports), 'the binder lists the imported variables');
  const imports = clause.imports as readonly { readonly name: string }[];
  const inner = context.planQuery(clause.query, new Set(imports.map((imported) => imported.name)));
  const names = inner.columns.map((column) => column.variable);
  const status = clause.inTransactions?.reportStatus?.name;
  const added = status === undefined ? names : [...names, status];
  const nonNull = clause.optional || clause.inTransactions !== null ? [] : names.filter((name) => inner.nonNull.has(name));
  return {
    ...state,
    plan: operatorOf(context, state, clause, inner),
    scope: new Set([...state.scope, ...added]),
    nonNull: new Set([...state.nonNull, ...nonNull]),
    single: state.single && (inner.single || !inner.returns),
  };
}

function operatorOf(context: PlanContext, state: RowState, clause: CallSubqueryClause, inner: PlannedQuery): Operator {
  const names = inner.columns.map((column) => column.variable);
  const plan = narrowArguments(inner.plan, names);
  const input = state.plan;
  const isUnit = !inner.returns;
  const estimatedRows = input.estimatedRows * (isUnit ? 1 : Math.max(inner.plan.estimatedRows, clause.optional ? 1 : 0));
  if (clause.inTransactions !== null) {
    const { batchSize, onError, reportStatus, joinsTransaction = false } = clause.inTransactions;
    return {
      kind: 'transactionApply',
      input,
      plan,
      unit: isUnit,
      optional: clause.optional && !isUnit,
      batchSize: batchSize === null ? null : convertExpression(context, batchSize, new Set()),
      onError,
      nullVariables: names,
      reportStatus: reportStatus?.name ?? null,
      joinsTransaction,
      estimatedRows,
    };
  }
  if (clause.optional && !isUnit) return { kind: 'optionalApply', input, plan, nullVariables: names, estimatedRows };
  return { kind: 'apply', input, plan, unit: isUnit, estimatedRows };
}

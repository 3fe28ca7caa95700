/** SHOW … [YIELD …] [WHERE …] [RETURN …]. */
import type { ShowCommand } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { argumentState, extend, type RowState } from '../match/state.ts';
import { planProjection, planWhere } from './projection.ts';

const UNKNOWN_ROWS = 10;

export function planShow(context: PlanContext, command: ShowCommand): RowState {
  const columns = columnsOf(context, command);
  const plan = { kind: 'show', what: command.what, columns, estimatedRows: UNKNOWN_ROWS } as const;
  const shown: RowState = {
    ...extend(
      argumentState(new Set()),
      plan,
      columns.map((column) => column.variable),
    ),
    single: false,
  };
  const filtered = planWhere(context, shown, shown.scope, command.where);
  return command.returns === null ? filtered : planProjection(context, filtered, command.returns, null);
}

function columnsOf(context: PlanContext, command: ShowCommand): readonly { readonly field: string; readonly variable: string }[] {
  if (command.yield !== null && command.yield !== '*') {
    return command.yield.map((field) => ({ field: field.field, variable: field.variable.name }));
  }
  return context.bound.columns.map((column) => ({ field: column.name, variable: column.variable }));
}

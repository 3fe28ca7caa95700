/** SHOW … [YIELD …] [WHERE …] [RETURN …]: a leaf that gives rows, and the clauses on top of it. */
import { assert } from '../../base/index.ts';
import type { ProcedureYield, ShowCommand } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { argumentState, extend, type RowState } from '../row-state.ts';
import { planWhere } from './projected-rows.ts';
import { planProjection } from './projection.ts';

const UNKNOWN_ROWS = 10;

/** Plans SHOW. */
export function planShow(context: PlanContext, command: ShowCommand): RowState {
  const columns = columnsOf(command);
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

/** Returns the columns of SHOW, which the binder has written out. */
function columnsOf(command: ShowCommand): readonly { readonly field: string; readonly variable: string }[] {
  assert(Array.isArray(command.yield), 'the binder lists the columns of SHOW');
  const yields: readonly ProcedureYield[] = command.yield;
  return yields.map((each) => ({ field: each.field, variable: each.variable.name }));
}

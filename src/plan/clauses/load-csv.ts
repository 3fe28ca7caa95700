/** LOAD CSV: each row of the file for each row of the input. */
import type { LoadCsvClause } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { convertExpression } from '../pattern/convert.ts';
import { extend, type RowState } from '../row-state.ts';

/** Estimated rows of a file. */
const UNKNOWN_FILE_ROWS = 1000;

/** Plans LOAD CSV. */
export function planLoadCsv(context: PlanContext, state: RowState, clause: LoadCsvClause): RowState {
  const plan = {
    kind: 'loadCsv',
    input: state.plan,
    from: convertExpression(context, clause.from, state.scope),
    withHeaders: clause.withHeaders,
    variable: clause.variable.name,
    fieldTerminator: clause.fieldTerminator,
    estimatedRows: state.plan.estimatedRows * UNKNOWN_FILE_ROWS,
  } as const;
  return { ...extend(state, plan, [clause.variable.name]), single: false };
}

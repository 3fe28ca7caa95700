/** One clause on top of the rows so far. MATCH without OPTIONAL is planned by `query.ts`, several at a time. */
import { assert, unreachable } from '../../base/index.ts';
import type { Clause } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import type { RowState } from '../row-state.ts';
import { planCallProcedure } from './call-procedure.ts';
import { planCallSubquery } from './call-subquery.ts';
import { planCreate } from './create.ts';
import { planDelete } from './delete.ts';
import { planForeach } from './foreach.ts';
import { planLoadCsv } from './load-csv.ts';
import { planMerge } from './merge.ts';
import { planOptionalMatch } from './optional-match.ts';
import { planProjection } from './projection.ts';
import { planRemove } from './remove.ts';
import { planSet } from './set.ts';
import { planUnwind } from './unwind.ts';

/** Plans a clause on top of the rows so far. */
export function planClause(context: PlanContext, state: RowState, clause: Clause): RowState {
  switch (clause.kind) {
    case 'match':
      assert(clause.optional, 'plain MATCH clauses are planned together');
      return planOptionalMatch(context, state, clause);
    case 'unwind':
      return planUnwind(context, state, clause);
    case 'with':
      return planProjection(context, state, clause.projection, clause.where);
    case 'return':
      return planProjection(context, state, clause.projection, null);
    case 'create':
      return planCreate(context, state, clause);
    case 'merge':
      return planMerge(context, state, clause);
    case 'set':
      return planSet(context, state, clause);
    case 'remove':
      return planRemove(context, state, clause);
    case 'delete':
      return planDelete(context, state, clause);
    case 'foreach':
      return planForeach(context, state, clause);
    case 'callProcedure':
      return planCallProcedure(context, state, clause);
    case 'callSubquery':
      return planCallSubquery(context, state, clause);
    case 'loadCsv':
      return planLoadCsv(context, state, clause);
    case 'finish':
      return { ...state, plan: { kind: 'emptyResult', input: state.plan, estimatedRows: 0 } };
    default:
      return unreachable(clause, 'clause');
  }
}

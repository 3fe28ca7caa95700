/** Plans a query: its parts clause by clause, consecutive MATCH clauses together, and UNION over the parts. */
import { assert } from '../../base/index.ts';
import type { Clause, MatchClause, Query, SingleQuery, WithClause } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { solveQueryGraph } from '../match/solve.ts';
import { QueryGraphBuilder } from '../pattern/build-query-graph.ts';
import { argumentState, type PlannedQuery } from '../row-state.ts';
import { planClause } from './clause.ts';
import { joinCreates } from './create.ts';
import { isSelectedAmongPaths, planSelectedMatch } from './selected-match.ts';
import { planUnion } from './union.ts';

/** Plans a query. `scope`: the variables of the outer row, as far as the query may see them. */
export function planQuery(context: PlanContext, query: Query, scope: ReadonlySet<string>): PlannedQuery {
  const parts = query.parts.map((part) => planSingleQuery(context, part, scope));
  const [first] = parts;
  assert(first !== undefined, 'a query has parts');
  return parts.length === 1 ? first : planUnion(context, parts, query.unions);
}

function planSingleQuery(context: PlanContext, query: SingleQuery, scope: ReadonlySet<string>): PlannedQuery {
  let state = argumentState(scope);
  let graph = new QueryGraphBuilder(context, state.scope);
  const finishGraph = (): void => {
    if (!graph.isEmpty) state = solveQueryGraph(context, graph.build(), state);
  };
  for (const clause of joinCreates(query.clauses)) {
    if (isPlainMatch(clause) && isSelectedAmongPaths(context, graph.variables, clause)) {
      finishGraph();
      state = planSelectedMatch(context, state, clause);
      graph = new QueryGraphBuilder(context, state.scope);
      continue;
    }
    if (isPlainMatch(clause) && graph.accepts(clause)) {
      graph.add(clause);
      continue;
    }
    if (clause.kind === 'with' && isPassingOn(clause) && !graph.isEmpty && !graph.isClosed) {
      if (clause.where !== null) graph.addWhere(clause.where);
      continue;
    }
    finishGraph();
    if (!isPlainMatch(clause)) state = planClause(context, state, clause);
    graph = new QueryGraphBuilder(context, state.scope);
    if (isPlainMatch(clause)) graph.add(clause);
  }
  finishGraph();
  return { ...state, ...resultOf(query) };
}

const isPlainMatch = (clause: Clause): clause is MatchClause => clause.kind === 'match' && !clause.optional;

/**
 * Tells whether a WITH only passes variables on. Names are unique, so a variable that it leaves out is simply not read
 * again: the patterns before and after it may be planned together, and its WHERE with them.
 */
function isPassingOn({ projection }: WithClause): boolean {
  const { distinct, items, orderBy, skip, limit } = projection;
  if (distinct || orderBy.length > 0 || skip !== null || limit !== null) return false;
  return items.every((item) => item.expression.kind === 'variable' && item.expression.name === item.variable.name);
}

function resultOf(query: SingleQuery): Pick<PlannedQuery, 'columns' | 'returns'> {
  const last = query.clauses.at(-1);
  if (last?.kind === 'return') {
    return { columns: last.projection.items.map((item) => ({ name: item.column, variable: item.variable.name })), returns: true };
  }
  // The columns of a standalone call are those of the statement.
  return { columns: [], returns: last?.kind === 'callProcedure' && last.standalone && last.yields !== null && last.yields.length > 0 };
}

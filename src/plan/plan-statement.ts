/**
 * The entry of the planner: turns a bound statement into operators.
 *
 * 1. clause by clause into operators, patterns in the order that costs least (`clauses/`, `match/`),
 * 2. rewrites of the whole plan (`rewrites/`),
 * 3. barriers between reads and writes (`eager/`), last, when nothing moves any more.
 */
import { unreachable } from '../base/index.ts';
import type { BoundStatement } from '../cypher/index.ts';
import type { GraphStatistics } from '../graph/index.ts';
import { planClause } from './clauses/clause.ts';
import { planQuery } from './clauses/query.ts';
import { planShow } from './clauses/show.ts';
import { createContext, type PlanContext, type Planner, type PlanOptions } from './context.ts';
import { placeBarriers } from './eager/place-barriers.ts';
import { planPatterns } from './match/plan-patterns.ts';
import type { Operator, Plan } from './plan.ts';
import { rewritePlan } from './rewrites/rewrite-plan.ts';
import { usedVariables } from './used-variables.ts';

const PLANNER: Planner = { planQuery, planPatterns, planClause };

/** Plans a statement. */
export function planStatement(bound: BoundStatement, statistics: GraphStatistics, options: PlanOptions = {}): Plan {
  const context = createContext({ bound, statistics, options, used: usedVariables(bound), planner: PLANNER });
  const { root, columns } = planBody(context);
  const rewritten = rewritePlan(
    context,
    root,
    columns.map((column) => column.variable),
  );
  return {
    root: placeBarriers(
      context,
      rewritten,
      columns.map((column) => column.variable),
    ),
    columns,
    writes: bound.writes,
    variableTypes: context.types,
    mode: bound.statement.mode,
    rewrites: [...context.rewrites],
    askedIndexes: [...context.askedIndexes.values()],
  };
}

function planBody(context: PlanContext): { readonly root: Operator; readonly columns: Plan['columns'] } {
  const { body } = context.bound.statement;
  switch (body.kind) {
    case 'query': {
      const query = planQuery(context, body, new Set());
      if (!query.returns) return { root: withoutRows(query.plan), columns: [] };
      return { root: query.plan, columns: query.columns.length > 0 ? query.columns : context.bound.columns };
    }
    case 'show':
      return { root: planShow(context, body).plan, columns: context.bound.columns };
    case 'createIndex':
    case 'createConstraint':
    case 'dropSchema':
      return { root: { kind: 'schema', command: body, estimatedRows: 0 }, columns: [] };
    case 'createDatabase':
    case 'dropDatabase':
      return { root: { kind: 'database', command: body, estimatedRows: 0 }, columns: [] };
    default:
      return unreachable(body, 'statement');
  }
}

/** Drops the rows of a statement that ends in an update and runs for its effects. */
function withoutRows(input: Operator): Operator {
  return input.kind === 'emptyResult' ? input : { kind: 'emptyResult', input, estimatedRows: 0 };
}

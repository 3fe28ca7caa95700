/**
 * The context of planning a statement, and the one thing that planning changes on its way: the types of the variables
 * that the planner itself invents.
 */
import type { EngineFlags } from '../base/index.ts';
import type { BoundStatement, Clause, Query, VariableType } from '../cypher/index.ts';
import type { GraphStatistics } from '../graph/index.ts';
import { ImpliedLabels } from './estimates/implied-labels.ts';
import { rememberStatistics } from './estimates/remembered-statistics.ts';
import type { MatchPatterns } from './pattern/query-graph.ts';
import type { AskedIndex, Operator } from './plan.ts';
import type { PlannedQuery, RowState } from './row-state.ts';

/** The options of planning. */
export interface PlanOptions {
  /** Rewrites that are off unless asked for; absent: none. */
  readonly flags?: Pick<EngineFlags, 'factorize' | 'wcoj'>;
}

/**
 * The functions that plan what stands inside an expression or a clause. The modules that plan expressions and clauses
 * call them through their context, so that they do not import what is built on them.
 */
export interface Planner {
  readonly planQuery: (context: PlanContext, query: Query, scope: ReadonlySet<string>) => PlannedQuery;
  readonly planPatterns: (context: PlanContext, patterns: MatchPatterns, scope: ReadonlySet<string>) => Operator;
  readonly planClause: (context: PlanContext, state: RowState, clause: Clause) => RowState;
}

/** The context of planning. */
export interface PlanContext {
  readonly flags: Pick<EngineFlags, 'factorize' | 'wcoj'>;
  readonly bound: BoundStatement;
  readonly statistics: GraphStatistics;
  /** Node indexes on single properties that the planner has asked for; grows as patterns are planned. */
  readonly askedIndexes: ReadonlyMap<string, AskedIndex>;
  /** Types of all variables, those made by `fresh` included. */
  readonly types: Map<string, VariableType>;
  /** Labels that nodes are known to have, by variable; grows as patterns are planned. For estimates only. */
  readonly labels: Map<string, ReadonlySet<string>>;
  readonly impliedLabels: ImpliedLabels;
  /** For the plan of an EXISTS for one row, the node which it asks about and a plan that finds all nodes for which there is a match. */
  readonly existences: WeakMap<Operator, { readonly node: string; readonly plan: Operator }>;
  /** Variables whose value some expression or clause reads; a pattern's variable that is not among them need not be computed. */
  readonly used: ReadonlySet<string>;
  /** Names of the rewrites that changed something, for EXPLAIN. */
  readonly rewrites: Set<string>;
  /** Returns the name of a new variable; `purpose` is part of the name, for EXPLAIN. */
  fresh(purpose: string, type: VariableType): string;
  /** Plans a query inside an expression or CALL. `scope`: the variables of the outer row, as far as the query may see them. */
  planQuery(query: Query, scope: ReadonlySet<string>): PlannedQuery;
  /** Plans patterns inside an expression or another pattern as a sub-plan. `scope`: the variables of the outer row. */
  planPatterns(patterns: MatchPatterns, scope: ReadonlySet<string>): Operator;
  /** Plans a clause of FOREACH on top of the rows so far. */
  planClause(state: RowState, clause: Clause): RowState;
}

interface ContextOptions {
  readonly bound: BoundStatement;
  readonly statistics: GraphStatistics;
  readonly options: PlanOptions;
  /** See `PlanContext.used`. */
  readonly used: ReadonlySet<string>;
  readonly planner: Planner;
}

/** Creates the context of planning a statement. */
export function createContext({ bound, statistics: asked, options, used, planner }: ContextOptions): PlanContext {
  const askedIndexes = new Map<string, AskedIndex>();
  const statistics = rememberStatistics(asked, askedIndexes);
  const types = new Map(bound.variableTypes);
  let counter = 0;
  const context: PlanContext = {
    bound,
    statistics,
    askedIndexes,
    flags: options.flags ?? { factorize: false, wcoj: false },
    types,
    labels: new Map(),
    impliedLabels: new ImpliedLabels(statistics),
    existences: new WeakMap(),
    used,
    rewrites: new Set(),
    fresh(purpose, type) {
      let name: string;
      do name = `#${purpose}${++counter}`;
      while (types.has(name));
      types.set(name, type);
      return name;
    },
    planQuery: (query, scope) => planner.planQuery(context, query, scope),
    planPatterns: (patterns, scope) => planner.planPatterns(context, patterns, scope),
    planClause: (state, clause) => planner.planClause(context, state, clause),
  };
  return context;
}

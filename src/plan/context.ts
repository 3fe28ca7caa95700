/** What planning a statement has at hand, and the one thing it changes on its way: the types of the variables that the planner itself invents. */
import type { EngineFlags } from '../base/index.ts';
import type { BoundStatement, VariableType } from '../cypher/index.ts';
import type { GraphStatistics } from '../graph/index.ts';
import { ImpliedLabels } from './cost/implied-labels.ts';
import { rememberStatistics } from './cost/remembered-statistics.ts';
import type { AskedIndex, Operator } from './plan.ts';

export interface PlanOptions {
  /** Default: none. */
  readonly flags?: Pick<EngineFlags, 'factorize' | 'wcoj'>;
}

export interface PlanContext {
  readonly flags: Pick<EngineFlags, 'factorize' | 'wcoj'>;
  readonly bound: BoundStatement;
  readonly statistics: GraphStatistics;
  /** Grows as patterns are planned. */
  readonly askedIndexes: ReadonlyMap<string, AskedIndex>;
  /** Types of all variables, those made by `fresh` included. */
  readonly types: Map<string, VariableType>;
  /** Labels that nodes are known to have, by variable; grows as patterns are planned. For estimates only. */
  readonly labels: Map<string, ReadonlySet<string>>;
  readonly impliedLabels: ImpliedLabels;
  /** By the plan of an EXISTS for one row, which asks about this node: a plan that finds all nodes for which there is a match. */
  readonly existences: WeakMap<Operator, { readonly node: string; readonly plan: Operator }>;
  /** Variables whose value some expression or clause reads; a pattern's variable that is not among them need not be computed. */
  readonly used: ReadonlySet<string>;
  /** Names of the rewrites that changed something, for EXPLAIN. */
  readonly rewrites: Set<string>;
  /** A new variable; `purpose` makes EXPLAIN readable. */
  fresh(purpose: string, type: VariableType): string;
}

export function createContext(bound: BoundStatement, asked: GraphStatistics, options: PlanOptions, used: ReadonlySet<string>): PlanContext {
  const askedIndexes = new Map<string, AskedIndex>();
  const statistics = rememberStatistics(asked, askedIndexes);
  const types = new Map(bound.variableTypes);
  let counter = 0;
  return {
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
  };
}

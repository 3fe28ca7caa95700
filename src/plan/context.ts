/** What planning a statement has at hand, and the one thing it changes on its way: the types of the variables that the planner itself invents. */
import type { BoundStatement, VariableType } from '../cypher/index.ts';
import type { GraphStatistics } from '../graph/index.ts';
import { ImpliedLabels } from './cost/implied-labels.ts';
import { rememberStatistics } from './cost/remembered-statistics.ts';

/** Fields of a procedure, as far as a standalone call without arguments or YIELD needs them. */
export interface ProcedureSignature {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** Engine flags (INTERFACES, section 2) that change plans. */
export interface PlanFlags {
  /** GRAPHDB_FACTORIZE */
  readonly factorize?: boolean;
  /** GRAPHDB_WCOJ, which needs `factorize` */
  readonly wcoj?: boolean;
}

export interface PlanOptions {
  readonly flags?: PlanFlags;
  /** Is a function of this name (in any case) an aggregate? Default: openCypher's. */
  readonly isAggregate?: (name: string) => boolean;
  readonly procedures?: (name: string) => ProcedureSignature | undefined;
}

const AGGREGATES = new Set(['count', 'sum', 'avg', 'min', 'max', 'collect', 'stdev', 'stdevp', 'percentilecont', 'percentiledisc']);

export interface PlanContext {
  readonly bound: BoundStatement;
  readonly statistics: GraphStatistics;
  readonly flags: PlanFlags;
  readonly isAggregate: (name: string) => boolean;
  readonly procedures: (name: string) => ProcedureSignature | undefined;
  /** Types of all variables, those made by `fresh` included. */
  readonly types: Map<string, VariableType>;
  /** Labels that nodes are known to have, by variable; grows as patterns are planned. For estimates only. */
  readonly labels: Map<string, ReadonlySet<string>>;
  readonly impliedLabels: ImpliedLabels;
  /** Variables whose value some expression or clause reads; a pattern's variable that is not among them need not be computed. */
  readonly used: ReadonlySet<string>;
  /** Names of the rewrites that changed something, for EXPLAIN. */
  readonly rewrites: Set<string>;
  /** A new variable; `purpose` makes EXPLAIN readable. */
  fresh(purpose: string, type: VariableType): string;
}

export function createContext(bound: BoundStatement, asked: GraphStatistics, options: PlanOptions, used: ReadonlySet<string>): PlanContext {
  const statistics = rememberStatistics(asked);
  const types = new Map(bound.variableTypes);
  let counter = 0;
  return {
    bound,
    statistics,
    flags: options.flags ?? {},
    isAggregate: options.isAggregate ?? ((name) => AGGREGATES.has(name.toLowerCase())),
    procedures: options.procedures ?? (() => undefined),
    types,
    labels: new Map(),
    impliedLabels: new ImpliedLabels(statistics),
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

/**
 * Plans a statement from its text, and derives all that is known of it before it runs. Every thread that plans a text
 * for the first time uses this file.
 */
import { type Right, unreachable } from '../../base/index.ts';
import {
  autoParameterize,
  type BoundStatement,
  type DatabaseCommand,
  parse,
  SHOW_RIGHTS,
  type ShowCommand,
  type Statement,
} from '../../cypher/index.ts';
import { type ProcedureRegistry, requirementsOf } from '../../exec/index.ts';
import type { GraphStatistics, Requirements } from '../../graph/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { Value } from '../../value/index.ts';
import type { StatementType } from '../api.ts';
import { type Mention, mentionsOf } from './mentions.ts';
import { bindStatement, type PlanFlags, planOf } from './planning.ts';

/** The environment in which a text is planned: the procedures that it may call, the statistics of the graph, and switches. */
export interface Planning {
  readonly procedures: ProcedureRegistry;
  readonly statistics: GraphStatistics;
  readonly flags: PlanFlags;
}

/** A request about databases or transactions: to list them, or a command that changes them. */
export type Administration = 'databases' | 'transactions' | DatabaseCommand | Pick<ShowCommand, 'kind' | 'terminates'>;

/** A bound statement with its plan. */
export interface PlannedStatement {
  readonly bound: BoundStatement;
  readonly plan: Plan;
  readonly type: StatementType;
  readonly columns: readonly string[];
  readonly requirements: Requirements;
  readonly mentions: readonly Mention[];
  /** The right that a caller needs to run the statement. */
  readonly right: Right;
  readonly administration: Administration | null;
}

/** A statement that was planned from its text. */
export interface PlannedFromText extends PlannedStatement {
  /** The literals that were lifted out of the text. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** The parameters that the user has to give. */
  readonly required: readonly string[];
}

/** Parses, binds and plans a text; to be called within `boundedWork`. @throws the errors of the text. */
export function planText(text: string, planning: Planning): PlannedFromText {
  const { statement, parameters } = autoParameterize(parse(text));
  const planned = planBound(bindStatement(text, planning.procedures, statement), planning);
  return { ...planned, parameters, required: requiredOf(planned.bound, parameters) };
}

/** Plans a bound statement. @param mentions the mentions of the statement, if they are known already */
export function planBound(
  bound: BoundStatement,
  { statistics, flags }: Omit<Planning, 'procedures'>,
  mentions: readonly Mention[] = mentionsOf(bound),
): PlannedStatement {
  const plan = planOf(bound, statistics, flags);
  const columns = plan.columns.map(({ name }) => name);
  const { body } = bound.statement;
  return {
    bound,
    plan,
    type: typeOf(plan),
    columns,
    requirements: requirementsOf(plan),
    mentions,
    right: bound.callsSchemaProcedure ? 'schema' : rightOf(body, plan),
    administration: administrationOf(body),
  };
}

/** Returns the names of the parameters that the user has to give. */
export function requiredOf({ parameters }: BoundStatement, lifted: ReadonlyMap<string, Value>): string[] {
  return [...parameters].filter((name) => !lifted.has(name));
}

function rightOf(body: Statement['body'], { writes }: Plan): Right {
  switch (body.kind) {
    case 'query':
      return writes ? 'write' : 'read';
    case 'show':
      return SHOW_RIGHTS[body.what];
    case 'createIndex':
    case 'createConstraint':
    case 'dropSchema':
      return 'schema';
    case 'createDatabase':
    case 'dropDatabase':
      return 'govern';
    default:
      return unreachable(body, 'statement');
  }
}

function administrationOf(body: Statement['body']): Administration | null {
  if (body.kind === 'createDatabase' || body.kind === 'dropDatabase') return body;
  if (body.kind !== 'show') return null;
  const { kind, what, terminates } = body;
  if (what === 'terminations') return { kind, terminates };
  return what === 'databases' || what === 'transactions' ? what : null;
}

/** The type of a statement, by its plan. */
function typeOf({ root, writes, columns }: Plan): StatementType {
  if (root.kind === 'schema' || root.kind === 'database') return 'schema';
  if (!writes) return 'read';
  return columns.length === 0 ? 'write' : 'read-write';
}

/** A statement whose plan is known. */
import { assert, type Right } from '../../base/index.ts';
import type { CompiledPlan } from '../../exec/index.ts';
import type { GraphView, Requirements } from '../../graph/index.ts';
import type { Plan, ReadByPage } from '../../plan/index.ts';
import type { Value } from '../../value/index.ts';
import type { StatementNotification, StatementOutcome, StatementType } from '../api.ts';
import type { PlanInputs } from '../execution/plan-inputs.ts';
import type { Administration } from '../execution/plan-text.ts';

/**
 * A statement whose plan is known. The `StatementCache` of a served graph makes it, and keeps it for the next statement
 * of equal text until the schema, the sizes of tables or the automatic indexes behind its plan change. Several running
 * statements may share one.
 */
export interface PreparedStatement {
  readonly mode: Plan['mode'];
  readonly writes: boolean;
  /** The compiled plan; null if the planner thread has planned the statement and this thread does not run it. */
  readonly plan: CompiledPlan | null;
  /** True if the planner thread made the plan because it is large; this thread then works on it in pieces. */
  readonly isLarge: boolean;
  readonly type: StatementType;
  /** The right that a caller needs to run the statement. */
  readonly right: Right;
  /** The request about databases or transactions in the statement; null if there is none. */
  readonly administration: Administration | null;
  /** The names of the statement's columns; not to be changed. */
  readonly columns: readonly string[];
  readonly requirements: Requirements;
  /** How the statement can be run over a graph of which parts are read by page; null if it cannot. */
  readonly byPage: ReadByPage | null;
  /** The inputs from which workers make the plan; null if the statement runs on this thread only. */
  readonly planInputs: PlanInputs | null;
  /** The literals that were lifted out of the text, to be passed beside the user's parameters; empty if the plan inputs hold them. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** The parameters that the user has to give. */
  readonly required: readonly string[];
  /** The result of EXPLAIN if the planner thread has made it; otherwise null. */
  readonly explanation: Required<Pick<StatementOutcome, 'plan' | 'planTree'>> | null;
  /** Returns the warnings for the user, which depend on the names that the graph has; to be asked when the statement has run. */
  notifications(view: GraphView): readonly StatementNotification[];
}

/** Returns the plan of a statement that runs on this thread. */
export function planOfPrepared({ plan }: PreparedStatement): CompiledPlan {
  assert(plan !== null, 'a statement that runs on the main thread was prepared for it');
  return plan;
}

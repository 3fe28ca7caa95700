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
 * Made by the `StatementCache` of a served graph, which keeps it for the next statement of the same text until the
 * schema, the sizes of tables or the automatic indexes behind its plan change. Several running statements may share
 * one.
 */
export interface PreparedStatement {
  readonly mode: Plan['mode'];
  readonly writes: boolean;
  /** null: only workers run it, and another thread than this one has planned it. */
  readonly plan: CompiledPlan | null;
  /** The plan was made elsewhere because it is large: what this thread does with it is done in pieces. */
  readonly isLarge: boolean;
  readonly type: StatementType;
  /** The right that a caller needs. */
  readonly right: Right;
  /** The request about databases in the statement; null: there is none. */
  readonly administration: Administration | null;
  /** The names of its columns; not to be changed. */
  readonly columns: readonly string[];
  readonly requirements: Requirements;
  /** How it can be run over a graph of which parts are read by page; null: it cannot. */
  readonly byPage: ReadByPage | null;
  /** null: it runs on this thread alone. */
  readonly planInputs: PlanInputs | null;
  /** The literals that were lifted out of the text, to be given beside the user's parameters; none where the plan inputs hold them. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** The parameters that the user has to give. */
  readonly required: readonly string[];
  /** The answer of EXPLAIN where another thread has made it. */
  readonly explanation: Required<Pick<StatementOutcome, 'plan' | 'planTree'>> | null;
  /** Returns the warnings for the user, which depend on the names that the graph has; to be asked when the statement has run. */
  notifications(view: GraphView): readonly StatementNotification[];
}

/** The plan of a statement that runs on this thread. */
export function planOfPrepared({ plan }: PreparedStatement): CompiledPlan {
  assert(plan !== null, 'a statement that runs on the main thread was prepared for it');
  return plan;
}

/** A statement whose plan is known. */
import type { CompiledPlan } from '../../exec/index.ts';
import type { GraphView, Requirements } from '../../graph/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { Value } from '../../value/index.ts';
import type { StatementNotification, StatementType } from '../api.ts';
import type { Recipe } from '../execution/recipe.ts';

/**
 * Made by the `StatementCache` of a served graph, which keeps it for the next statement of the same text until the schema, the sizes of tables or the automatic indexes
 * behind its plan change. Several running statements may share one.
 */
export interface PreparedStatement {
  readonly plan: CompiledPlan;
  readonly type: StatementType;
  /** The names of its columns; not to be changed. */
  readonly columns: readonly string[];
  readonly requirements: Requirements;
  /** null: it runs on this thread alone. */
  readonly recipe: Recipe | null;
  /** The literals that were lifted out of the text, to be given beside the user's parameters. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** The parameters that the user has to give. */
  readonly required: readonly string[];
  /** Returns the warnings for the user, which depend on the names that the graph has; to be asked when the statement has run. */
  notifications(view: GraphView): readonly StatementNotification[];
}

/** The type of a statement, by its plan. */
export function typeOf({ root, writes, columns }: Plan): StatementType {
  if (root.kind === 'schema') return 'schema';
  if (!writes) return 'read';
  return columns.length === 0 ? 'write' : 'read-write';
}

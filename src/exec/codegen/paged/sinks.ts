/**
 * Writes how rows enter the sink of a pipeline in code that reads pages: everything that a row needs is read first, and
 * only a row that missed no page enters (`Restarts`).
 */
import type { PlanExpression } from '../../../plan/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { compileExpression } from '../expressions/expression.ts';
import { toValue } from '../expressions/to-value.ts';
import { any, isSimple, type Typed } from '../typed.ts';

/** The beginning of the names of settled values. The binder gives such a name to no variable. */
const PREFIX = ' settled ';

interface EnteringRow<Expressions extends readonly PlanExpression[]> {
  readonly outer: Environment;
  readonly environment: Environment;
  /** Expressions that are computed for the row as it enters. */
  readonly expressions: Expressions;
  /** Variables of the row that the sink keeps. */
  readonly names: ReadonlySet<string>;
}

type Enter = (environment: Environment, expressions: readonly PlanExpression[]) => void;

/**
 * Writes how a row enters the sink of a pipeline. `enter` gets the variables and expressions as they are, or others
 * with the same values that read nothing.
 */
export function sinkRow<E extends readonly PlanExpression[]>(
  cg: Codegen,
  { outer, environment, expressions, names }: EnteringRow<E>,
  enter: Enter,
): void {
  if (!cg.paged || outer.size > 0 || !cg.isAtSink) {
    enter(environment, expressions);
    return;
  }
  const { f } = cg;
  const leave = cg.enterSink();
  f.open('if (!restarts.skips()) {');
  const settled = new Map(environment);
  for (const [name, typed] of environment) if (names.has(name)) settled.set(name, settledVariable(cg, typed));
  const references = expressions.map((expression, i): PlanExpression => {
    const name = PREFIX + i;
    settled.set(name, settledValue(cg, compileExpression(cg, environment, expression)));
    return { kind: 'variable', name, span: { start: 0, end: 0 } };
  });
  f.open('if (restarts.takes()) {');
  const before = f.local('before', 'memory.used');
  enter(settled, references);
  f.emit(`restarts.took(${before});`);
  f.close();
  f.close();
  leave();
}

/** Returns a variable in a form that reads nothing when it is stored. */
function settledVariable(cg: Codegen, typed: Typed): Typed {
  if (typed.type === 'relationship' || typed.type === 'null') return typed;
  if (typed.type === 'node') {
    // A node whose local was put off is read here.
    cg.f.emit(`${typed.code};`);
    return typed;
  }
  return isSimple(typed.code) && typed.valid === null ? typed : any(cg.f.local('x', toValue(typed)), typed.shape);
}

/** Returns a value in a form that reads nothing, whatever is done with it. */
function settledValue(cg: Codegen, typed: Typed): Typed {
  return typed.type === 'relationship' ? any(cg.f.local('x', toValue(typed))) : settledVariable(cg, typed);
}

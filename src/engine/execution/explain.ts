/** The results of EXPLAIN and PROFILE: the plan, the generated code, and the figures of operators. */
import type { CompiledStatement, Profile } from '../../exec/index.ts';
import { describePlan, formatPlan, type Plan } from '../../plan/index.ts';
import type { StatementOutcome } from '../api.ts';

/** Returns the generated code followed by the values of its constants. */
export function explainText(compiled: CompiledStatement): string {
  const constants = compiled.constants.map((value, i) => `  C[${i}] = ${constantText(value)}`);
  return ['Generated code:', compiled.source, ...(constants.length > 0 ? ['', 'Constants:', ...constants] : [])].join('\n');
}

function constantText(value: unknown): string {
  if (typeof value === 'function') return value.name || 'function';
  if (typeof value === 'bigint') return `${value}n`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.byteLength})`;
  return JSON.stringify(value) ?? String(value);
}

/** Returns the plan for EXPLAIN as text and as a tree, without running the statement. */
export function explainedPlan(plan: Plan): Required<Pick<StatementOutcome, 'plan' | 'planTree'>> {
  return { plan: formatPlan(plan), planTree: describePlan(plan) };
}

/** Returns the plan for PROFILE as text and as a tree, with the rows of each operator and its time in milliseconds. */
export function profiledPlan(
  plan: Plan,
  compiled: CompiledStatement,
  profile: Profile,
): Required<Pick<StatementOutcome, 'plan' | 'planTree'>> {
  const byOperator = new Map(
    compiled.profiled.map((operator, i) => [
      operator,
      { rows: profile.rows[i] ?? 0, timeMs: profile.timesMs[i] ?? 0, note: profile.notes[i] },
    ]),
  );
  const figures = { of: (operator: Plan['root']) => byOperator.get(operator), resultMs: profile.resultMs };
  return { plan: formatPlan(plan, { profile: figures }), planTree: describePlan(plan, figures) };
}

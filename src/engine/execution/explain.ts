/** The texts of EXPLAIN and PROFILE beyond the plan itself. */
import type { CompiledStatement, Profile } from '../../exec/index.ts';
import { describePlan, formatPlan, type Plan } from '../../plan/index.ts';
import type { StatementOutcome } from '../api.ts';

/** The generated code, with what its constants stand for. */
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

/** The plan of EXPLAIN, without running anything. */
export function explainedPlan(plan: Plan): Required<Pick<StatementOutcome, 'plan' | 'planTree'>> {
  return { plan: formatPlan(plan), planTree: describePlan(plan) };
}

/** The plan, with the rows that each operator gave and the time it took. */
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

/** The texts of EXPLAIN and PROFILE beyond the plan itself. */
import type { CompiledStatement } from '../exec/index.ts';
import { formatPlan, type Plan } from '../plan/index.ts';

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

/** The plan, with the rows that each operator gave. */
export function profileText(plan: Plan, compiled: CompiledStatement, rows: readonly number[]): string {
  const byOperator = new Map(compiled.profiled.map((operator, i) => [operator, rows[i] ?? 0]));
  return formatPlan(plan, { verbose: false, rows: (operator) => byOperator.get(operator) });
}

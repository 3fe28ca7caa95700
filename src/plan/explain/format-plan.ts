/**
 * A plan as an indented tree, the last operator first, as EXPLAIN shows it:
 *
 *     ProduceResults          name
 *     └ Projection            friend.name AS name              ~40
 *       └ Expand(All)         (p)-[r:KNOWS]->(friend)          ~40
 *         └ NodeIndexSeek     p:Person(id) WHERE id = $id       ~1
 *
 * A second input or a sub-plan is indented under its operator like the first, and marked: `├` comes before `└` in the text, and is what runs for each row or is hashed.
 */

import { forEachExpression } from '../expressions/walk.ts';
import { expressionsOf, inputsOf, subplanOf } from '../operators/references.ts';
import type { Operator, Plan } from '../plan.ts';
import { describeOperator } from './describe-operator.ts';

interface Line {
  readonly tree: string;
  readonly details: string;
  readonly rows: string;
}

/** @param options.verbose adds the rewrites that were applied and the variables of the result */
export function formatPlan(plan: Plan, options: { readonly verbose?: boolean } = {}): string {
  const columns = plan.columns.map((column) => (column.name === column.variable ? column.name : `${column.variable} AS ${column.name}`));
  const lines: Line[] = [];
  const produces = plan.columns.length > 0;
  if (produces) lines.push({ tree: 'ProduceResults', details: columns.join(', '), rows: '' });
  write(plan.root, produces ? '└ ' : '', produces ? '  ' : '', lines);
  const text = align(lines);
  if (options.verbose !== true) return text;
  return `${text}\nrewrites: ${plan.rewrites === undefined || plan.rewrites.length === 0 ? 'none' : plan.rewrites.join(', ')}\nupdates: ${plan.writes ? 'yes' : 'no'}`;
}

/** The start of a statement: one empty row; nothing to tell. */
const isStart = (operator: Operator): boolean => operator.kind === 'argument' && operator.variables.length === 0;

function write(operator: Operator, mark: string, indent: string, lines: Line[]): void {
  const { name, details } = describeOperator(operator);
  lines.push({ tree: `${mark}${name}`, details, rows: `~${formatRows(operator.estimatedRows)}` });
  const [main, ...others] = inputsOf(operator);
  const branches = [...expressionPlans(operator), ...[subplanOf(operator)].filter((plan) => plan !== null), ...others.toReversed()];
  for (const branch of branches) write(branch, `${indent}├ `, `${indent}│ `, lines);
  if (main !== undefined && !isStart(main)) write(main, `${indent}└ `, `${indent}  `, lines);
}

/** Sub-plans inside the operator's expressions, in order. */
function expressionPlans(operator: Operator): readonly Operator[] {
  const found: Operator[] = [];
  for (const expression of expressionsOf(operator)) {
    forEachExpression(expression, (part) => {
      if (part.kind === 'planSubquery') found.push(part.plan);
    });
  }
  return found;
}

function formatRows(rows: number): string {
  if (rows >= 1e6) return rows.toExponential(1).replace('+', '');
  return rows >= 10 || Number.isInteger(rows) ? String(Math.round(rows)) : rows.toPrecision(2);
}

function align(lines: readonly Line[]): string {
  const treeWidth = Math.max(...lines.map((line) => line.tree.length));
  return lines
    .map((line) => `${line.tree.padEnd(treeWidth)}  ${line.details}${line.rows === '' ? '' : `  ${line.rows}`}`.trimEnd())
    .join('\n');
}

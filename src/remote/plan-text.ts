/**
 * The plan of a server's answer as text: an indented tree, the last operator first, as EXPLAIN and PROFILE show it
 * where a statement runs (plan/explain/format-plan.ts).
 */
import type { StatementSummary } from '../engine/index.ts';

type PlanTree = NonNullable<StatementSummary['planTree']>;

interface Line {
  readonly tree: string;
  readonly details: string;
  readonly figures: string;
}

/** Formats a plan as a tree. */
export function planText(root: PlanTree): string {
  const lines: Line[] = [];
  write(root, { mark: '', indent: '' }, lines);
  const width = Math.max(...lines.map(({ tree }) => tree.length));
  return lines
    .map(({ tree, details, figures }) => [tree.padEnd(width), details, figures].filter((part) => part !== '').join('  '))
    .join('\n');
}

/** Adds the lines of an operator and of those below it. Its input, which comes first in the tree, is written last. */
function write(operator: PlanTree, { mark, indent }: { readonly mark: string; readonly indent: string }, lines: Line[]): void {
  lines.push({ tree: `${mark}${operator.operator}`, details: operator.details, figures: figuresOf(operator) });
  const [input, ...branches] = operator.children;
  for (const branch of branches) write(branch, { mark: `${indent}├ `, indent: `${indent}│ ` }, lines);
  if (input !== undefined) write(input, { mark: `${indent}└ `, indent: `${indent}  ` }, lines);
}

function figuresOf({ operator, estimatedRows, rows, timeMs }: PlanTree): string {
  const estimate = operator === 'ProduceResults' ? [] : [`~${estimateText(estimatedRows)}`];
  return [...estimate, ...(rows === undefined ? [] : [`rows ${rows}`]), ...(timeMs === undefined ? [] : [timeText(timeMs)])].join('  ');
}

const timeText = (timeMs: number): string => `${timeMs < 1 ? timeMs.toFixed(3) : timeMs.toPrecision(3)} ms`;

function estimateText(figure: number): string {
  if (figure >= 1e6) return figure.toExponential(1).replace('+', '');
  return figure >= 10 || Number.isInteger(figure) ? String(Math.round(figure)) : figure.toPrecision(2);
}

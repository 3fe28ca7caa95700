/**
 * A plan as an indented tree, the last operator first, as EXPLAIN and PROFILE show it:
 *
 *     ProduceResults          name
 *     └ Projection            friend.name AS name              ~40
 *       └ Expand(All)         (p)-[r:KNOWS]->(friend)          ~40
 *         └ NodeIndexSeek     p:Person(id) WHERE id = $id      ~1
 *
 * `~` stands before estimated rows. `└` is the input of the operator above; `├` what it runs for each row or makes
 * beforehand: a sub-plan, or the hashed side of a join.
 */
import { totalCost } from '../operators/total-cost.ts';
import type { Operator, Plan } from '../plan.ts';
import { describeOperator } from './describe-operator.ts';
import { branchesOf, columnsText, inputOf } from './plan-tree.ts';

/** The options of a formatted plan. */
export interface FormatOptions {
  /** Adds the cost of every operator with all below it, the rewrites that were applied, and whether the statement updates. */
  readonly verbose?: boolean;
  readonly profile?: ProfileFigures;
}

/** The figures of PROFILE for an operator: the rows that it gave, and the milliseconds in its own code. */
export interface OperatorFigures {
  readonly rows: number;
  readonly timeMs: number;
  /** A note that the operator left about its work, if any. */
  readonly note: string | undefined;
}

/**
 * The figures of PROFILE: per operator the rows that it gave and the time in its own code, and the time that the rows
 * of the result took.
 */
export interface ProfileFigures {
  readonly of: (operator: Operator) => OperatorFigures | undefined;
  readonly resultMs: number;
}

interface Line {
  readonly tree: string;
  readonly details: string;
  readonly figures: string;
}

/** Formats a plan as a tree. */
export function formatPlan(plan: Plan, options: FormatOptions = {}): string {
  const lines: Line[] = [];
  if (plan.columns.length > 0) lines.push({ tree: 'ProduceResults', details: columnsText(plan), figures: resultFigures(plan, options) });
  const place: Place = plan.columns.length > 0 ? { mark: '└ ', indent: '  ' } : { mark: '', indent: '' };
  write(plan.root, place, options, lines);
  return options.verbose === true ? `${align(lines)}\n${summary(plan)}` : align(lines);
}

function summary(plan: Plan): string {
  const rewrites = plan.rewrites === undefined || plan.rewrites.length === 0 ? 'none' : plan.rewrites.join(', ');
  return `rewrites: ${rewrites}\nupdates: ${plan.writes ? 'yes' : 'no'}`;
}

interface Place {
  readonly mark: string;
  readonly indent: string;
}

function write(operator: Operator, { mark, indent }: Place, options: FormatOptions, lines: Line[]): void {
  const { name, details } = describeOperator(operator);
  lines.push({ tree: `${mark}${name}`, details: withNote(details, options.profile?.of(operator)), figures: figures(operator, options) });
  for (const branch of branchesOf(operator)) write(branch, { mark: `${indent}├ `, indent: `${indent}│ ` }, options, lines);
  const main = inputOf(operator);
  if (main !== null) write(main, { mark: `${indent}└ `, indent: `${indent}  ` }, options, lines);
}

/** Returns the details of an operator, with its note about its work in brackets, if there is one. */
export function withNote(details: string, figures: OperatorFigures | undefined): string {
  return figures?.note === undefined ? details : `${details} [${figures.note}]`;
}

function figures(operator: Operator, options: FormatOptions): string {
  const profiled = options.profile?.of(operator);
  const parts = [`~${formatFigure(operator.estimatedRows)}`];
  if (profiled !== undefined) parts.push(`rows ${profiled.rows}`, formatTime(profiled.timeMs));
  if (options.verbose === true) parts.push(`cost ${formatFigure(totalCost(operator))}`);
  return parts.join('  ');
}

function resultFigures({ root }: Plan, { profile }: FormatOptions): string {
  const rows = profile?.of(root)?.rows;
  return profile === undefined ? '' : `${rows === undefined ? '' : `rows ${rows}  `}${formatTime(profile.resultMs)}`;
}

const formatTime = (timeMs: number): string => `${timeMs < 1 ? timeMs.toFixed(3) : timeMs.toPrecision(3)} ms`;

function formatFigure(figure: number): string {
  if (figure >= 1e6) return figure.toExponential(1).replace('+', '');
  return figure >= 10 || Number.isInteger(figure) ? String(Math.round(figure)) : figure.toPrecision(2);
}

function align(lines: readonly Line[]): string {
  const width = Math.max(...lines.map((line) => line.tree.length));
  return lines
    .map(({ tree, details, figures: text }) => [tree.padEnd(width), details, text].filter((part) => part !== '').join('  '))
    .join('\n');
}

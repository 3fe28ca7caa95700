/**
 * Does an answer agree with the oracle's? As multisets of rows; where ORDER BY tells rows apart, in its order; with SKIP and LIMIT the rows
 * at the edges may be any of those that ORDER BY does not tell apart.
 *
 * A column whose name begins with `bag` holds lists that have no order; one whose name begins with `approximate` Floats
 * whose last digits are open.
 */
import { isFloat, toNumber } from '../../src/value/index.ts';
import type { ModelGraph } from './oracle/model.ts';
import type { Projected } from './oracle/projection.ts';
import { show } from './show.ts';

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The rows that are expected, as texts, in groups of which each may come in any order. */
export interface Expectation {
  readonly columns: readonly string[];
  readonly strict: Groups;
  /** With equal numbers looking equal: statements that group may answer any of several equal values. */
  readonly loose: Groups | null;
  readonly skip: number;
  readonly limit: number;
}

type Groups = readonly (readonly string[])[];

export function expectationOf(projected: Projected, graph: ModelGraph, picksOneOfEqual: boolean): Expectation {
  const { columns, ties, skip, limit } = projected;
  const texts = (loose: boolean): string[][] =>
    ties.map((rows) =>
      rows.map((row) =>
        rowText(
          columns,
          columns.map((name) => row.get(name)!),
          { graph, loose },
        ),
      ),
    );
  return { columns, strict: texts(false), loose: picksOneOfEqual ? texts(true) : null, skip, limit };
}

/** null: it agrees. Otherwise what differs, for a person. */
export function disagreement(answer: Answer, expected: Expectation): string | null {
  if (answer.columns.join() !== expected.columns.join()) return `columns ${answer.columns.join()}, expected ${expected.columns.join()}`;
  const rows = answer.rows.map((row) => rowText(answer.columns, row, { loose: expected.loose !== null }));
  return compareGroups(rows, expected.loose ?? expected.strict, expected);
}

function rowText(columns: readonly string[], row: readonly unknown[], options: { graph?: ModelGraph; loose: boolean }): string {
  return columns
    .map((name, i) => {
      const value = row[i];
      if (name.startsWith('approximate')) return approximately(value, options);
      if (!name.startsWith('bag') || !Array.isArray(value)) return show(value, options);
      return `{{${value
        .map((item) => show(item, options))
        .sort()
        .join(', ')}}}`;
    })
    .join(' | ');
}

/** Sums in another order differ in far later digits. */
const DIGITS = 9;

function approximately(value: unknown, options: { graph?: ModelGraph; loose: boolean }): string {
  return isFloat(value) ? `about ${toNumber(value).toPrecision(DIGITS)}` : show(value, options);
}

function compareGroups(rows: readonly string[], groups: Groups, { skip, limit }: Expectation): string | null {
  const total = groups.reduce((sum, group) => sum + group.length, 0);
  const wanted = Math.max(0, Math.min(total - skip, limit));
  if (rows.length !== wanted)
    return (
      `${rows.length} rows, expected ` +
      `${wanted}:\n${sample(rows)}\nexpected${limit < total || skip > 0 ? ' from' : ''}:\n${sample(groups.flat())}`
    );
  let position = 0;
  for (const group of groups) {
    const from = Math.max(position, skip) - skip;
    const to = Math.min(position + group.length, skip + wanted) - skip;
    const missing = notIn(rows.slice(from, Math.max(from, to)), group);
    if (missing !== null)
      return (
        `a row that is not expected${groups.length > 1 ? ` at ${from}–${to}` : ''}: ` +
        `${missing}\nanswer:\n${sample(rows)}\nexpected:\n${sample(groups.flat())}`
      );
    position += group.length;
  }
  return null;
}

/** The first row that is not, or not as often, in the group. */
function notIn(rows: readonly string[], group: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const text of group) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const text of rows) {
    const left = counts.get(text) ?? 0;
    if (left === 0) return text;
    counts.set(text, left - 1);
  }
  return null;
}

function sample(rows: readonly string[]): string {
  const shown = rows.slice(0, 12).map((row) => `  ${row}`);
  return [...shown, ...(rows.length > 12 ? [`  … ${rows.length} in all`] : [])].join('\n');
}

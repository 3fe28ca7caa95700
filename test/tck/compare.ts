/** Holds an answer against the table that a scenario expects: column names in order, then the rows, in order or as a multiset. */
import { canonicalText, type TckValue } from './values.ts';

export interface TckTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly TckValue[])[];
}

export interface ComparisonOptions {
  readonly inOrder: boolean;
  readonly ignoreListOrder: boolean;
}

/** Returns the differences, for a person to read; undefined when the tables are equal. */
export function difference(expected: TckTable, actual: TckTable, options: ComparisonOptions): string | undefined {
  if (!sameTexts(expected.columns, actual.columns)) return `columns: expected ${list(expected.columns)}, got ${list(actual.columns)}`;
  const wanted = rowTexts(expected, options);
  const got = rowTexts(actual, options);
  if (options.inOrder) return sameTexts(wanted, got) ? undefined : inOrderDifference(wanted, got);
  return sameTexts([...wanted].sort(), [...got].sort()) ? undefined : anyOrderDifference(wanted, got);
}

function rowTexts(table: TckTable, options: ComparisonOptions): string[] {
  return table.rows.map((row) => `| ${row.map((value) => canonicalText(value, options)).join(' | ')} |`);
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

function inOrderDifference(wanted: readonly string[], got: readonly string[]): string {
  const place = wanted.findIndex((row, index) => row !== got[index]);
  const row = place < 0 ? wanted.length : place;
  return `row ${row + 1} of ${wanted.length}: expected ${wanted[row] ?? 'no row'}, got ${got[row] ?? 'no row'} (${got.length} rows)`;
}

function anyOrderDifference(wanted: readonly string[], got: readonly string[]): string {
  const lines = [`expected ${wanted.length} rows, got ${got.length}`];
  const missing = without(wanted, got);
  const surplus = without(got, wanted);
  if (missing.length > 0) lines.push('missing:', ...shortened(missing));
  if (surplus.length > 0) lines.push('not expected:', ...shortened(surplus));
  return lines.join('\n');
}

/** The rows of `left` that are not matched by an equal one of `right`. */
function without(left: readonly string[], right: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const row of right) counts.set(row, (counts.get(row) ?? 0) + 1);
  return left.filter((row) => {
    const count = counts.get(row) ?? 0;
    counts.set(row, count - 1);
    return count <= 0;
  });
}

const SHOWN_ROWS = 20;

function shortened(rows: readonly string[]): string[] {
  const shown = rows.slice(0, SHOWN_ROWS).map((row) => `  ${row}`);
  return rows.length > SHOWN_ROWS ? [...shown, `  … and ${rows.length - SHOWN_ROWS} more`] : shown;
}

function list(columns: readonly string[]): string {
  return `[${columns.join(', ')}]`;
}

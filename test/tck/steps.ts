/**
 * The steps of the TCK, parsed: text, table and doc string of a Gherkin step become one of the forms below. A step that has no form here
 * is an error, not something to skip.
 */
import type { PickleStep } from '@cucumber/messages';
import type { ComparisonOptions, TckTable } from './compare.ts';
import { NotationError, parseNotation } from './notation.ts';
import type { TckValue } from './values.ts';

export interface TckField {
  readonly name: string;
  readonly type: string;
}

export interface TckProcedure {
  readonly name: string;
  readonly inputs: readonly TckField[];
  readonly outputs: readonly TckField[];
  readonly rows: readonly (readonly TckValue[])[];
}

export interface ExpectedError {
  readonly type: string;
  readonly phase: string;
  readonly detail: string;
}

export type Step =
  | { readonly kind: 'empty graph' }
  | { readonly kind: 'named graph'; readonly name: string }
  | { readonly kind: 'having executed'; readonly query: string }
  | { readonly kind: 'parameters'; readonly values: ReadonlyMap<string, TckValue> }
  | { readonly kind: 'procedure'; readonly procedure: TckProcedure }
  | { readonly kind: 'executing query'; readonly query: string }
  | { readonly kind: 'result is'; readonly table: TckTable; readonly options: ComparisonOptions }
  | { readonly kind: 'result is empty' }
  | { readonly kind: 'error'; readonly expected: ExpectedError }
  | { readonly kind: 'side effects'; readonly changes: ReadonlyMap<string, number> };

type Rule = readonly [RegExp, (step: PickleStep, match: RegExpExecArray) => Step];

const RULES: readonly Rule[] = [
  [/^(?:an empty|any) graph$/, () => ({ kind: 'empty graph' })],
  [/^the (\S+) graph$/, (_, match) => ({ kind: 'named graph', name: match[1]! })],
  [/^having executed:$/, (step) => ({ kind: 'having executed', query: docString(step) })],
  [
    /^parameters are:$/,
    (step) => ({ kind: 'parameters', values: new Map(pairs(step).map(([name, text]) => [name, parseNotation(text)])) }),
  ],
  [
    /^there exists a procedure (.+?)\((.*)\) :: \((.*)\) ?:$/,
    (step, match) => ({ kind: 'procedure', procedure: procedureOf(step, match) }),
  ],
  [/^executing (?:control )?query:$/, (step) => ({ kind: 'executing query', query: docString(step) })],
  [/^the result should be empty$/, () => ({ kind: 'result is empty' })],
  [
    /^the result should be(, in any order|, in order)?( \(ignoring element order for lists\))?:$/,
    (step, match) => ({
      kind: 'result is',
      table: tableOf(step),
      options: { inOrder: match[1] === ', in order', ignoreListOrder: match[2] !== undefined },
    }),
  ],
  [
    /^an? (\S+) should be raised at (compile time|runtime|any time): (\S+)$/,
    (_, match) => ({ kind: 'error', expected: { type: match[1]!, phase: match[2]!, detail: match[3]! } }),
  ],
  [/^no side effects$/, () => ({ kind: 'side effects', changes: new Map() })],
  [
    /^the side effects should be:$/,
    (step) => ({ kind: 'side effects', changes: new Map(pairs(step).map(([name, text]) => [name, Number(text)])) }),
  ],
];

export function parseStep(step: PickleStep): Step {
  for (const [pattern, make] of RULES) {
    const match = pattern.exec(step.text.trim());
    if (match !== null) return make(step, match);
  }
  throw new NotationError(`a step that this runner does not know: ${step.text}`);
}

function docString(step: PickleStep): string {
  const content = step.argument?.docString?.content;
  if (content === undefined) throw new NotationError(`no query below: ${step.text}`);
  return content;
}

function cells(step: PickleStep): string[][] {
  const rows = step.argument?.dataTable?.rows;
  if (rows === undefined) throw new NotationError(`no table below: ${step.text}`);
  return rows.map((row) => row.cells.map((cell) => cell.value));
}

function pairs(step: PickleStep): [string, string][] {
  return cells(step).map((row) => {
    if (row.length !== 2) throw new NotationError(`a row of ${row.length} cells below: ${step.text}`);
    return [row[0]!, row[1]!];
  });
}

function tableOf(step: PickleStep): TckTable {
  const [columns, ...rows] = cells(step);
  return { columns: columns!, rows: rows.map((row) => row.map(parseNotation)) };
}

function procedureOf(step: PickleStep, match: RegExpExecArray): TckProcedure {
  const inputs = fields(match[2]!);
  const outputs = fields(match[3]!);
  const rows = cells(step)
    .slice(1)
    .map((row) => row.map(parseNotation));
  return { name: match[1]!, inputs, outputs, rows };
}

function fields(text: string): TckField[] {
  if (text.trim() === '') return [];
  return text.split(',').map((field) => {
    const [name, type] = field.split('::').map((part) => part.trim());
    if (!name || !type) throw new NotationError(`not a field of a procedure: ${field}`);
    return { name, type };
  });
}

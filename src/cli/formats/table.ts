/**
 * Formats rows as a table for people: columns as wide as their widest cell, values in Cypher's notation, and below the
 * table the changes that the statement has made.
 */
import type { SchemaOutcome, StatementResult, WriteOutcome } from '../../engine/index.ts';
import { displayText } from '../../value/index.ts';
import { withoutControls } from '../terminal.ts';

/** The options of a table for people. */
export interface TableOptions {
  /** The width of the terminal in cells: the widest columns are cut so that rows fit. Infinity: nothing is cut. */
  readonly width: number;
  readonly paint: (style: 'bold' | 'dim', text: string) => string;
}

const PLAIN: TableOptions = { width: Number.POSITIVE_INFINITY, paint: (_, text) => text };

/** Formats a result as a table for people. */
export function formatTable(result: StatementResult, { width, paint }: TableOptions = PLAIN): string {
  const { rows, writeOutcome, schemaOutcome, plan } = result;
  const columns = result.columns.map(onOneLine);
  const lines: string[] = [];
  if (isPlanAlone(result)) lines.push(withoutControls(String(rows[0]?.[0])));
  else if (columns.length > 0) {
    const cells = rows.map((row) => row.map((value) => onOneLine(displayText(value))));
    const wanted = columns.map((column, index) =>
      cells.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? '')), displayWidth(column)),
    );
    const widths = fitted(wanted, width);
    const rule = paint('dim', `+${widths.map((each) => '-'.repeat(each + 2)).join('+')}+`);
    const header = tableRow(columns, widths, (text) => paint('bold', text));
    const body = cells.map((row, index) =>
      tableRow(row, widths, (text, column) => (rows[index]?.[column] === null ? paint('dim', text) : text)),
    );
    lines.push(rule, header, rule);
    for (const line of body) lines.push(line);
    if (cells.length > 0) lines.push(rule);
    lines.push(count(rows.length, 'row'));
  }
  if (plan !== undefined && !isPlanAlone(result)) lines.push(withoutControls(plan));
  if (writeOutcome !== undefined) lines.push(describeOutcome(writeOutcome, schemaOutcome));
  return lines.map((line) => `${line}\n`).join('');
}

/** Tells whether a result is a plan alone: EXPLAIN answers with its plan as one text of several lines. */
function isPlanAlone({ columns, rows }: StatementResult): boolean {
  const [row] = rows;
  return columns.length === 1 && columns[0] === 'plan' && rows.length === 1 && typeof row?.[0] === 'string' && row[0].includes('\n');
}

const NARROWEST = 8;
/** How many cells a column takes beside its text: a bar and two blanks. */
const FRAME = 3;

/** Narrows the widest columns until a row fits, or all columns are at the least width. */
function fitted(wanted: readonly number[], available: number): number[] {
  const widths = [...wanted];
  let excess = widths.reduce((sum, width) => sum + width + FRAME, 1) - available;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    const next = Math.max(NARROWEST, ...widths.filter((width) => width < widest));
    const wide = widths.filter((width) => width === widest).length;
    const cut = Math.min(widest - next, Math.ceil(excess / wide));
    for (const [index, width] of widths.entries()) {
      if (width !== widest || excess <= 0) continue;
      widths[index] = width - Math.min(cut, excess);
      excess -= Math.min(cut, excess);
    }
  }
  return widths;
}

/** Cuts a text to so many cells, with an ellipsis at the end. */
function cutTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let cut = '';
  let used = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

const GRAPHEMES = new Intl.Segmenter();

/** Puts a text on one line: control characters, which could break the table or affect the terminal, become escapes. */
function onOneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function tableRow(cells: readonly string[], widths: readonly number[], paintCell: (text: string, column: number) => string): string {
  const shown = cells.map((cell, index) => {
    const text = cutTo(cell, widths[index] ?? 0);
    return ` ${paintCell(text, index)}${' '.repeat((widths[index] ?? 0) - displayWidth(text))} `;
  });
  return `|${shown.join('|')}|`;
}

function describeOutcome(outcome: WriteOutcome, schema: SchemaOutcome | undefined): string {
  const parts = [
    [outcome.nodesCreated, 'node', 'created'],
    [outcome.edgesCreated, 'relationship', 'created'],
    [outcome.nodesDeleted, 'node', 'deleted'],
    [outcome.edgesDeleted, 'relationship', 'deleted'],
    [outcome.propertiesSet, 'property', 'set'],
    [outcome.labelsAdded, 'label', 'added'],
    [outcome.labelsRemoved, 'label', 'removed'],
    [schema?.indexesAdded ?? 0, 'index', 'added'],
    [schema?.indexesRemoved ?? 0, 'index', 'removed'],
    [schema?.constraintsAdded ?? 0, 'constraint', 'added'],
    [schema?.constraintsRemoved ?? 0, 'constraint', 'removed'],
  ] as const;
  const changes = parts.filter(([number]) => number > 0).map(([number, noun, verb]) => `${count(number, noun)} ${verb}`);
  return changes.length === 0 ? 'nothing changed' : changes.join(', ');
}

const PLURALS: Readonly<Record<string, string>> = { property: 'properties', index: 'indexes' };

function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${PLURALS[noun] ?? `${noun}s`}`;
}

/** Returns the width of a text in cells: East Asian wide characters and emoji (joined ones as one) take two, combining marks none. */
function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text))
    width += /\p{Emoji_Presentation}|\ufe0f/u.test(segment) ? 2 : widthOfCharacters(segment);
  return width;
}

function widthOfCharacters(text: string): number {
  let width = 0;
  for (const character of text) width += /\p{Mn}|\p{Me}|\p{Cf}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Rows as a table for people: columns as wide as their widest cell, values in Cypher's notation, and below what the statement changed. */
import type { StatementResult, WriteOutcome } from '../../engine/index.ts';
import { displayText } from '../../value/index.ts';

export function formatTable(result: StatementResult): string {
  const { rows, writeOutcome } = result;
  const columns = result.columns.map(onOneLine);
  const lines: string[] = [];
  if (columns.length > 0) {
    const cells = rows.map((row) => row.map((value) => onOneLine(displayText(value))));
    const widths = columns.map((column, index) =>
      cells.reduce((width, row) => Math.max(width, displayWidth(row[index] ?? '')), displayWidth(column)),
    );
    const rule = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+`;
    lines.push(rule, tableRow(columns, widths), rule, ...cells.map((row) => tableRow(row, widths)));
    if (cells.length > 0) lines.push(rule);
    lines.push(count(rows.length, 'row'));
  }
  if (writeOutcome !== undefined) lines.push(describeOutcome(writeOutcome));
  return lines.map((line) => `${line}\n`).join('');
}

/** On one line: control characters, which would break the table or drive the terminal, stand as escapes. */
function onOneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function tableRow(cells: readonly string[], widths: readonly number[]): string {
  return `|${cells.map((cell, index) => ` ${cell}${' '.repeat((widths[index] ?? 0) - displayWidth(cell))} `).join('|')}|`;
}

function describeOutcome(outcome: WriteOutcome): string {
  const parts = [
    [outcome.nodesCreated, 'node', 'created'],
    [outcome.edgesCreated, 'relationship', 'created'],
    [outcome.nodesDeleted, 'node', 'deleted'],
    [outcome.edgesDeleted, 'relationship', 'deleted'],
    [outcome.propertiesSet, 'property', 'set'],
    [outcome.labelsAdded, 'label', 'added'],
    [outcome.labelsRemoved, 'label', 'removed'],
  ] as const;
  const changes = parts.filter(([number]) => number > 0).map(([number, noun, verb]) => `${count(number, noun)} ${verb}`);
  return changes.length === 0 ? 'nothing changed' : changes.join(', ');
}

function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** Terminal cells: East Asian wide characters and emoji take two, combining marks none. */
function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += /\p{Mn}|\p{Me}|\p{Cf}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

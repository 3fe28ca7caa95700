/**
 * Rows as CSV (RFC 4180), with a header. Null is an empty field, an empty string a quoted one. Strings and temporal values stand as they
 * are, everything else as JSON.
 */
import { type ResultValue, writeJson } from '../../value/index.ts';

export function formatCsvHeader(columns: readonly string[]): string {
  return `${columns.map(quoteIfNeeded).join(',')}\r\n`;
}

export function formatCsvRow(row: readonly ResultValue[]): string {
  return `${row.map(formatField).join(',')}\r\n`;
}

function formatField(value: ResultValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return quoteIfNeeded(value);
  const json = writeJson(value);
  // Temporal values, bytes: a JSON string whose content needs no escapes.
  return quoteIfNeeded(json.startsWith('"') ? (JSON.parse(json) as string) : json);
}

function quoteIfNeeded(text: string): string {
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Rows as CSV (RFC 4180), with a header. Null is an empty field, an empty string a quoted one. Lists, maps, nodes, relationships and paths
 * are JSON; everything else is its own text.
 */
import { displayText, Node, Path, Relationship, type ResultValue, writeJson } from '../../value/index.ts';

export function formatCsvHeader(columns: readonly string[]): string {
  return `${columns.map(quoteIfNeeded).join(',')}\r\n`;
}

export function formatCsvRow(row: readonly ResultValue[]): string {
  return `${row.map(formatField).join(',')}\r\n`;
}

function formatField(value: ResultValue): string {
  if (value === null) return '';
  return quoteIfNeeded(isCompound(value) ? writeJson(value) : displayText(value));
}

function isCompound(value: ResultValue): boolean {
  if (Array.isArray(value) || value instanceof Map || value instanceof Float32Array || value instanceof Uint8Array) return true;
  return value instanceof Node || value instanceof Relationship || value instanceof Path;
}

function quoteIfNeeded(text: string): string {
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

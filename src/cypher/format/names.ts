/** Names and literals as Cypher text. */

import { assert } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import { CypherFloat, replaceCharacters } from '../../value/index.ts';
import { identifierEnd, isIdentifierStart } from '../lexer/characters.ts';

/** Keywords that are read as something else in some places if a variable of that name is not quoted. */
const WORDS = new Set(
  (
    'ALL ALLSHORTESTPATHS AND ANY AS ASC ASCENDING BOTH BY CALL CASE COLLECT CONTAINS COUNT CREATE DELETE DESC DESCENDING ' +
    'DETACH DISTINCT ELSE END ENDS EXISTS ' +
    'FALSE FINISH FOREACH FROM IN IS LEADING LIMIT LOAD MATCH MERGE NFC NFD NFKC NFKD NODETACH NONE NOT NULL OFFSET ON OPTIONAL OR ' +
    'ORDER REDUCE REMOVE RETURN ' +
    'SET SHORTEST SHORTESTPATH SINGLE SKIP STARTS THEN TRAILING TRUE UNION UNWIND USING WHEN WHERE WITH XOR YIELD'
  ).split(' '),
);

/** Functions that can be called without quotes although their names are keywords. */
const CALLABLE_WORDS = new Set(['COLLECT', 'COUNT', 'EXISTS']);

function isBare(name: string): boolean {
  return name !== '' && isIdentifierStart(name.codePointAt(0)!) && identifierEnd(name, 0) === name.length;
}

function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** Formats a label, type or property key, where any keyword is allowed without quotes. */
export function formatName(name: string): string {
  return isBare(name) ? name : quote(name);
}

/** Formats the name of a variable, in backticks where it needs them. */
export function formatVariable(name: string): string {
  return isBare(name) && !WORDS.has(name.toUpperCase()) ? name : quote(name);
}

/** Formats a name with dots, such as `space.name`, quoting each part as needed. */
export function formatDottedName(name: string): string {
  const part = (each: string): string => (CALLABLE_WORDS.has(each.toUpperCase()) ? each : formatVariable(each));
  return name.split('.').map(part).join('.');
}

/** Formats a value as a literal. */
export function formatLiteral(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return formatString(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : formatFloat(value);
  if (Array.isArray(value)) return `[${value.map(formatLiteral).join(', ')}]`;
  if (value instanceof Map) return `{${[...value].map(([key, item]) => `${formatName(key)}: ${formatLiteral(item)}`).join(', ')}}`;
  assert(value instanceof CypherFloat, 'a literal is a scalar, or a list or map of literals');
  return formatFloat(value.value);
}

function formatFloat(value: number): string {
  if (Number.isNaN(value)) return '(0.0 / 0.0)';
  if (!Number.isFinite(value)) return value > 0 ? '(1.0 / 0.0)' : '(-1.0 / 0.0)';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

/** Formats a string literal. */
export function formatString(value: string): string {
  const escape = (character: string): string => ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `'${replaceCharacters(value, /[\\'\p{Cc}\u2028\u2029]/gu, escape)}'`;
}

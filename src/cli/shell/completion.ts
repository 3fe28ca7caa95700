/**
 * Completes the word at the cursor: labels and types after a colon, property keys after a point, parameters after a
 * dollar sign, else functions, keywords and names.
 */
import { symbolText } from '../../value/index.ts';
import type { Catalog } from './catalog.ts';

const KEYWORDS = (
  'ALL AND AS ASC BY CALL CASE CONSTRAINT CONTAINS COUNT CREATE DELETE DESC DETACH DISTINCT DROP ELSE END ENDS ' +
  'EXISTS EXPLAIN FALSE FOR FOREACH IN INDEX IS LIMIT MATCH MERGE NOT NULL ON OPTIONAL OR ORDER PROFILE REMOVE ' +
  'REQUIRE RETURN SET SHOW SKIP STARTS THEN TRUE UNION UNIQUE UNWIND WHEN WHERE WITH XOR YIELD'
).split(' ');

/** The names that completion may offer. */
export interface CompletionContext extends Catalog {
  readonly parameters: readonly string[];
  readonly commands: readonly string[];
}

/** Returns what readline expects: the candidates for the last word of the line, and that word. */
export function complete(line: string, context: CompletionContext): [string[], string] {
  const command = /^\s*:(\w*)$/.exec(line);
  if (command !== null) return matching(context.commands, command[1] ?? '', ':');
  const [word = ''] = /[\p{L}\p{N}_.$]*$/u.exec(line) ?? [];
  const before = line.slice(0, line.length - word.length);
  if (word.startsWith('$')) return matching(context.parameters, word.slice(1), '$');
  if (before.endsWith(':') || /:[^\s()[\]{}]*[|&!]$/.test(before)) return afterColon(before, word, context);
  const point = word.lastIndexOf('.');
  // The name before the point may be that of a group of functions, such as apoc or date.
  const functions = matching(
    context.functions.map((name) => `${name}(`),
    word,
    '',
  );
  if (point >= 0) {
    const keys = matching(context.keys.map(symbolText), word.slice(point + 1), '');
    return functions[0].length > 0 ? functions : keys;
  }
  if (/\{[^}]*$/.test(before) && /[{,]\s*$/.test(before)) return matching(context.keys.map(symbolText), word, '');
  const isLower = word !== '' && word === word.toLowerCase();
  const keywords = KEYWORDS.map((keyword) => (isLower ? keyword.toLowerCase() : keyword));
  return [[...matching(keywords, word, '')[0], ...functions[0]], word];
}

function afterColon(before: string, word: string, { labels, types, keys }: CompletionContext): [string[], string] {
  const open = Math.max(before.lastIndexOf('('), before.lastIndexOf('['), before.lastIndexOf('{'));
  const names = before[open] === '[' ? types : before[open] === '{' ? keys : labels;
  return matching(names.map(symbolText), word, '');
}

function matching(names: readonly string[], word: string, prefix: string): [string[], string] {
  const start = word.toLowerCase();
  return [names.filter((name) => name.replace(/^`/, '').toLowerCase().startsWith(start)).map((name) => prefix + name), prefix + word];
}

/**
 * The lexer: text to tokens, in one pass and linear time. A lexical fault becomes the last token, so that the tokens
 * before it are parsed, and their faults reported, first.
 */
import { countWork, GraphDBError } from '../../base/index.ts';
import { syntaxFault } from '../faults.ts';
import { identifierEnd, isDigit, isIdentifierPart, isIdentifierStart, isSpace } from './characters.ts';
import { scanNumber } from './numbers.ts';
import { scanQuotedName, scanString } from './strings.ts';
import type { Token, TokenKind } from './token.ts';

const PAIRS = new Set(['..', '::', '<=', '>=', '<>', '=~', '+=', '||', '!=']);

/** Splits a text into tokens, of which the last is `end` or `fault`. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  try {
    let offset = skipBlank(text, 0);
    while (offset < text.length) {
      countWork(1);
      const token = scanToken(text, offset);
      tokens.push(token);
      offset = skipBlank(text, token.end);
    }
    tokens.push(token('end', text.length, text.length, ''));
  } catch (error) {
    if (!(error instanceof GraphDBError) || error.code !== 'SYNTAX_ERROR') throw error;
    const last = tokens.at(-1)?.end ?? 0;
    tokens.push({ ...token('fault', last, text.length, ''), fault: error });
  }
  matchBrackets(tokens);
  return tokens;
}

function token(kind: TokenKind, start: number, end: number, text: string): Token {
  return { kind, start, end, text, keyword: '', value: null, match: -1, fault: null };
}

function scanToken(text: string, start: number): Token {
  const code = text.codePointAt(start)!;
  if (isIdentifierStart(code)) return scanName(text, start);
  if (isDigit(code)) return numberToken(text, start);
  switch (text[start]) {
    case "'":
    case '"': {
      const string = scanString(text, start);
      return token('string', start, string.end, string.value);
    }
    case '`': {
      const name = scanQuotedName(text, start);
      return token('name', start, name.end, name.value);
    }
    case '$':
      return scanParameter(text, start);
    case '.':
      if (isDigit(text.charCodeAt(start + 1))) return numberToken(text, start);
      break;
  }
  const pair = text.slice(start, start + 2);
  if (PAIRS.has(pair)) return token('symbol', start, start + 2, pair);
  const end = start + (code > 0xffff ? 2 : 1);
  return token('symbol', start, end, text.slice(start, end));
}

function scanName(text: string, start: number): Token {
  const end = identifierEnd(text, start);
  const name = text.slice(start, end);
  return { kind: 'name', start, end, text: name, keyword: isAscii(name) ? name.toUpperCase() : '', value: null, match: -1, fault: null };
}

function isAscii(name: string): boolean {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) > 127) return false;
  return true;
}

function numberToken(text: string, start: number): Token {
  const number = scanNumber(text, start);
  return {
    kind: number.kind,
    start,
    end: number.end,
    text: text.slice(start, number.end),
    keyword: '',
    value: number.value,
    match: -1,
    fault: null,
  };
}

/** Scans `$name`, `$1` or `` $`any name` ``; any other `$` is a symbol (`$(…)` in labels). */
function scanParameter(text: string, start: number): Token {
  if (text[start + 1] === '`') {
    const name = scanQuotedName(text, start + 1);
    return token('parameter', start, name.end, name.value);
  }
  const end = isIdentifierPart(text.codePointAt(start + 1) ?? 0) ? identifierEnd(text, start + 1) : start + 1;
  return end === start + 1 ? token('symbol', start, end, '$') : token('parameter', start, end, text.slice(start + 1, end));
}

/** Skips white space and comments. */
function skipBlank(text: string, from: number): number {
  let i = from;
  for (;;) {
    while (i < text.length && isSpace(text.charCodeAt(i))) i++;
    if (text[i] !== '/') return i;
    if (text[i + 1] === '/') {
      while (i < text.length && text[i] !== '\n' && text[i] !== '\r') i++;
    } else if (text[i + 1] === '*') {
      const close = text.indexOf('*/', i + 2);
      if (close < 0) throw syntaxFault(text, i, 'UnexpectedSyntax', 'this comment is not closed: expected */ before the end of the query');
      i = close + 2;
    } else return i;
  }
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Sets `match` of every opening bracket that is closed. A closing bracket that does not fit is ignored. */
function matchBrackets(tokens: Token[]): void {
  const open: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (kind !== 'symbol') continue;
    if (CLOSING[text] !== undefined) open.push(i);
    else if (text === ')' || text === ']' || text === '}') {
      const opening = open.at(-1);
      if (opening === undefined || CLOSING[tokens[opening]!.text] !== text) continue;
      tokens[opening]!.match = i;
      open.pop();
    }
  }
}

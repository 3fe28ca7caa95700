/** String literals in either quote, with the escapes \\ \' \" \` \b \f \n \r \t \/ \uXXXX \UXXXXXXXX, and names in backticks. */
import { syntaxFault } from '../faults.ts';

/** A string literal and the offset after it. */
export interface ScannedString {
  readonly end: number;
  readonly value: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** The number of pieces at which a string is joined: appending them one by one would leave a tree of as many nodes. */
const MOST_PIECES = 2_048;

/** Scans a string. `start` must be at the opening quote. */
export function scanString(text: string, start: number): ScannedString {
  const quote = text[start]!;
  let value = '';
  let pieces: string[] = [];
  let copied = start + 1;
  for (let i = start + 1; ; ) {
    const character = text[i];
    if (character === undefined) {
      throw syntaxFault(text, start, 'UnexpectedSyntax', `this string is not closed: expected ${quote} before the end of the query`);
    }
    if (character === quote) {
      value += pieces.join('') + text.slice(copied, i);
      if (!value.isWellFormed()) throw loneSurrogate(text, start);
      return { end: i + 1, value };
    }
    if (character === '\\') {
      if (i > copied) pieces.push(text.slice(copied, i));
      const escape = scanEscape(text, i);
      pieces.push(escape.value);
      if (pieces.length > MOST_PIECES) {
        value += pieces.join('');
        pieces = [];
      }
      i = escape.end;
      copied = i;
    } else i++;
  }
}

/** Scans an escape. `start` must be at the backslash. */
function scanEscape(text: string, start: number): ScannedString {
  const letter = text[start + 1];
  if (letter === 'u' || letter === 'U') return scanUnicodeEscape(text, start, letter === 'u' ? 4 : 8);
  const value = letter === undefined ? undefined : ESCAPES[letter];
  if (value === undefined) {
    throw syntaxFault(
      text,
      start,
      'UnexpectedSyntax',
      `unknown escape \`\\${letter ?? ''}\` in a string; a backslash itself is written \\\\`,
    );
  }
  return { end: start + 2, value };
}

function scanUnicodeEscape(text: string, start: number, digits: 4 | 8): ScannedString {
  const end = start + 2 + digits;
  const hex = text.slice(start + 2, end);
  const code = hex.length === digits && /^[0-9a-f]+$/i.test(hex) ? Number.parseInt(hex, 16) : -1;
  if (code < 0 || code > 0x10ffff) {
    throw syntaxFault(
      text,
      start,
      'InvalidUnicodeLiteral',
      `\`${text.slice(start, end)}\` is no character: write \\u and 4 hexadecimal digits, or \\U and 8`,
    );
  }
  return { end, value: digits === 4 ? String.fromCharCode(code) : String.fromCodePoint(code) };
}

function loneSurrogate(text: string, start: number) {
  return syntaxFault(text, start, 'InvalidUnicodeLiteral', 'this string holds half a character (a surrogate without its pair)');
}

/** Scans a name in backticks; a doubled backtick inside stands for one. `start` must be at the opening backtick. */
export function scanQuotedName(text: string, start: number): ScannedString {
  let value = '';
  for (let i = start + 1; ; ) {
    const close = text.indexOf('`', i);
    if (close < 0) throw syntaxFault(text, start, 'UnexpectedSyntax', 'this name is not closed: expected ` before the end of the query');
    value += text.slice(i, close);
    if (text[close + 1] !== '`') {
      if (!value.isWellFormed()) throw loneSurrogate(text, start);
      return { end: close + 1, value };
    }
    value += '`';
    i = close + 2;
  }
}

/** Tokens of Lucene's classic query grammar. Escapes stay in their text; the code that uses a token removes them. */
import { GraphDBError } from '../../base/index.ts';

/** A name of a token. */
export type TokenName =
  | 'end'
  | 'and'
  | 'or'
  | 'not'
  | 'plus'
  | 'minus'
  /** A `+`, `-` or `!` before a space, which is a word. */
  | 'bare'
  | 'open'
  | 'close'
  | 'colon'
  | 'star'
  | 'caret'
  | 'quoted'
  | 'term'
  | 'fuzzy'
  | 'prefix'
  | 'wildcard'
  | 'regex'
  | 'range';

/** A token of a query. */
export interface QueryToken {
  readonly name: TokenName;
  readonly text: string;
  /** Where the token begins, in code units of the query. */
  readonly at: number;
}

const SPACE = /[ \t\n\r\u3000]+/y;
const WORD_START = String.raw`(?:[^ \t\n\r\u3000+\-!():^[\]"{}~*?\\/]|\\[\s\S])`;
const WORD_PART = String.raw`(?:[^ \t\n\r\u3000!():^[\]"{}~*?\\/]|\\[\s\S])`;
const QUOTED = String.raw`"(?:[^"\\]|\\[\s\S])*"`;

/** The pattern of each token. The longest match wins, the first one among equals. */
const PATTERNS: readonly (readonly [TokenName, RegExp])[] = [
  ['and', /AND|&&/y],
  ['or', /OR|\|\|/y],
  ['not', /NOT|!/y],
  ['plus', /\+/y],
  ['minus', /-/y],
  ['bare', /[+\-!][ \t\n\r\u3000]/y],
  ['open', /\(/y],
  ['close', /\)/y],
  ['colon', /:/y],
  ['star', /\*/y],
  ['caret', /\^/y],
  ['quoted', new RegExp(QUOTED, 'y')],
  ['term', new RegExp(`${WORD_START}${WORD_PART}*`, 'y')],
  ['fuzzy', /~(?:[0-9]+(?:\.[0-9]+)?)?/y],
  ['prefix', new RegExp(String.raw`${WORD_START}${WORD_PART}*\*`, 'y')],
  ['wildcard', new RegExp(`(?:${WORD_START}|[*?])(?:${WORD_PART}|[*?])*`, 'y')],
  ['regex', /\/(?:[^/\\]|\\[\s\S])*\//y],
  ['range', /[[{]/y],
];

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** Returns an ARGUMENT_ERROR that names the place, as a character counted from 1. */
export function queryFault(query: string, at: number, problem: string): GraphDBError {
  const shown = query.length > 200 ? `${query.slice(0, 200)}…` : query;
  const hint = 'a sign of the query language that is meant as text is written with \\ before it';
  return new GraphDBError('ARGUMENT_ERROR', `the full-text query cannot be read at character ${at + 1}: ${problem}; ${hint}: ${shown}`);
}

/** The tokens of a query, one after the other, with lookahead. */
export class QueryTokens {
  readonly text: string;
  readonly #tokens: QueryToken[] = [];
  #at = 0;
  #next = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns a token without taking it. @param ahead 0: the next token; 1: the one after it, and so on */
  peek(ahead = 0): QueryToken {
    while (this.#tokens.length <= this.#next + ahead) this.#tokens.push(this.#read());
    return this.#tokens[this.#next + ahead] as QueryToken;
  }

  take(): QueryToken {
    const token = this.peek();
    this.#next++;
    return token;
  }

  /** Takes the next token if it has this name; null: it has another one. */
  takeIf(name: TokenName): QueryToken | null {
    return this.peek().name === name ? this.take() : null;
  }

  #read(): QueryToken {
    this.#at += matchAt(SPACE, this.text, this.#at)?.length ?? 0;
    const at = this.#at;
    if (at >= this.text.length) return { name: 'end', text: '', at };
    let [name, longest]: [TokenName | null, string] = [null, ''];
    for (const [candidate, pattern] of PATTERNS) {
      const found = matchAt(pattern, this.text, at);
      if (found !== null && found.length > longest.length) [name, longest] = [candidate, found];
    }
    if (name === null) throw queryFault(this.text, at, this.#unreadable(at));
    this.#at = at + longest.length;
    return { name, text: longest, at };
  }

  #unreadable(at: number): string {
    const sign = this.text[at] as string;
    if (sign === '"') return 'a phrase has no end: the closing " is missing';
    if (sign === '/') return 'a regular expression has no end: the closing / is missing';
    if (sign === '\\') return 'nothing follows the \\';
    return `${sign} cannot stand here`;
  }

  /**
   * Reads text that a pattern matches right after the last token, and spaces before it; null: something else stands
   * there. No token may have been read ahead.
   */
  readRaw(pattern: RegExp): { readonly text: string; readonly at: number } | null {
    this.#at += matchAt(SPACE, this.text, this.#at)?.length ?? 0;
    const at = this.#at;
    const text = matchAt(pattern, this.text, at);
    if (text === null) return null;
    this.#at += text.length;
    return { text, at };
  }

  get at(): number {
    return this.#at;
  }
}

/** Matches a bound of a range in quotes. */
export const RANGE_QUOTED = new RegExp(QUOTED, 'y');

/** Matches a bound of a range that is a word. */
export const RANGE_WORD = /[^ \]}]+/y;

/** Matches the TO of a range. */
export const RANGE_TO = /TO(?![^ \]}"])/y;

/** Matches the end of a range. */
export const RANGE_END = /[\]}]/y;

/** Matches the number of a boost. */
export const BOOST = /[0-9]+(?:\.[0-9]+)?/y;

/** Removes the escapes of a text: `\` before a character, and `\uXXXX`. */
export function unescaped(tokens: QueryTokens, text: string, at: number): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))?/g, (_, code: string | undefined, sign: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (sign === 'u') throw queryFault(tokens.text, at, '\\u is followed by four hexadecimal digits');
    return sign ?? '';
  });
}

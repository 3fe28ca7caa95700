/**
 * The position of the parser: a reader over tokens with lookahead. It remembers which tokens were asked for in vain, so
 * that a fault can say what was expected, and limits the nesting of hostile texts.
 */
import type { GraphDBError } from '../../base/index.ts';
import type { Span } from '../ast.ts';
import { type SyntaxDetail, syntaxFault } from '../faults.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { nearestName } from '../suggest.ts';
import { syntaxHint } from './syntax-hints.ts';

/** The deepest nesting of brackets, subqueries and prefix operators, which keeps recursion far from the end of the stack. */
const MAX_NESTING = 200;

/** All keywords of the grammar, for suggestions. */
const KEYWORDS = (
  'ALL AND ANY AS ASC ASCENDING BY CALL CASE CONSTRAINT CONTAINS COUNT CREATE DELETE DESC DESCENDING DETACH ' +
  'DISTINCT DROP ELSE END ENDS EXISTS EXPLAIN FINISH FOREACH IN INDEX IS LIMIT LOAD MATCH MERGE NODETACH NONE ' +
  'NOT NULL OFFSET ON OPTIONAL OR ORDER PROFILE REMOVE REQUIRE RETURN SET SHOW SINGLE SKIP STARTS THEN UNION ' +
  'UNWIND WHEN WHERE WITH XOR YIELD'
).split(' ');

/** A reader over tokens that can look ahead. */
export class Cursor {
  readonly text: string;
  /** True inside a comprehension, where a bare `|` ends the expression instead of continuing a label expression. */
  barEnds = false;
  #tokens: readonly Token[];
  #index = 0;
  #expected: string[] = [];
  #nesting = 0;

  constructor(text: string) {
    this.text = text;
    this.#tokens = tokenize(text);
  }

  get tokenCount(): number {
    return this.#tokens.length;
  }

  get index(): number {
    return this.#index;
  }

  get current(): Token {
    return this.#tokens[this.#index]!;
  }

  /** Returns the token `distance` places ahead; the last one beyond the end. */
  peek(distance: number): Token {
    return this.#tokens[Math.min(this.#index + distance, this.#tokens.length - 1)]!;
  }

  tokenAt(index: number): Token {
    return this.#tokens[Math.min(index, this.#tokens.length - 1)]!;
  }

  /** The offset after the last token that was read. */
  get previousEnd(): number {
    return this.#index === 0 ? 0 : this.#tokens[this.#index - 1]!.end;
  }

  spanFrom(start: number): Span {
    return { start, end: this.previousEnd };
  }

  advance(): Token {
    const token = this.current;
    if (token.kind === 'fault') throw token.fault!;
    if (token.kind !== 'end') this.#index++;
    this.#expected = [];
    return token;
  }

  // ---- signs

  isSymbol(text: string, distance = 0): boolean {
    const token = this.peek(distance);
    return token.kind === 'symbol' && token.text === text;
  }

  acceptSymbol(text: string): boolean {
    if (!this.isSymbol(text)) {
      this.#expected.push(`'${text}'`);
      return false;
    }
    this.advance();
    return true;
  }

  expectSymbol(text: string): Token {
    const token = this.current;
    if (!this.acceptSymbol(text)) throw this.unexpected();
    return token;
  }

  // ---- keywords

  isKeyword(keyword: string, distance = 0): boolean {
    const token = this.peek(distance);
    return token.kind === 'name' && token.keyword === keyword;
  }

  /** Tells whether the next tokens are these keywords. */
  isKeywords(...keywords: readonly string[]): boolean {
    return keywords.every((keyword, i) => this.isKeyword(keyword, i));
  }

  acceptKeyword(keyword: string): boolean {
    if (!this.isKeyword(keyword)) {
      this.#expected.push(keyword);
      return false;
    }
    this.advance();
    return true;
  }

  /** Reads these keywords if all of them come next. Returns false, and reads nothing, otherwise. */
  acceptKeywords(...keywords: readonly string[]): boolean {
    if (!this.isKeywords(...keywords)) {
      this.#expected.push(keywords.join(' '));
      return false;
    }
    for (const _ of keywords) this.advance();
    return true;
  }

  acceptAnyKeyword(...keywords: readonly string[]): boolean {
    return keywords.some((keyword) => this.acceptKeyword(keyword));
  }

  expectKeyword(keyword: string): Token {
    const token = this.current;
    if (!this.acceptKeyword(keyword)) throw this.unexpected();
    return token;
  }

  expectAnyKeyword(...keywords: readonly string[]): Token {
    const token = this.current;
    if (!this.acceptAnyKeyword(...keywords)) throw this.unexpected();
    return token;
  }

  // ---- other tokens

  isKind(kind: Token['kind'], distance = 0): boolean {
    return this.peek(distance).kind === kind;
  }

  /** Reads a token of the kind; `what` describes it in messages: `a label`. @throws SYNTAX_ERROR for another token */
  expectKind(kind: Token['kind'], what: string): Token {
    if (!this.isKind(kind)) throw this.unexpected(what);
    return this.advance();
  }

  expectName(what: string): string {
    return this.expectKind('name', what).text;
  }

  // ---- nesting

  /** Runs `parse` one level of nesting deeper. @throws SYNTAX_ERROR beyond MAX_NESTING */
  nested<T>(parse: () => T): T {
    if (++this.#nesting > MAX_NESTING) throw this.tooDeep();
    const result = parse();
    this.#nesting--;
    return result;
  }

  /** Runs `parse` inside brackets: one level deeper, and with `|` as part of label expressions again. */
  bracketed<T>(parse: () => T): T {
    const barEnds = this.barEnds;
    this.barEnds = false;
    const result = this.nested(parse);
    this.barEnds = barEnds;
    return result;
  }

  tooDeep(): GraphDBError {
    return syntaxFault(
      this.text,
      this.current.start,
      'UnexpectedSyntax',
      `the query is nested too deeply here (more than ${MAX_NESTING} levels)`,
    );
  }

  // ---- faults

  fault(token: Token, detail: SyntaxDetail, message: string): GraphDBError {
    return syntaxFault(this.text, token.start, detail, message);
  }

  /** Returns the fault of an unexpected current token. `what` is added to the list of what was expected. */
  unexpected(...what: readonly string[]): GraphDBError {
    const token = this.current;
    if (token.kind === 'fault') return token.fault!;
    const expected = [...new Set([...this.#expected, ...what])];
    const wanted = expected.length === 0 ? '' : `, expected ${alternatives(expected)}`;
    const meant = this.#probablyMeant(token, expected);
    return syntaxFault(
      this.text,
      token.start,
      isForeign(token) ? 'InvalidUnicodeCharacter' : 'UnexpectedSyntax',
      `unexpected ${describe(token)}${wanted}${meant}`,
    );
  }

  #probablyMeant(token: Token, expected: readonly string[]): string {
    const known = syntaxHint(this.text, token, expected);
    if (known !== null) return `; ${known}`;
    // A keyword in the wrong place is no misspelling of another one.
    if (token.keyword === '' || KEYWORDS.includes(token.keyword)) return '';
    const keywords = expected.filter((each) => /^[A-Z ]+$/.test(each)).flatMap((each) => each.split(' '));
    const nearest = nearestName(token.keyword, keywords) ?? nearestName(token.keyword, KEYWORDS);
    return nearest === null ? '' : ` (did you mean ${nearest}?)`;
  }
}

function isForeign(token: Token): boolean {
  return token.kind === 'symbol' && token.text.charCodeAt(0) > 127;
}

function alternatives(expected: readonly string[]): string {
  const shown = expected.length > 8 ? [...expected.slice(0, 8), 'something else'] : expected;
  return shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}

function describe(token: Token): string {
  if (token.kind === 'end') return 'end of the query';
  if (token.kind === 'string') return `string '${shorten(token.text)}'`;
  if (token.kind === 'parameter') return `parameter $${shorten(token.text)}`;
  return `'${shorten(token.text)}'`;
}

function shorten(text: string): string {
  return text.length > 30 ? `${text.slice(0, 30).toWellFormed()}…` : text.toWellFormed();
}

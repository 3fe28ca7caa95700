/** Function calls, with their namespaces, and the few functions that have a syntax of their own. */
import { isNamed } from '../../../functions/index.ts';
import type { Expression, FunctionCall } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { isQuantifierAhead, isReduceAhead, parseQuantifier, parseReduce } from './comprehensions.ts';
import { parseBracketed } from './expressions.ts';

/** Tells whether a call such as `name(` or `space.name(` comes next. */
export function isCallAhead(cursor: Cursor): boolean {
  let distance = 1;
  while (cursor.isSymbol('.', distance) && cursor.isKind('name', distance + 1)) distance += 2;
  return cursor.isSymbol('(', distance);
}

/** Parses a call of a function. */
export function parseCall(cursor: Cursor): Expression {
  if (isQuantifierAhead(cursor)) return parseQuantifier(cursor);
  if (isReduceAhead(cursor)) return parseReduce(cursor);
  const { start } = cursor.current;
  const name = parseDottedName(cursor, 'a function');
  cursor.expectSymbol('(');
  const call = parseArguments(cursor, name, start);
  cursor.expectSymbol(')');
  return { ...call, span: cursor.spanFrom(start) };
}

/** Parses a name with dots in it. */
export function parseDottedName(cursor: Cursor, what: string): string {
  let name = cursor.expectName(what);
  while (cursor.isSymbol('.')) {
    cursor.advance();
    name += `.${cursor.expectName(what)}`;
  }
  return name;
}

function parseArguments(cursor: Cursor, name: string, start: number): Expression {
  if (isNamed(name, 'count') && cursor.isSymbol('*')) {
    cursor.advance();
    return { kind: 'countStar', span: cursor.spanFrom(start) };
  }
  if (isNamed(name, 'trim') && isTrimSpecification(cursor)) return parseTrim(cursor, start);
  const distinct = cursor.isKeyword('DISTINCT') && !cursor.isSymbol(')', 1) && !cursor.isSymbol(',', 1);
  if (distinct) cursor.advance();
  else if (cursor.isKeyword('ALL') && isExpressionStart(cursor, 1)) cursor.advance();
  const args: Expression[] = [];
  if (!cursor.isSymbol(')')) {
    do args.push(isBareWord(cursor, name, args.length) ? parseBareWord(cursor) : parseBracketed(cursor));
    while (cursor.acceptSymbol(','));
  }
  return call(cursor, { name, start, distinct, args });
}

interface CallParts {
  readonly name: string;
  readonly start: number;
  readonly distinct: boolean;
  readonly args: readonly Expression[];
}

function call(cursor: Cursor, { name, start, distinct, args }: CallParts): FunctionCall {
  return { kind: 'function', name, distinct, arguments: args, span: cursor.spanFrom(start) };
}

/** Tells whether the word before a name is a set quantifier, as in `count(ALL x)`. */
function isExpressionStart(cursor: Cursor, distance: number): boolean {
  return cursor.isKind('name', distance);
}

/** Arguments that are keywords: `normalize(text, NFC)`, `vector(list, 3, FLOAT32)`, `vector_distance(a, b, COSINE)`. */
const BARE_WORDS = [
  { name: 'normalize', position: 1, words: /^NFK?[CD]$/ },
  { name: 'vector', position: 2, words: /^(FLOAT|FLOAT32|FLOAT64|INTEGER|INT|(INTEGER|INT)(8|16|32|64))$/ },
  { name: 'vector_distance', position: 2, words: /^(EUCLIDEAN|EUCLIDEAN_SQUARED|MANHATTAN|COSINE|DOT|HAMMING)$/ },
  { name: 'vector_norm', position: 1, words: /^(EUCLIDEAN|MANHATTAN)$/ },
] as const;

function isBareWord(cursor: Cursor, function_: string, at: number): boolean {
  const { keyword } = cursor.current;
  const isEnd = cursor.isSymbol(')', 1) || cursor.isSymbol(',', 1);
  return isEnd && BARE_WORDS.some(({ name, position, words }) => position === at && isNamed(function_, name) && words.test(keyword));
}

function parseBareWord(cursor: Cursor): Expression {
  const token = cursor.advance();
  return { kind: 'literal', value: token.keyword, span: { start: token.start, end: token.end } };
}

/** Tells whether the arguments are those of `trim(BOTH 'x' FROM text)`. */
function isTrimSpecification(cursor: Cursor): boolean {
  return ['BOTH', 'LEADING', 'TRAILING'].includes(cursor.current.keyword) && !cursor.isKind('symbol', 1);
}

function parseTrim(cursor: Cursor, start: number): FunctionCall {
  const side = cursor.advance().keyword;
  const name = side === 'BOTH' ? 'btrim' : side === 'LEADING' ? 'ltrim' : 'rtrim';
  const characters = cursor.isKeyword('FROM') ? [] : [parseBracketed(cursor)];
  cursor.expectKeyword('FROM');
  return call(cursor, { name, start, distinct: false, args: [parseBracketed(cursor), ...characters] });
}

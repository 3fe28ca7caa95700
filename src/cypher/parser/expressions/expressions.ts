/**
 * Expressions by precedence climbing, from the loosest operators to the tightest:
 *
 *   OR · XOR · AND · NOT · = <> < <= > >= (chained) · IN, STARTS WITH, ENDS WITH, CONTAINS, =~, IS … · + - || · * / % ·
 *     ^ · unary + - · lookups
 *
 * All binary operators group to the left. AND, OR, XOR, comparisons and arithmetic operators of one level become flat
 * nodes.
 */
import { makeFloat, makeInteger, toNumber } from '../../../value/index.ts';
import { arithmeticChain } from '../../arithmetic-chain.ts';
import type { ArithmeticOperator, BinaryOperator, ComparisonOperator, Expression, Literal, LogicalExpression } from '../../ast.ts';
import { overflow } from '../../lexer/numbers.ts';
import type { Token } from '../../lexer/token.ts';
import type { Cursor } from '../cursor.ts';
import { parseAtom } from './atoms.ts';
import { parseIs, parseTypeSuffix } from './is-predicates.ts';
import { parsePostfix } from './postfix.ts';

const OR = 1;
const XOR = 2;
const AND = 3;
const NOT = 4;
const COMPARISON = 5;
const PREDICATE = 6;
const ADDITION = 7;
const MULTIPLICATION = 8;
const POWER = 9;
const UNARY = 10;

const SYMBOL_LEVELS: Readonly<Record<string, number>> = {
  '=': COMPARISON,
  '<>': COMPARISON,
  '<': COMPARISON,
  '<=': COMPARISON,
  '>': COMPARISON,
  '>=': COMPARISON,
  '!=': COMPARISON,
  '=~': PREDICATE,
  '::': PREDICATE,
  '+': ADDITION,
  '-': ADDITION,
  '||': ADDITION,
  '*': MULTIPLICATION,
  '/': MULTIPLICATION,
  '%': MULTIPLICATION,
  '^': POWER,
};

const KEYWORD_LEVELS: Readonly<Record<string, number>> = {
  OR,
  XOR,
  AND,
  IN: PREDICATE,
  STARTS: PREDICATE,
  ENDS: PREDICATE,
  CONTAINS: PREDICATE,
  IS: PREDICATE,
};

/** Parses an expression. */
export function parseExpression(cursor: Cursor): Expression {
  return cursor.nested(() => parseAt(cursor, OR));
}

/** Parses an expression inside brackets of any kind. */
export function parseBracketed(cursor: Cursor): Expression {
  return cursor.bracketed(() => parseAt(cursor, OR));
}

function parseAt(cursor: Cursor, level: number): Expression {
  let left = parsePrefix(cursor);
  for (;;) {
    const operatorLevel = levelOf(cursor.current);
    if (operatorLevel < level) return left;
    left = parseOperator(cursor, left, operatorLevel);
  }
}

/** Returns the level of an operator; 0 for any other token. */
function levelOf(token: Token): number {
  if (token.kind === 'symbol') return SYMBOL_LEVELS[token.text] ?? 0;
  return token.kind === 'name' ? (KEYWORD_LEVELS[token.keyword] ?? 0) : 0;
}

/**
 * Tells whether a comparison or predicate without its left side comes next, as in `CASE n.age WHEN < 5`. A keyword of
 * an operator is a name instead if THEN, a comma or a dot follows.
 */
export function isPredicateAhead(cursor: Cursor): boolean {
  const level = levelOf(cursor.current);
  if (level !== COMPARISON && level !== PREDICATE) return false;
  return cursor.isKind('symbol') || !(cursor.isKeyword('THEN', 1) || cursor.isSymbol(',', 1) || cursor.isSymbol('.', 1));
}

/** Parses an operator and its right side, where `subject` is the left side. */
export function parsePredicateOf(cursor: Cursor, subject: Expression): Expression {
  return parseOperator(cursor, subject, levelOf(cursor.current));
}

function parsePrefix(cursor: Cursor): Expression {
  const { start } = cursor.current;
  if (cursor.isKeyword('NOT')) {
    cursor.advance();
    const operand = cursor.nested(() => parseAt(cursor, NOT));
    return { kind: 'unary', operator: 'not', operand, span: cursor.spanFrom(start) };
  }
  if (cursor.isSymbol('-') || cursor.isSymbol('+')) return parseSign(cursor);
  return parsePostfix(cursor, parseAtom(cursor));
}

function parseSign(cursor: Cursor): Expression {
  const sign = cursor.advance();
  if (sign.text === '-' && isPlainNumber(cursor)) return negativeLiteral(cursor, sign);
  const operand = cursor.nested(() => parseAt(cursor, UNARY));
  return { kind: 'unary', operator: sign.text as '-' | '+', operand, span: cursor.spanFrom(sign.start) };
}

/** Tells whether a number comes next that is not the subject of a lookup. */
function isPlainNumber(cursor: Cursor): boolean {
  if (!cursor.isKind('integer') && !cursor.isKind('float')) return false;
  return !cursor.isSymbol('.', 1) && !cursor.isSymbol('[', 1) && !cursor.isSymbol(':', 1);
}

function negativeLiteral(cursor: Cursor, sign: Token): Literal {
  const number = cursor.advance();
  const value = number.value!;
  const negated = number.kind === 'float' ? makeFloat(-toNumber(value)) : makeInteger(-BigInt(value as number | bigint));
  return { kind: 'literal', value: negated, span: cursor.spanFrom(sign.start) };
}

/** Returns the value of an integer token that has no minus before it. @throws SYNTAX_ERROR for 2^63 */
export function integerValue(cursor: Cursor, token: Token): number | bigint {
  if (token.value === 2n ** 63n) throw overflow(cursor.text, token.start, token.text);
  return token.value as number | bigint;
}

function parseOperator(cursor: Cursor, left: Expression, level: number): Expression {
  switch (level) {
    case OR:
      return parseLogical(cursor, left, { operator: 'or', keyword: 'OR', level });
    case XOR:
      return parseLogical(cursor, left, { operator: 'xor', keyword: 'XOR', level });
    case AND:
      return parseLogical(cursor, left, { operator: 'and', keyword: 'AND', level });
    case COMPARISON:
      return parseComparison(cursor, left);
    case PREDICATE:
      return parsePredicate(cursor, left);
  }
  return parseArithmetic(cursor, left, level);
}

function parseArithmetic(cursor: Cursor, left: Expression, level: number): Expression {
  const operators: ArithmeticOperator[] = [];
  const operands: Expression[] = [];
  while (levelOf(cursor.current) === level) {
    operators.push(cursor.advance().text as ArithmeticOperator);
    operands.push(parseAt(cursor, level + 1));
  }
  return arithmeticChain(left, { operators, operands }, cursor.spanFrom(left.span.start));
}

function binary(cursor: Cursor, left: Expression, operator: BinaryOperator, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, span: cursor.spanFrom(left.span.start) };
}

interface Logical {
  readonly operator: LogicalExpression['operator'];
  readonly keyword: string;
  readonly level: number;
}

function parseLogical(cursor: Cursor, left: Expression, { operator, keyword, level }: Logical): Expression {
  const operands = [left];
  while (cursor.isKeyword(keyword)) {
    cursor.advance();
    operands.push(parseAt(cursor, level + 1));
  }
  return { kind: 'logical', operator, operands, span: cursor.spanFrom(left.span.start) };
}

function parseComparison(cursor: Cursor, left: Expression): Expression {
  const operands = [left];
  const operators: ComparisonOperator[] = [];
  while (levelOf(cursor.current) === COMPARISON) {
    const token = cursor.current;
    if (token.text === '!=') throw cursor.fault(token, 'UnexpectedSyntax', "unexpected '!=': inequality is written <>");
    operators.push(token.text as ComparisonOperator);
    cursor.advance();
    operands.push(parseAt(cursor, COMPARISON + 1));
  }
  return { kind: 'comparison', operands, operators, span: cursor.spanFrom(left.span.start) };
}

function parsePredicate(cursor: Cursor, left: Expression): Expression {
  const token = cursor.advance();
  switch (token.kind === 'name' ? token.keyword : token.text) {
    case 'IN':
      return binary(cursor, left, 'in', parseAt(cursor, ADDITION));
    case 'STARTS':
      cursor.expectKeyword('WITH');
      return binary(cursor, left, 'startsWith', parseAt(cursor, ADDITION));
    case 'ENDS':
      cursor.expectKeyword('WITH');
      return binary(cursor, left, 'endsWith', parseAt(cursor, ADDITION));
    case 'CONTAINS':
      return binary(cursor, left, 'contains', parseAt(cursor, ADDITION));
    case '=~':
      return binary(cursor, left, '=~', parseAt(cursor, ADDITION));
    case '::':
      return parseTypeSuffix(cursor, left, false);
  }
  return parseIs(cursor, left);
}

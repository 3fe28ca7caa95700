/**
 * Predicates after IS: `NULL`, `:: TYPE`, `TYPED`, `NORMALIZED`, `LABELED`, each also after NOT; a label expression;
 * and the names of types.
 */
import type { Expression, IsNormalized, ValueType } from '../../ast.ts';
import { nearestName } from '../../suggest.ts';
import type { Cursor } from '../cursor.ts';
import { parseLabelExpression } from '../labels.ts';

/** Parses a predicate after IS. */
export function parseIs(cursor: Cursor, operand: Expression): Expression {
  const negated = cursor.acceptKeyword('NOT');
  const { start } = operand.span;
  if (cursor.acceptKeyword('NULL')) return { kind: 'isNull', operand, negated, span: cursor.spanFrom(start) };
  if (cursor.acceptSymbol('::') || cursor.acceptKeyword('TYPED')) return parseTypeSuffix(cursor, operand, negated);
  if (cursor.acceptKeyword('LABELED')) {
    const labels = parseLabelExpression(cursor);
    const test: Expression = { kind: 'hasLabels', subject: operand, labels, span: cursor.spanFrom(start) };
    return negated ? { kind: 'unary', operator: 'not', operand: test, span: test.span } : test;
  }
  if (!negated && isLabelAhead(cursor)) {
    const labels = parseLabelExpression(cursor);
    return { kind: 'hasLabels', subject: operand, labels, span: cursor.spanFrom(start) };
  }
  const form = parseForm(cursor);
  if (cursor.acceptKeyword('NORMALIZED')) return { kind: 'isNormalized', operand, form, negated, span: cursor.spanFrom(start) };
  throw cursor.unexpected();
}

/**
 * Tells whether a label expression comes next, as in `n IS Person`. A name close to a keyword that may follow IS is
 * none, unless in backticks.
 */
function isLabelAhead(cursor: Cursor): boolean {
  const { kind, keyword } = cursor.current;
  if (kind === 'symbol') return ['(', '!', '%', '$'].some((sign) => cursor.isSymbol(sign));
  return kind === 'name' && nearestName(keyword, AFTER_IS) === null && !AFTER_IS.includes(keyword);
}

const AFTER_IS = ['NOT', 'NULL', 'NORMALIZED', 'NFC', 'NFD', 'NFKC', 'NFKD', 'TYPED', 'LABELED', 'UNIQUE', 'EMPTY', 'TRUE', 'FALSE'];

function parseForm(cursor: Cursor): IsNormalized['form'] {
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
    if (cursor.isKeyword(form)) {
      cursor.advance();
      return form;
    }
  }
  return 'NFC';
}

/** Parses a type after `::` or TYPED. */
export function parseTypeSuffix(cursor: Cursor, operand: Expression, negated: boolean): Expression {
  const type = parseValueType(cursor);
  return { kind: 'isTyped', operand, type, negated, span: cursor.spanFrom(operand.span.start) };
}

/** Names of types, of one or more words, longest first, each with its canonical name. */
const TYPE_NAMES: readonly (readonly [words: readonly string[], name: string])[] = (
  [
    ['TIMESTAMP WITHOUT TIME ZONE', 'LOCAL DATETIME'],
    ['TIMESTAMP WITH TIME ZONE', 'ZONED DATETIME'],
    ['TIME WITHOUT TIME ZONE', 'LOCAL TIME'],
    ['TIME WITH TIME ZONE', 'ZONED TIME'],
    ['LOCAL DATETIME', 'LOCAL DATETIME'],
    ['ZONED DATETIME', 'ZONED DATETIME'],
    ['LOCAL TIME', 'LOCAL TIME'],
    ['ZONED TIME', 'ZONED TIME'],
    ['SIGNED INTEGER', 'INTEGER'],
    ['PROPERTY VALUE', 'PROPERTY VALUE'],
    ['ANY PROPERTY VALUE', 'PROPERTY VALUE'],
    ['ANY RELATIONSHIP', 'RELATIONSHIP'],
    ['ANY EDGE', 'RELATIONSHIP'],
    ['ANY NODE', 'NODE'],
    ['ANY VERTEX', 'NODE'],
    ['ANY MAP', 'MAP'],
    ['ANY VALUE', 'ANY'],
    ['ANY', 'ANY'],
    ['BOOLEAN', 'BOOLEAN'],
    ['BOOL', 'BOOLEAN'],
    ['STRING', 'STRING'],
    ['VARCHAR', 'STRING'],
    ['INTEGER', 'INTEGER'],
    ['INT', 'INTEGER'],
    ['FLOAT', 'FLOAT'],
    ['NUMBER', 'NUMBER'],
    ['DATE', 'DATE'],
    ['DURATION', 'DURATION'],
    ['POINT', 'POINT'],
    ['NODE', 'NODE'],
    ['VERTEX', 'NODE'],
    ['RELATIONSHIP', 'RELATIONSHIP'],
    ['EDGE', 'RELATIONSHIP'],
    ['PATH', 'PATH'],
    ['MAP', 'MAP'],
    ['LIST', 'LIST'],
    ['ARRAY', 'LIST'],
    ['BYTES', 'BYTES'],
    ['VECTOR', 'VECTOR'],
    ['NOTHING', 'NOTHING'],
    ['NULL', 'NULL'],
  ] as const
)
  .map(([words, name]) => [words.split(' '), name] as const)
  .sort((a, b) => b[0].length - a[0].length);

/** Parses `INTEGER`, `LIST<STRING NOT NULL>`, `INTEGER LIST`, `INTEGER | FLOAT` or `ANY VALUE<INTEGER | FLOAT>`. */
export function parseValueType(cursor: Cursor): ValueType {
  return cursor.nested(() => {
    const alternatives = [parseSingleType(cursor)];
    while (!cursor.barEnds && cursor.acceptSymbol('|')) alternatives.push(parseSingleType(cursor));
    return alternatives.length === 1 ? alternatives[0]! : unionOf(alternatives);
  });
}

function unionOf(alternatives: readonly ValueType[]): ValueType {
  return { name: 'ANY', notNull: false, element: null, alternatives };
}

function parseSingleType(cursor: Cursor): ValueType {
  const found = TYPE_NAMES.find(([words]) => cursor.isKeywords(...words));
  if (found === undefined) throw cursor.unexpected('a type such as INTEGER or LIST<STRING>');
  for (const _ of found[0]) cursor.advance();
  let type = parseTypeArguments(cursor, found[1]);
  type = { ...type, notNull: parseNotNull(cursor) };
  while (cursor.isKeyword('LIST') || cursor.isKeyword('ARRAY')) {
    cursor.advance();
    type = { name: 'LIST', notNull: parseNotNull(cursor), element: type, alternatives: null };
  }
  return type;
}

function parseTypeArguments(cursor: Cursor, name: string): ValueType {
  if ((name === 'LIST' || name === 'ANY') && cursor.isSymbol('<')) {
    cursor.advance();
    const inner = cursor.bracketed(() => parseValueType(cursor));
    cursor.expectSymbol('>');
    return name === 'LIST'
      ? { name, notNull: false, element: inner, alternatives: null }
      : unionOf(inner.notNull ? [inner] : (inner.alternatives ?? [inner]));
  }
  const whole = name === 'VECTOR' ? vectorType(cursor) : name;
  return { name: whole, notNull: false, element: null, alternatives: null };
}

const COORDINATES = /^(FLOAT|FLOAT32|FLOAT64|INTEGER|INT|(INTEGER|INT)(8|16|32|64))$/;

/** Parses the optional `<FLOAT32>` and `(3)` after `VECTOR`, the coordinates and the dimension, which are part of the name. */
function vectorType(cursor: Cursor): string {
  let name = 'VECTOR';
  if (cursor.acceptSymbol('<')) {
    const { keyword } = cursor.current;
    if (!COORDINATES.test(keyword)) throw cursor.unexpected('a type of coordinates such as FLOAT32');
    cursor.advance();
    parseNotNull(cursor);
    cursor.expectSymbol('>');
    name += `<${keyword}>`;
  }
  if (!cursor.acceptSymbol('(')) return name;
  const token = cursor.current;
  if (!/^\d{1,4}$/.test(token.text) || Number(token.text) < 1 || Number(token.text) > 4096)
    throw cursor.unexpected('a dimension from 1 to 4096');
  cursor.advance();
  cursor.expectSymbol(')');
  return `${name}(${Number(token.text)})`;
}

function parseNotNull(cursor: Cursor): boolean {
  return cursor.acceptSymbol('!') || cursor.acceptKeywords('NOT', 'NULL');
}

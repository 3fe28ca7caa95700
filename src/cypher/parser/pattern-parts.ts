/** The parts of a path pattern: `(n:Label {key: value} WHERE …)`, `-[r:TYPE*1..3 {…} WHERE …]->`, and quantifiers `{1,3}`, `+`, `*`. */
import type { Expression, NodePattern, PatternElement, RelationshipPattern, Variable } from '../ast.ts';
import type { Cursor } from './cursor.ts';
import { parseParameter, parseVariable, parseWhere } from './expressions/atoms.ts';
import { integerValue } from './expressions/expressions.ts';
import { parseMap } from './expressions/maps.ts';
import { parseLabelExpression } from './labels.ts';
import { arrowAt } from './patterns.ts';

/** Returns an empty node of a pattern. */
export function emptyNode(cursor: Cursor, offset = cursor.previousEnd): NodePattern {
  return { kind: 'nodePattern', variable: null, labels: null, properties: null, where: null, span: { start: offset, end: offset } };
}

/** Parses a node of a pattern. */
export function parseNode(cursor: Cursor): NodePattern {
  const { start } = cursor.expectSymbol('(');
  return cursor.bracketed(() => {
    const variable = parsePatternVariable(cursor);
    const labels = cursor.acceptSymbol(':') || cursor.acceptKeyword('IS') ? parseLabelExpression(cursor) : null;
    const properties = parseProperties(cursor);
    const where = parseWhere(cursor);
    cursor.expectSymbol(')');
    return { kind: 'nodePattern', variable, labels, properties, where, span: cursor.spanFrom(start) };
  });
}

/**
 * Parses the optional variable of a pattern part; null if there is none. WHERE and IS are names only if followed by
 * what can follow a name.
 */
function parsePatternVariable(cursor: Cursor): Variable | null {
  if (!cursor.isKind('name')) return null;
  if (!cursor.isKeyword('WHERE') && !cursor.isKeyword('IS')) return parseVariable(cursor);
  const follows =
    [')', ']', ':', '{', '*'].some((sign) => cursor.isSymbol(sign, 1)) || cursor.isKeyword('WHERE', 1) || cursor.isKeyword('IS', 1);
  return follows ? parseVariable(cursor) : null;
}

function parseProperties(cursor: Cursor): Expression | null {
  if (cursor.isKind('parameter')) return parseParameter(cursor);
  return cursor.isSymbol('{') ? parseMap(cursor) : null;
}

// ---------------------------------------------------------------- relationships

/** Parses a relationship of a pattern. */
export function parseRelationship(cursor: Cursor): PatternElement {
  const { start } = cursor.current;
  const leftArrow = acceptArrow(cursor, '<');
  expectDash(cursor);
  const detail = parseDetail(cursor);
  expectDash(cursor);
  const rightArrow = acceptArrow(cursor, '>');
  const direction = leftArrow === rightArrow ? 'both' : leftArrow ? 'in' : 'out';
  const relationship: RelationshipPattern = { kind: 'relationshipPattern', ...detail, direction, span: cursor.spanFrom(start) };
  return quantified(cursor, relationship);
}

function acceptArrow(cursor: Cursor, sign: '<' | '>'): boolean {
  if (arrowAt(cursor, cursor.index) !== sign) return false;
  cursor.advance();
  return true;
}

function expectDash(cursor: Cursor): void {
  if (arrowAt(cursor, cursor.index) !== '-') throw cursor.unexpected("'-'", "'['");
  cursor.advance();
}

type Detail = Pick<RelationshipPattern, 'variable' | 'types' | 'length' | 'properties' | 'where'>;

function parseDetail(cursor: Cursor): Detail {
  if (!cursor.isSymbol('[')) return { variable: null, types: null, length: null, properties: null, where: null };
  cursor.advance();
  return cursor.bracketed(() => {
    const variable = parsePatternVariable(cursor);
    const types = cursor.acceptSymbol(':') || cursor.acceptKeyword('IS') ? parseLabelExpression(cursor) : null;
    const length = parseLength(cursor);
    const properties = parseProperties(cursor);
    const predicate = cursor.current;
    const where = parseWhere(cursor);
    if (length !== null && where !== null) {
      throw cursor.fault(
        predicate,
        'UnexpectedSyntax',
        'a relationship of variable length cannot have a WHERE of its own; write -[… WHERE …]->{1,3} instead',
      );
    }
    cursor.expectSymbol(']');
    return { variable, types, length, properties, where };
  });
}

/** Parses the length `*`, `*2`, `*1..3`, `*..3` or `*2..`. */
function parseLength(cursor: Cursor): RelationshipPattern['length'] {
  if (cursor.isSymbol('..') || cursor.isKind('integer')) {
    throw cursor.fault(
      cursor.current,
      'InvalidRelationshipPattern',
      'the length of a relationship pattern starts with *, as in [:TYPE*1..3]',
    );
  }
  if (!cursor.acceptSymbol('*')) return null;
  refuseBadBound(cursor);
  const min = parseBound(cursor);
  if (!cursor.acceptSymbol('..')) return min === null ? { min: 1, max: null } : { min, max: min };
  refuseBadBound(cursor);
  return { min: min ?? 1, max: parseBound(cursor) };
}

function refuseBadBound(cursor: Cursor): void {
  if (cursor.isSymbol('-') || cursor.isKind('float')) {
    throw cursor.fault(
      cursor.current,
      'InvalidRelationshipPattern',
      'the length of a relationship pattern must be a whole number of at least 0',
    );
  }
}

/** Parses a bound of a length; null if absent. A bound beyond the largest safe integer becomes the largest safe integer. */
function parseBound(cursor: Cursor): number | null {
  if (!cursor.isKind('integer')) return null;
  const token = cursor.current;
  cursor.advance();
  return Math.min(Number(integerValue(cursor, token)), Number.MAX_SAFE_INTEGER);
}

// ---------------------------------------------------------------- quantifiers

interface Bounds {
  readonly min: number;
  readonly max: number | null;
}

/** Parses the quantifier of a pattern; null if there is none. */
export function parseQuantifier(cursor: Cursor): Bounds | null {
  if (cursor.isSymbol('+') || cursor.isSymbol('*')) return { min: cursor.advance().text === '+' ? 1 : 0, max: null };
  if (!cursor.isSymbol('{')) return null;
  cursor.advance();
  const from = parseBound(cursor);
  const range = cursor.acceptSymbol(',');
  const to = range ? parseBound(cursor) : from;
  if (!range && from === null) throw cursor.unexpected('a number');
  if (from !== null && to !== null && to < from)
    throw cursor.fault(
      cursor.tokenAt(cursor.index - 1),
      'UnexpectedSyntax',
      `a pattern cannot be repeated at least ${from} and at most ${to} times: the lower bound comes first`,
    );
  cursor.expectSymbol('}');
  return { min: from ?? 0, max: to };
}

/**
 * Applies a quantifier to a relationship: `-[r:T]->{1,3}` is `*1..3`, or a group if it has a WHERE, which is about each
 * single relationship.
 */
function quantified(cursor: Cursor, relationship: RelationshipPattern): PatternElement {
  const start = cursor.current;
  const bounds = parseQuantifier(cursor);
  if (bounds === null) return relationship;
  if (relationship.length !== null)
    throw cursor.fault(start, 'UnexpectedSyntax', 'a relationship of variable length cannot have a quantifier too');
  const span = cursor.spanFrom(relationship.span.start);
  if (relationship.where === null) return { ...relationship, length: bounds, span };
  const elements = [emptyNode(cursor, span.start), relationship, emptyNode(cursor, span.end)];
  return {
    kind: 'quantifiedPattern',
    path: { kind: 'pathPattern', variable: null, selector: null, elements, span },
    where: null,
    ...bounds,
    span,
  };
}

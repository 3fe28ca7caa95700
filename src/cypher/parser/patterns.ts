/**
 * Path patterns: nodes, relationships, quantified groups, path variables and selectors; and the lookahead that
 * distinguishes `(a)-->(b)` from `(a) - b`.
 */
import type { Expression, PathPattern, PathSelector, PatternElement, PatternExpression } from '../ast.ts';
import { UNICODE_ARROWS } from '../lexer/characters.ts';
import type { Cursor } from './cursor.ts';
import { parseParameter, parseVariable, parseWhere } from './expressions/atoms.ts';
import { emptyNode, parseNode, parseQuantifier, parseRelationship } from './pattern-parts.ts';

// ---------------------------------------------------------------- look ahead

/** Returns the arrow sign `-`, `<` or `>` of a token, also where it is written as another Unicode character; null for any other token. */
export function arrowAt(cursor: Cursor, index: number): string | null {
  const token = cursor.tokenAt(index);
  if (token.kind !== 'symbol') return null;
  return token.text === '-' || token.text === '<' || token.text === '>' ? token.text : (UNICODE_ARROWS[token.text] ?? null);
}

/** Tells whether a pattern with at least one relationship starts `distance` tokens ahead, in constant time. */
export function isPatternAhead(cursor: Cursor, distance = 0): boolean {
  const open = cursor.index + distance;
  if (!cursor.isSymbol('(', distance)) return false;
  const close = cursor.tokenAt(open).match;
  return close > 0 && looksLikeNode(cursor, open + 1) && isRelationshipAt(cursor, close + 1);
}

/** Tells whether a node pattern is likely; `index` is the token after its opening parenthesis. */
function looksLikeNode(cursor: Cursor, index: number): boolean {
  const token = cursor.tokenAt(index);
  const behind = token.kind === 'name' && !(token.keyword === 'WHERE') ? cursor.tokenAt(index + 1) : token;
  if (behind.kind === 'parameter') return true;
  if (behind.kind === 'name') return behind.keyword === 'WHERE' || behind.keyword === 'IS';
  return behind.kind === 'symbol' && (behind.text === ')' || behind.text === ':' || behind.text === '{');
}

function isRelationshipAt(cursor: Cursor, index: number): boolean {
  const first = arrowAt(cursor, index);
  const dash = first === '<' ? index + 1 : index;
  if (first === null || first === '>' || arrowAt(cursor, dash) !== '-') return false;
  const next = cursor.tokenAt(dash + 1);
  if (next.kind === 'symbol' && next.text === '[') return next.match > 0 && arrowAt(cursor, next.match + 1) === '-';
  if (arrowAt(cursor, dash + 1) !== '-') return false;
  const last = cursor.tokenAt(dash + 2);
  return arrowAt(cursor, dash + 2) === '>' || (last.kind === 'symbol' && last.text === '(');
}

/** Returns the index of the token after the pattern whose first parenthesis is at `open`; -1 if there is no pattern. */
export function patternEnd(cursor: Cursor, open: number): number {
  let index = open;
  for (;;) {
    const token = cursor.tokenAt(index);
    if (token.text !== '(' || token.match < 0) return -1;
    index = token.match + 1;
    if (!isRelationshipAt(cursor, index)) return index;
    index = relationshipEnd(cursor, index);
  }
}

/** Returns the index of the token after a relationship that begins at `start`, where `isRelationshipAt` must be true. */
function relationshipEnd(cursor: Cursor, start: number): number {
  let index = start;
  for (;;) {
    const token = cursor.tokenAt(index);
    if (token.text === '(' || token.kind === 'end' || token.kind === 'fault') return index;
    index = token.match > index ? token.match + 1 : index + 1;
  }
}

// ---------------------------------------------------------------- patterns of expressions

/** Parses `(a)-->(b)` as a predicate. */
export function parsePatternExpression(cursor: Cursor): PatternExpression {
  const { start } = cursor.current;
  const elements = parseChain(cursor);
  const span = cursor.spanFrom(start);
  return { kind: 'patternExpression', pattern: { kind: 'pathPattern', variable: null, selector: null, elements, span }, span };
}

/** Parses `p = (a)-->(b)` of a pattern comprehension. */
export function parseComprehensionPattern(cursor: Cursor): PathPattern {
  const { start } = cursor.current;
  const variable = cursor.isKind('name') ? parseVariable(cursor) : null;
  if (variable !== null) cursor.expectSymbol('=');
  return { kind: 'pathPattern', variable, selector: null, elements: parseChain(cursor), span: cursor.spanFrom(start) };
}

/** Parses alternating nodes and relationships, as many as there are. */
function parseChain(cursor: Cursor): PatternElement[] {
  const elements: PatternElement[] = [parseNode(cursor)];
  while (isRelationshipAt(cursor, cursor.index)) elements.push(parseRelationship(cursor), parseNode(cursor));
  return elements;
}

/** Parses `shortestPath((a)-[*]->(b))` as a value. */
export function parseShortestPathFunction(cursor: Cursor): PatternExpression {
  const { start } = cursor.current;
  const { selector, elements } = parseSelectorFunction(cursor);
  const span = cursor.spanFrom(start);
  return { kind: 'patternExpression', pattern: { kind: 'pathPattern', variable: null, selector, elements, span }, span };
}

// ---------------------------------------------------------------- patterns of clauses

/** The patterns of a MATCH, and the WHEREs of groups without a quantifier, which mean the same in the WHERE of the clause. */
export interface PatternList {
  readonly patterns: readonly PathPattern[];
  readonly groupPredicates: readonly Expression[];
}

/** Parses patterns separated by commas. */
export function parsePatternList(cursor: Cursor): PatternList {
  const groupPredicates: Expression[] = [];
  const patterns: PathPattern[] = [];
  do patterns.push(parsePathPattern(cursor, groupPredicates));
  while (cursor.acceptSymbol(','));
  return { patterns, groupPredicates };
}

/** Parses a path pattern; adds the WHEREs of groups without a quantifier to `groupPredicates`. */
export function parsePathPattern(cursor: Cursor, groupPredicates: Expression[]): PathPattern {
  const { start } = cursor.current;
  const variable = cursor.isKind('name') && cursor.isSymbol('=', 1) ? parseVariable(cursor) : null;
  if (variable !== null) cursor.advance();
  const selected = parseSelected(cursor, groupPredicates);
  return { kind: 'pathPattern', variable, ...selected, span: cursor.spanFrom(start) };
}

interface Selected {
  readonly selector: PathSelector | null;
  readonly elements: readonly PatternElement[];
}

function parseSelected(cursor: Cursor, groupPredicates: Expression[]): Selected {
  if (cursor.isKeyword('SHORTESTPATH') || cursor.isKeyword('ALLSHORTESTPATHS')) return parseSelectorFunction(cursor);
  const selector = parseSelector(cursor);
  if (selector === null) return { selector, elements: parseElements(cursor, groupPredicates) };
  const pathPredicates: Expression[] = [];
  const elements = parseElements(cursor, pathPredicates);
  return { selector, elements: withPredicates(elements, pathPredicates) };
}

/**
 * Moves the WHERE in the parentheses around a whole path to its last node, so that it restricts the paths that the
 * selector chooses from.
 */
function withPredicates(elements: readonly PatternElement[], predicates: readonly Expression[]): readonly PatternElement[] {
  const last = elements.at(-1);
  if (predicates.length === 0 || last?.kind !== 'nodePattern') return elements;
  const where = conjunction(last.where === null ? predicates : [last.where, ...predicates]);
  return [...elements.slice(0, -1), { ...last, where }];
}

function parseSelectorFunction(cursor: Cursor): Selected {
  const word = cursor.advance();
  const kind = word.keyword === 'SHORTESTPATH' ? 'shortest' : 'allShortest';
  cursor.expectSymbol('(');
  const selector: PathSelector = { kind, count: 1, legacy: true, span: { start: word.start, end: word.end } };
  const elements = cursor.bracketed(() => parseElements(cursor, []));
  cursor.expectSymbol(')');
  return { selector, elements };
}

/** Parses `SHORTEST 2 GROUPS`, `ALL SHORTEST PATHS`, `ANY SHORTEST`, `ANY 3`; null if there is no selector, and for `ALL PATHS`. */
function parseSelector(cursor: Cursor): PathSelector | null {
  const { start } = cursor.current;
  if (!cursor.isKind('name')) return null;
  const choice = parseChoice(cursor);
  return choice === null ? null : { ...choice, legacy: false, span: cursor.spanFrom(start) };
}

function parseChoice(cursor: Cursor): Pick<PathSelector, 'kind' | 'count'> | null {
  if (cursor.acceptKeyword('SHORTEST')) return parseShortest(cursor);
  if (cursor.acceptKeyword('ALL')) {
    const isShortest = cursor.acceptKeyword('SHORTEST');
    skipPathWord(cursor);
    return isShortest ? { kind: 'allShortest', count: 1 } : null;
  }
  if (!cursor.acceptKeyword('ANY')) throw cursor.unexpected('a pattern such as (a)-->(b)');
  const kind = cursor.acceptKeyword('SHORTEST') ? 'shortest' : 'any';
  const count = kind === 'any' ? (parseCount(cursor) ?? 1) : 1;
  skipPathWord(cursor);
  return { kind, count };
}

/** Parses what follows SHORTEST: `1`, `2 PATHS`, `GROUP`, `2 PATH GROUPS`. Groups without a number mean one group. */
function parseShortest(cursor: Cursor): Pick<PathSelector, 'kind' | 'count'> {
  const count = parseCount(cursor);
  skipPathWord(cursor);
  if (cursor.acceptAnyKeyword('GROUP', 'GROUPS')) return { kind: 'shortestGroups', count: count ?? 1 };
  if (count === null) throw cursor.unexpected('the number of paths, as in SHORTEST 1');
  return { kind: 'shortest', count };
}

function skipPathWord(cursor: Cursor): void {
  cursor.acceptAnyKeyword('PATH', 'PATHS');
}

/** Parses a number or a parameter for it; null if there is neither. */
function parseCount(cursor: Cursor): PathSelector['count'] | null {
  if (cursor.isKind('parameter')) return parseParameter(cursor);
  if (!cursor.isKind('integer')) return null;
  const token = cursor.advance();
  if (typeof token.value !== 'number' || token.value < 1)
    throw cursor.fault(token, 'UnexpectedSyntax', 'the number of paths must be at least 1');
  return token.value;
}

/** Parses the elements of a path, and adds unnamed nodes so that nodes alternate with other elements. */
function parseElements(cursor: Cursor, groupPredicates: Expression[]): PatternElement[] {
  const elements: PatternElement[] = [];
  for (;;) {
    const needsNode = elements.length % 2 === 0;
    if (cursor.isSymbol('(') && cursor.isSymbol('(', 1)) parseGroup(cursor, elements, groupPredicates);
    else if (needsNode && isImplicitEnd(cursor, elements)) elements.push(emptyNode(cursor));
    else if (needsNode) elements.push(parseNode(cursor));
    else if (arrowAt(cursor, cursor.index) === '-' || arrowAt(cursor, cursor.index) === '<') elements.push(parseRelationship(cursor));
    else return elements;
  }
}

/** Tells whether an unnamed node is to be added at the end of a path that ends in a quantified group. */
function isImplicitEnd(cursor: Cursor, elements: readonly PatternElement[]): boolean {
  return elements.at(-1)?.kind === 'quantifiedPattern' && !cursor.isSymbol('(');
}

/** Parses `((a)-[:R]->(b) WHERE …){1,5}`; without a quantifier the parentheses only group. */
function parseGroup(cursor: Cursor, elements: PatternElement[], groupPredicates: Expression[]): void {
  const { start } = cursor.expectSymbol('(');
  const innerPredicates: Expression[] = [];
  const { inner, where, path } = cursor.bracketed(() => {
    const from = cursor.current.start;
    const inner = parseElements(cursor, innerPredicates);
    const path: PathPattern = { kind: 'pathPattern', variable: null, selector: null, elements: inner, span: cursor.spanFrom(from) };
    return { inner, path, where: parseWhere(cursor) };
  });
  cursor.expectSymbol(')');
  const quantifier = parseQuantifier(cursor);
  const predicates = where === null ? innerPredicates : [...innerPredicates, where];
  if (quantifier !== null) {
    if (elements.length % 2 === 0) elements.push(emptyNode(cursor, start));
    elements.push({ kind: 'quantifiedPattern', path, where: conjunction(predicates), ...quantifier, span: cursor.spanFrom(start) });
    return;
  }
  if (elements.length % 2 === 1) throw cursor.unexpected('a quantifier such as + or {1,3} behind the parentheses');
  elements.push(...inner);
  groupPredicates.push(...predicates);
}

/** Joins predicates by AND; null for none. */
export function conjunction(predicates: readonly Expression[]): Expression | null {
  if (predicates.length < 2) return predicates[0] ?? null;
  const span = { start: Math.min(...predicates.map((each) => each.span.start)), end: Math.max(...predicates.map((each) => each.span.end)) };
  return {
    kind: 'logical',
    operator: 'and',
    operands: predicates.flatMap((each) => (each.kind === 'logical' && each.operator === 'and' ? each.operands : [each])),
    span,
  };
}

/** `SHOW INDEXES YIELD … WHERE … RETURN …` and its kin. Filters before the noun (`SHOW RANGE INDEXES`) and a name behind it become a WHERE. */
import type { Expression, Projection, ShowCommand, Span } from '../ast.ts';
import { parseParameter, parseWhere } from './atoms.ts';
import { parseYields } from './call-clause.ts';
import { parseReturn } from './clauses.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './expressions.ts';
import { conjunction } from './patterns.ts';
import { parseTail } from './projection.ts';

const NOUNS: Readonly<Record<string, ShowCommand['what']>> = {
  INDEX: 'indexes',
  INDEXES: 'indexes',
  CONSTRAINT: 'constraints',
  CONSTRAINTS: 'constraints',
  DATABASE: 'databases',
  DATABASES: 'databases',
  PROCEDURE: 'procedures',
  PROCEDURES: 'procedures',
  FUNCTION: 'functions',
  FUNCTIONS: 'functions',
  TRANSACTION: 'transactions',
  TRANSACTIONS: 'transactions',
  SETTING: 'settings',
  SETTINGS: 'settings',
  USER: 'users',
  USERS: 'users',
};

export function parseShow(cursor: Cursor): ShowCommand {
  const { start } = cursor.expectKeyword('SHOW');
  const filter = parseFilter(cursor);
  const what = NOUNS[cursor.current.keyword];
  if (what === undefined)
    throw cursor.unexpected('INDEXES', 'CONSTRAINTS', 'DATABASES', 'PROCEDURES', 'FUNCTIONS', 'TRANSACTIONS', 'SETTINGS', 'USERS');
  cursor.advance();
  const predicates = [filter, parseNamePredicate(cursor, what)].filter((each) => each !== null);
  skipExecutable(cursor);
  const yields = cursor.acceptKeyword('YIELD') ? parseYields(cursor) : null;
  const tailStart = cursor.current.start;
  const tail = yields === null ? null : parseTail(cursor);
  const where = parseWhere(cursor);
  const returns = parseReturns(cursor, tail, tailStart);
  const condition = conjunction(where === null ? predicates : [...predicates, where]);
  return { kind: 'show', what, yield: yields, where: condition, returns, span: cursor.spanFrom(start) };
}

/** ORDER BY and its like behind YIELD are those of `RETURN *`. */
function parseReturns(cursor: Cursor, tail: ReturnType<typeof parseTail> | null, start: number): Projection | null {
  const tailed = tail !== null && (tail.orderBy.length > 0 || tail.skip !== null || tail.limit !== null);
  if (!cursor.isKeyword('RETURN')) return tailed ? { distinct: false, star: true, items: [], ...tail, span: cursor.spanFrom(start) } : null;
  if (tailed) throw cursor.fault(cursor.current, 'UnexpectedSyntax', 'ORDER BY, SKIP and LIMIT must stand behind the RETURN');
  return parseReturn(cursor).projection;
}

/** `ALL`, `DEFAULT`, `HOME`, `CURRENT` change nothing here; where functions come from and a type of index are conditions. */
function parseFilter(cursor: Cursor): Expression | null {
  const token = cursor.current;
  const isBuiltIn = cursor.acceptKeywords('BUILT', 'IN');
  if (isBuiltIn || cursor.acceptKeywords('USER', 'DEFINED')) return equals('isBuiltIn', isBuiltIn, cursor.spanFrom(token.start));
  if (cursor.acceptAnyKeyword('ALL', 'DEFAULT', 'HOME', 'CURRENT')) return null;
  const constraint = parseConstraintType(cursor);
  if (constraint !== null) return constraint;
  if (!['RANGE', 'TEXT', 'LOOKUP', 'POINT', 'VECTOR', 'FULLTEXT'].includes(token.keyword)) return null;
  cursor.advance();
  return equals('type', token.keyword, { start: token.start, end: token.end });
}

/** `SHOW UNIQUE CONSTRAINTS`, `SHOW NODE KEY CONSTRAINTS`, `SHOW PROPERTY EXISTENCE CONSTRAINTS`: conditions on the type. */
function parseConstraintType(cursor: Cursor): Expression | null {
  const { start, keyword: first } = cursor.current;
  if (!ENTITIES.includes(first) && first !== 'PROPERTY' && CONSTRAINT_TYPES[first] === undefined) return null;
  const entity = ENTITIES.find((keyword) => cursor.acceptKeyword(keyword)) ?? null;
  const property = cursor.acceptKeyword('PROPERTY');
  const rule = Object.keys(CONSTRAINT_TYPES).find((keyword) => cursor.acceptKeyword(keyword));
  if (rule === undefined) throw cursor.unexpected(...(property ? [] : ['UNIQUENESS', 'KEY']), 'EXISTENCE');
  const types = CONSTRAINT_TYPES[rule]!.filter(
    (type) => entity === null || (type.startsWith('REL') ? entity !== 'NODE' : entity === 'NODE'),
  );
  const span = cursor.spanFrom(start);
  const items = types.map((value): Expression => ({ kind: 'literal', value, span }));
  return { kind: 'binary', operator: 'in', left: { kind: 'variable', name: 'type', span }, right: { kind: 'list', items, span }, span };
}

const ENTITIES: readonly string[] = ['NODE', 'RELATIONSHIP', 'REL'];
const UNIQUENESS = ['UNIQUENESS', 'RELATIONSHIP_UNIQUENESS'];
const EXISTENCE = ['NODE_PROPERTY_EXISTENCE', 'RELATIONSHIP_PROPERTY_EXISTENCE'];
const CONSTRAINT_TYPES: Readonly<Record<string, readonly string[]>> = {
  UNIQUE: UNIQUENESS,
  UNIQUENESS,
  KEY: ['NODE_KEY', 'RELATIONSHIP_KEY'],
  EXISTENCE,
  EXIST: EXISTENCE,
  TYPE: ['NODE_PROPERTY_TYPE', 'RELATIONSHIP_PROPERTY_TYPE'],
};

/** What is named: `SHOW DATABASE neo4j`, `SHOW DATABASE $name`, `SHOW SETTINGS 'a', 'b'`, `SHOW SETTINGS $names`. */
function parseNamePredicate(cursor: Cursor, what: ShowCommand['what']): Expression | null {
  if (isTail(cursor)) return null;
  if (what === 'settings') return parseNames(cursor);
  if (what !== 'databases') return null;
  const { start } = cursor.current;
  if (cursor.isKind('parameter')) return isAmong('name', [parseParameter(cursor)], cursor.spanFrom(start));
  return cursor.isKind('string') || cursor.isKind('name') ? equals('name', cursor.advance().text, cursor.spanFrom(start)) : null;
}

function isTail(cursor: Cursor): boolean {
  return cursor.isKind('end') || cursor.isSymbol(';') || ['YIELD', 'WHERE', 'RETURN'].some((keyword) => cursor.isKeyword(keyword));
}

/** Names, or expressions that each stand for one or for a list of them. */
function parseNames(cursor: Cursor): Expression {
  const { start } = cursor.current;
  const names: Expression[] = [];
  do names.push(parseExpression(cursor));
  while (cursor.acceptSymbol(','));
  return isAmong('name', names, cursor.spanFrom(start));
}

/** `field IN [] + one + another`: adding to a list takes a value and a list of values alike. */
function isAmong(field: string, values: readonly Expression[], span: Span): Expression {
  const all = values.reduce<Expression>((left, right) => ({ kind: 'binary', operator: '+', left, right, span }), {
    kind: 'list',
    items: [],
    span,
  });
  return { kind: 'binary', operator: 'in', left: { kind: 'variable', name: field, span }, right: all, span };
}

function equals(field: string, value: string | boolean, span: Span): Expression {
  return {
    kind: 'comparison',
    operators: ['='],
    operands: [
      { kind: 'variable', name: field, span },
      { kind: 'literal', value, span },
    ],
    span,
  };
}

/** `EXECUTABLE [BY CURRENT USER | BY name]`: whoever may ask may execute. */
function skipExecutable(cursor: Cursor): void {
  if (!cursor.acceptKeyword('EXECUTABLE') || !cursor.acceptKeyword('BY')) return;
  if (!cursor.acceptKeywords('CURRENT', 'USER')) cursor.expectName('the name of a user');
}

/**
 * SHOW commands such as `SHOW INDEXES YIELD … WHERE … RETURN …`. Filters before the noun (`SHOW RANGE INDEXES`) and
 * names after it become a WHERE. `TERMINATE TRANSACTIONS` returns rows in the same way.
 */
import { arithmeticChain } from '../../arithmetic-chain.ts';
import type { Expression, Projection, SchemaName, ShowCommand, Span } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { parseParameter, parseWhere } from '../expressions/atoms.ts';
import { parseExpression } from '../expressions/expressions.ts';
import { conjunction } from '../patterns.ts';
import { parseYields } from './call-clause.ts';
import { parseReturn } from './clauses.ts';
import { parseTail } from './projection.ts';
import { INDEX_TYPES } from './schema.ts';

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

/** Parses SHOW. */
export function parseShow(cursor: Cursor): ShowCommand {
  const { start } = cursor.expectKeyword('SHOW');
  const filtered = cursor.current;
  const filter = parseFilter(cursor);
  const noun = cursor.current;
  const what = NOUNS[noun.keyword];
  if (what === undefined)
    throw cursor.unexpected('INDEXES', 'CONSTRAINTS', 'DATABASES', 'PROCEDURES', 'FUNCTIONS', 'TRANSACTIONS', 'SETTINGS', 'USERS');
  if (filter !== null && !filter.of.includes(what)) {
    const problem = `SHOW ${noun.keyword} takes no ${cursor.text.slice(filtered.start, cursor.previousEnd)} before it`;
    throw cursor.fault(filtered, 'UnexpectedSyntax', problem);
  }
  cursor.advance();
  const predicates = [filter?.condition ?? null, parseNamePredicate(cursor, what)].filter((each) => each !== null);
  if (what === 'functions' || what === 'procedures') skipExecutable(cursor);
  return { what, terminates: [], ...parseRest(cursor, predicates), kind: 'show', span: cursor.spanFrom(start) };
}

/** Parses TERMINATE TRANSACTIONS. */
export function parseTerminate(cursor: Cursor): ShowCommand {
  const { start } = cursor.expectKeyword('TERMINATE');
  cursor.expectAnyKeyword('TRANSACTION', 'TRANSACTIONS');
  const terminates: SchemaName[] = [];
  do terminates.push(cursor.isKind('parameter') ? parseParameter(cursor) : cursor.expectKind('string', 'the id of a transaction').text);
  while (cursor.acceptSymbol(','));
  return { what: 'terminations', terminates, ...parseRest(cursor, []), kind: 'show', span: cursor.spanFrom(start) };
}

/** Parses YIELD, WHERE and RETURN. `predicates` are the conditions so far, which are joined with the WHERE. */
function parseRest(cursor: Cursor, predicates: readonly Expression[]): Pick<ShowCommand, 'yield' | 'where' | 'returns'> {
  const yields = cursor.acceptKeyword('YIELD') ? parseYields(cursor) : null;
  if (yields?.length === 0)
    throw cursor.fault(cursor.tokenAt(cursor.index - 1), 'UnexpectedSyntax', 'SHOW yields columns: name some, or *');
  const tailStart = cursor.current.start;
  const tail = yields === null ? null : parseTail(cursor);
  const where = parseWhere(cursor);
  if (yields === null && cursor.isKeyword('RETURN'))
    throw cursor.fault(cursor.current, 'UnexpectedSyntax', 'RETURN needs a YIELD, which names the columns that it speaks of');
  const returns = parseReturns(cursor, tail, tailStart);
  const condition = conjunction(where === null ? predicates : [...predicates, where]);
  return { yield: yields, where: condition, returns };
}

/** Parses RETURN. ORDER BY, SKIP and LIMIT after YIELD are those of an implicit `RETURN *`. Null if there is none of these. */
function parseReturns(cursor: Cursor, tail: ReturnType<typeof parseTail> | null, start: number): Projection | null {
  const tailed = tail !== null && (tail.orderBy.length > 0 || tail.skip !== null || tail.limit !== null);
  if (!cursor.isKeyword('RETURN')) return tailed ? { distinct: false, star: true, items: [], ...tail, span: cursor.spanFrom(start) } : null;
  if (tailed) throw cursor.fault(cursor.current, 'UnexpectedSyntax', 'ORDER BY, SKIP and LIMIT must stand behind the RETURN');
  return parseReturn(cursor).projection;
}

/** A filter before the noun: the nouns that it can be used with, and its condition; null for no condition. */
interface Filter {
  readonly of: readonly ShowCommand['what'][];
  readonly condition: Expression | null;
}

/** Columns of SHOW DATABASES whose names can be filters before the noun. */
const DATABASE_FLAGS = ['default', 'home'] as const;

/**
 * Parses a filter; null if there is none. `ALL` and `CURRENT` have no effect; BUILT IN, USER DEFINED, types, DEFAULT
 * and HOME are conditions.
 */
function parseFilter(cursor: Cursor): Filter | null {
  const { start, keyword } = cursor.current;
  const isBuiltIn = cursor.acceptKeywords('BUILT', 'IN');
  if (isBuiltIn || cursor.acceptKeywords('USER', 'DEFINED'))
    return { of: ['functions'], condition: equals('isBuiltIn', isBuiltIn, cursor.spanFrom(start)) };
  if (cursor.acceptKeyword('ALL')) return { of: ['indexes', 'constraints', 'functions'], condition: null };
  const flag = DATABASE_FLAGS.find((each) => cursor.acceptKeyword(each.toUpperCase()));
  if (flag !== undefined) return { of: ['databases'], condition: equals(flag, true, cursor.spanFrom(start)) };
  if (cursor.acceptKeyword('CURRENT')) return { of: ['users'], condition: null };
  const constraint = parseConstraintType(cursor);
  if (constraint !== null) return { of: ['constraints'], condition: constraint };
  if (!INDEX_TYPES.some((type) => type === keyword)) return null;
  cursor.advance();
  return { of: ['indexes'], condition: equals('type', keyword, cursor.spanFrom(start)) };
}

/**
 * Parses the filter of `SHOW UNIQUE CONSTRAINTS`, `SHOW NODE KEY CONSTRAINTS` or `SHOW PROPERTY EXISTENCE CONSTRAINTS`;
 * null if there is none.
 */
function parseConstraintType(cursor: Cursor): Expression | null {
  const { start, keyword: first } = cursor.current;
  if (!ENTITIES.includes(first) && first !== 'PROPERTY' && CONSTRAINT_TYPES[first] === undefined) return null;
  const entity = ENTITIES.find((keyword) => cursor.acceptKeyword(keyword)) ?? null;
  const property = cursor.acceptKeyword('PROPERTY');
  // KEY cannot follow PROPERTY, and TYPE must follow it.
  const rules = Object.keys(CONSTRAINT_TYPES).filter((keyword) => (keyword === 'KEY' ? !property : keyword !== 'TYPE' || property));
  const rule = rules.find((keyword) => cursor.acceptKeyword(keyword));
  if (rule === undefined) throw cursor.unexpected('UNIQUENESS', property ? 'TYPE' : 'KEY', 'EXISTENCE');
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

/** Parses names: `SHOW DATABASE neo4j`, `SHOW DATABASE $name`, `SHOW SETTINGS 'a', 'b'`, `SHOW TRANSACTIONS $ids`; null for none. */
function parseNamePredicate(cursor: Cursor, what: ShowCommand['what']): Expression | null {
  if (isTail(cursor)) return null;
  if (what === 'settings') return parseNames(cursor, 'name');
  if (what === 'transactions') return parseNames(cursor, 'transactionId');
  if (what !== 'databases') return null;
  const { start } = cursor.current;
  if (cursor.isKind('parameter')) return isAmong('name', [parseParameter(cursor)], cursor.spanFrom(start));
  return cursor.isKind('string') || cursor.isKind('name') ? equals('name', cursor.advance().text, cursor.spanFrom(start)) : null;
}

function isTail(cursor: Cursor): boolean {
  return cursor.isKind('end') || cursor.isSymbol(';') || ['YIELD', 'WHERE', 'RETURN'].some((keyword) => cursor.isKeyword(keyword));
}

/** Parses names: expressions of which each is one name or a list of names. */
function parseNames(cursor: Cursor, field: string): Expression {
  const { start } = cursor.current;
  const names: Expression[] = [];
  do names.push(parseExpression(cursor));
  while (cursor.acceptSymbol(','));
  return isAmong(field, names, cursor.spanFrom(start));
}

/** Makes `field IN [] + one + another`, since adding to a list takes both a value and a list of values. */
function isAmong(field: string, values: readonly Expression[], span: Span): Expression {
  const none: Expression = { kind: 'list', items: [], span };
  const all = arithmeticChain(none, { operators: values.map(() => '+' as const), operands: values }, span);
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

/** Skips `EXECUTABLE [BY CURRENT USER | BY name]`, which has no effect: a caller who may list procedures may execute them. */
function skipExecutable(cursor: Cursor): void {
  if (!cursor.acceptKeyword('EXECUTABLE') || !cursor.acceptKeyword('BY')) return;
  if (!cursor.acceptKeywords('CURRENT', 'USER')) cursor.expectName('the name of a user');
}

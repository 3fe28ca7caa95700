/**
 * `SHOW INDEXES YIELD … WHERE … RETURN …` and its kin. Filters before the noun (`SHOW RANGE INDEXES`) and a name behind
 * it become a WHERE. `TERMINATE TRANSACTIONS` answers rows in the same way.
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

/** YIELD, WHERE and RETURN, behind conditions that stood before. */
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

/** ORDER BY and its like behind YIELD are those of `RETURN *`. */
function parseReturns(cursor: Cursor, tail: ReturnType<typeof parseTail> | null, start: number): Projection | null {
  const tailed = tail !== null && (tail.orderBy.length > 0 || tail.skip !== null || tail.limit !== null);
  if (!cursor.isKeyword('RETURN')) return tailed ? { distinct: false, star: true, items: [], ...tail, span: cursor.spanFrom(start) } : null;
  if (tailed) throw cursor.fault(cursor.current, 'UnexpectedSyntax', 'ORDER BY, SKIP and LIMIT must stand behind the RETURN');
  return parseReturn(cursor).projection;
}

/** A filter before the noun: which nouns may follow, and the condition that it stands for. */
interface Filter {
  readonly of: readonly ShowCommand['what'][];
  readonly condition: Expression | null;
}

/** Columns of databases that are conditions before the noun. */
const DATABASE_FLAGS = ['default', 'home'] as const;

/** `ALL` and `CURRENT` change nothing here; where functions come from, types, and which database is meant are conditions. */
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

/** `SHOW UNIQUE CONSTRAINTS`, `SHOW NODE KEY CONSTRAINTS`, `SHOW PROPERTY EXISTENCE CONSTRAINTS`: conditions on the type. */
function parseConstraintType(cursor: Cursor): Expression | null {
  const { start, keyword: first } = cursor.current;
  if (!ENTITIES.includes(first) && first !== 'PROPERTY' && CONSTRAINT_TYPES[first] === undefined) return null;
  const entity = ENTITIES.find((keyword) => cursor.acceptKeyword(keyword)) ?? null;
  const property = cursor.acceptKeyword('PROPERTY');
  // A key is none of a property, and only of a property there is a type.
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

/** Parses the names of a listing: `SHOW DATABASE neo4j`, `SHOW DATABASE $name`, `SHOW SETTINGS 'a', 'b'`, `SHOW TRANSACTIONS $ids`. */
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

/** Names, or expressions that each stand for one or for a list of them. */
function parseNames(cursor: Cursor, field: string): Expression {
  const { start } = cursor.current;
  const names: Expression[] = [];
  do names.push(parseExpression(cursor));
  while (cursor.acceptSymbol(','));
  return isAmong(field, names, cursor.spanFrom(start));
}

/** `field IN [] + one + another`: adding to a list takes a value and a list of values alike. */
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

/** `EXECUTABLE [BY CURRENT USER | BY name]`: whoever may ask may execute. */
function skipExecutable(cursor: Cursor): void {
  if (!cursor.acceptKeyword('EXECUTABLE') || !cursor.acceptKeyword('BY')) return;
  if (!cursor.acceptKeywords('CURRENT', 'USER')) cursor.expectName('the name of a user');
}

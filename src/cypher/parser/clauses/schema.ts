/** CREATE and DROP of indexes and constraints. */
import type { CreateConstraint, CreateIndex, DropSchema, Expression, SchemaName, ValueType } from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { parseParameter } from '../expressions/atoms.ts';
import { parseValueType } from '../expressions/is-predicates.ts';
import { parseMap } from '../expressions/maps.ts';

/** The keywords for the types of indexes. */
export const INDEX_TYPES = ['RANGE', 'TEXT', 'LOOKUP', 'POINT', 'VECTOR', 'FULLTEXT'] as const satisfies readonly Uppercase<
  CreateIndex['indexType']
>[];

/** Tells whether a command on the schema comes next. */
export function isSchemaAhead(cursor: Cursor): boolean {
  if (cursor.isKeyword('DROP')) return true;
  if (!cursor.isKeyword('CREATE')) return false;
  return cursor.isKeyword('INDEX', 1) || cursor.isKeyword('CONSTRAINT', 1) || INDEX_TYPES.some((type) => cursor.isKeyword(type, 1));
}

/** Parses a command on indexes or constraints. */
export function parseSchema(cursor: Cursor): CreateIndex | CreateConstraint | DropSchema {
  const { start } = cursor.current;
  if (cursor.acceptKeyword('DROP')) return parseDrop(cursor, start);
  cursor.expectKeyword('CREATE');
  if (cursor.acceptKeyword('CONSTRAINT')) return parseCreateConstraint(cursor, start);
  return parseCreateIndex(cursor, start);
}

function parseDrop(cursor: Cursor, start: number): DropSchema {
  const what = cursor.expectAnyKeyword('INDEX', 'CONSTRAINT').keyword === 'INDEX' ? 'index' : 'constraint';
  const name = cursor.isKind('parameter') ? parseParameter(cursor) : cursor.expectName(`the name of the ${what}`);
  const ifExists = cursor.acceptKeywords('IF', 'EXISTS');
  return { kind: 'dropSchema', what, name, ifExists, span: cursor.spanFrom(start) };
}

/** Parses `[name] [IF NOT EXISTS]`. The name may be a parameter, or any keyword but those that can follow it. */
function parseSchemaName(cursor: Cursor): { name: SchemaName | null; ifNotExists: boolean } {
  const named = cursor.isKind('name') && !cursor.isKeywords('IF', 'NOT') && !(cursor.isKeyword('FOR') && cursor.isSymbol('(', 1));
  const name = named ? cursor.advance().text : cursor.isKind('parameter') ? parseParameter(cursor) : null;
  return { name, ifNotExists: cursor.acceptKeywords('IF', 'NOT', 'EXISTS') };
}

interface Named {
  readonly variable: string;
  readonly labelsOrTypes: readonly string[];
}

interface Entity extends Named {
  readonly entity: 'node' | 'relationship';
}

/** The number of labels or types after FOR. */
type NameCount = 'none' | 'one' | 'some';

/** Parses `FOR (n:Label)` or `FOR ()-[r:TYPE]-()`; also `FOR (n:A|B)` if several names are allowed. */
function parseEntity(cursor: Cursor, names: NameCount): Entity {
  cursor.expectKeyword('FOR');
  cursor.expectSymbol('(');
  if (!cursor.isSymbol(')')) {
    const named = parseNamed(cursor, names);
    cursor.expectSymbol(')');
    return { entity: 'node', ...named };
  }
  cursor.advance();
  if (cursor.acceptSymbol('<')) cursor.expectSymbol('-');
  else cursor.expectSymbol('-');
  cursor.expectSymbol('[');
  const named = parseNamed(cursor, names);
  cursor.expectSymbol(']');
  cursor.expectSymbol('-');
  cursor.acceptSymbol('>');
  cursor.expectSymbol('(');
  cursor.expectSymbol(')');
  return { entity: 'relationship', ...named };
}

function parseNamed(cursor: Cursor, names: NameCount): Named {
  const variable = cursor.expectName('a variable');
  if (names === 'none') return { variable, labelsOrTypes: [] };
  cursor.expectSymbol(':');
  const labelsOrTypes = [cursor.expectName('a label or type')];
  while (names === 'some' && cursor.acceptSymbol('|')) {
    const token = cursor.current;
    const name = cursor.expectName('a label or type');
    if (labelsOrTypes.includes(name)) throw cursor.fault(token, 'UnexpectedSyntax', `${name} is named twice`);
    labelsOrTypes.push(name);
  }
  return { variable, labelsOrTypes };
}

/** The types of indexes that may have several labels or relationship types. */
const OVER_SEVERAL: ReadonlySet<CreateIndex['indexType']> = new Set(['vector', 'fulltext']);

function parseCreateIndex(cursor: Cursor, start: number): CreateIndex {
  const type = INDEX_TYPES.find((each) => cursor.isKeyword(each));
  if (type !== undefined) cursor.advance();
  // as: `toLowerCase` of the keywords gives exactly these
  const indexType = (type ?? 'RANGE').toLowerCase() as Lowercase<(typeof INDEX_TYPES)[number]>;
  cursor.expectKeyword('INDEX');
  if (type === undefined && cursor.isKeyword('ON') && cursor.isSymbol(':', 1)) return parseOldIndex(cursor, start);
  const { name, ifNotExists } = parseSchemaName(cursor);
  const { variable, ...entity } = parseEntity(cursor, indexType === 'lookup' ? 'none' : OVER_SEVERAL.has(indexType) ? 'some' : 'one');
  cursor.expectKeyword('ON');
  const properties = parseIndexed(cursor, { indexType, entity: entity.entity, variable });
  const filters = indexType === 'vector' ? parseFilters(cursor, variable) : [];
  const options = parseOptions(cursor);
  const span = cursor.spanFrom(start);
  return { kind: 'createIndex', name, indexType, ifNotExists, ...entity, properties, filters, options, isOldForm: false, span };
}

/** Parses `ON :Label(key, …)`, an index on nodes. Creating one that exists is no error in this form. */
function parseOldIndex(cursor: Cursor, start: number): CreateIndex {
  cursor.expectKeyword('ON');
  cursor.expectSymbol(':');
  const labelsOrTypes = [cursor.expectName('a label')];
  cursor.expectSymbol('(');
  const properties: string[] = [];
  do properties.push(cursor.expectName('a property key'));
  while (cursor.acceptSymbol(','));
  cursor.expectSymbol(')');
  return {
    kind: 'createIndex',
    name: null,
    indexType: 'range',
    ifNotExists: true,
    entity: 'node',
    labelsOrTypes,
    properties,
    filters: [],
    options: null,
    isOldForm: true,
    span: cursor.spanFrom(start),
  };
}

function parseIndexed(
  cursor: Cursor,
  { indexType, entity, variable }: Pick<CreateIndex, 'indexType' | 'entity'> & { readonly variable: string },
): string[] {
  if (indexType === 'lookup') {
    if (!cursor.isKeyword('TYPE')) cursor.expectKeyword('EACH');
    cursor.expectKeyword(entity === 'node' ? 'LABELS' : 'TYPE');
    cursor.expectSymbol('(');
    expectVariable(cursor, variable);
    cursor.expectSymbol(')');
    return [];
  }
  if (indexType === 'fulltext') {
    cursor.expectKeyword('EACH');
    cursor.expectSymbol('[');
    const properties = parseProperties(cursor, variable);
    cursor.expectSymbol(']');
    return properties;
  }
  // A vector index may have its property without parentheses.
  if (indexType === 'vector' && cursor.isKind('name')) return [parseProperty(cursor, variable)];
  cursor.expectSymbol('(');
  const properties = parseProperties(cursor, variable);
  cursor.expectSymbol(')');
  return properties;
}

/** Parses `WITH [n.a, n.b]`; an empty list if absent. */
function parseFilters(cursor: Cursor, variable: string): string[] {
  if (!cursor.acceptKeyword('WITH')) return [];
  cursor.expectSymbol('[');
  const filters = parseProperties(cursor, variable);
  cursor.expectSymbol(']');
  return filters;
}

function parseProperties(cursor: Cursor, variable: string): string[] {
  const properties: string[] = [];
  do properties.push(parseProperty(cursor, variable));
  while (cursor.acceptSymbol(','));
  return properties;
}

function parseProperty(cursor: Cursor, variable: string): string {
  expectVariable(cursor, variable);
  cursor.expectSymbol('.');
  return cursor.expectName('a property key');
}

function expectVariable(cursor: Cursor, variable: string): void {
  const token = cursor.expectKind('name', 'a variable');
  if (token.text !== variable) throw cursor.fault(token, 'UnexpectedSyntax', `unexpected variable '${token.text}', expected '${variable}'`);
}

function parseOptions(cursor: Cursor): Expression | null {
  if (!cursor.acceptKeyword('OPTIONS')) return null;
  return cursor.isKind('parameter') ? parseParameter(cursor) : parseMap(cursor);
}

function parseCreateConstraint(cursor: Cursor, start: number): CreateConstraint {
  const { name, ifNotExists } = parseSchemaName(cursor);
  const { variable, entity, labelsOrTypes } = parseEntity(cursor, 'one');
  const subject = { entity, labelOrType: labelsOrTypes[0]! };
  cursor.expectKeyword('REQUIRE');
  const listed = cursor.acceptSymbol('(');
  const properties = listed ? parseProperties(cursor, variable) : [parseProperty(cursor, variable)];
  if (listed) cursor.expectSymbol(')');
  const rule = parseRule(cursor, entity);
  const options = parseOptions(cursor);
  return { kind: 'createConstraint', name, ifNotExists, ...subject, properties, ...rule, options, span: cursor.spanFrom(start) };
}

function parseRule(
  cursor: Cursor,
  entity: CreateConstraint['entity'],
): { constraint: CreateConstraint['constraint']; propertyType: ValueType | null } {
  if (cursor.acceptSymbol('::')) return { constraint: 'type', propertyType: parseValueType(cursor) };
  cursor.expectKeyword('IS');
  if (cursor.acceptSymbol('::') || cursor.acceptKeyword('TYPED')) return { constraint: 'type', propertyType: parseValueType(cursor) };
  if (cursor.acceptKeywords('NOT', 'NULL')) return { constraint: 'exists', propertyType: null };
  if (entity === 'node') cursor.acceptKeyword('NODE');
  else cursor.acceptAnyKeyword('RELATIONSHIP', 'REL');
  const constraint = cursor.expectAnyKeyword('UNIQUE', 'KEY').keyword === 'KEY' ? 'key' : 'unique';
  return { constraint, propertyType: null };
}

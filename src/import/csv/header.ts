/**
 * The header line of neo4j-admin: what each column of a file means.
 *
 *   id:ID(Space)   :START_ID(Space)   :END_ID(Space)   :LABEL   :TYPE   :IGNORE   name   name:type   name:type[]
 *
 * Options stand in braces after the type: `id:ID(Person){id-type: long}`, `at:datetime{timezone: Europe/Stockholm}`,
 * `at:point{crs: WGS-84}`. Without a type a column holds strings. A named `:ID` column is also a property. A column of
 * nodes that is named `_id` sets their internal identifiers.
 */
import { GraphDBError } from '../../base/index.ts';
import { parseZone } from '../../value/index.ts';
import type { IdType } from '../api.ts';
import { POINT_OPTIONS, type PointDefaults } from './parse-points.ts';

/** The scalar type of a property. */
export type ScalarType =
  | 'string'
  | 'integer'
  | 'float'
  | 'boolean'
  | 'date'
  | 'localtime'
  | 'time'
  | 'localdatetime'
  | 'datetime'
  | 'duration'
  | 'point'
  /** A list of components, with array delimiters between them. */
  | 'vector'
  /** Bytes in Base64. */
  | 'bytes'
  /** Any value, as typed JSON. */
  | 'json';

/** The type of a property. */
export interface PropertyType {
  readonly scalar: ScalarType;
  readonly list: boolean;
  /** The time zone of times and datetimes whose text names none. */
  readonly timezone?: string;
  /** Values for the parts of a point that its text leaves out, such as the coordinate system. */
  readonly pointDefaults?: PointDefaults;
}

/** A column of ids. */
export interface IdColumn {
  readonly column: number;
  readonly space: string;
  /** The type of the ids; null: the header does not name it. */
  readonly idType: IdType | null;
}

/** The property key that sets the internal identifier of a node. */
export const INTERNAL_ID = '_id';

/** A column of a property. */
export interface PropertyColumn {
  readonly column: number;
  readonly key: string;
  readonly type: PropertyType;
}

/** The header of a file. */
export interface Header {
  readonly columns: number;
  /** The names of all columns as in the header line, for messages. */
  readonly names: readonly string[];
  readonly properties: readonly PropertyColumn[];
}

/** The header of a file of nodes. */
export interface NodeHeader extends Header {
  /** The column of labels; null: there is none. */
  readonly label: number | null;
  readonly id: (IdColumn & { readonly key: string }) | null;
}

/** The header of a file of relationships. */
export interface RelationshipHeader extends Header {
  readonly start: IdColumn;
  readonly end: IdColumn;
  readonly type: number | null;
}

const TYPES: ReadonlyMap<string, ScalarType> = new Map([
  ['string', 'string'],
  ['char', 'string'],
  ['byte', 'integer'],
  ['short', 'integer'],
  ['int', 'integer'],
  ['integer', 'integer'],
  ['long', 'integer'],
  ['float', 'float'],
  ['double', 'float'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['localtime', 'localtime'],
  ['time', 'time'],
  ['localdatetime', 'localdatetime'],
  ['datetime', 'datetime'],
  ['duration', 'duration'],
  ['point', 'point'],
  ['vector', 'vector'],
  ['bytes', 'bytes'],
  ['json', 'json'],
]);

const ID_TYPES: ReadonlyMap<string, IdType> = new Map([
  ['string', 'string'],
  ['integer', 'integer'],
  ['int', 'integer'],
  ['long', 'integer'],
]);

/** Matches a field of a header: name, type or role, `(space)`, `[]`, `{options}`. */
const COLUMN = /^(?<name>.*?)(?::(?<type>[A-Za-z_]+)(?:\((?<space>[^()]*)\))?(?<list>\[\])?\s*(?:\{(?<options>[^{}]*)\})?)?$/s;
/** Matches a name that begins like a role: the header was then split at the wrong delimiter. */
const MISREAD_ROLE = /^:(?:ID|START_ID|END_ID|LABEL|TYPE|IGNORE)/;
const ROLES = new Set(['ID', 'START_ID', 'END_ID', 'LABEL', 'TYPE', 'IGNORE']);

/** A field of a header. */
export interface HeaderField {
  readonly column: number;
  readonly text: string;
  readonly name: string;
  /** One of ROLES; null: the column is a property. */
  readonly role: string | null;
  readonly type: string;
  /** Whether the text names the type. */
  readonly typed: boolean;
  readonly space: string;
  readonly list: boolean;
  readonly options: ReadonlyMap<string, string>;
}

/** Parses the header of a file of nodes. @throws ARGUMENT_ERROR that names the column */
export function parseNodeHeader(fields: readonly string[]): NodeHeader {
  return nodeHeader(fields.map(parseHeaderField));
}

/** Returns the header of a file of nodes from its fields. @throws ARGUMENT_ERROR that names the column */
export function nodeHeader(raw: readonly HeaderField[]): NodeHeader {
  refuse(raw, ['START_ID', 'END_ID', 'TYPE'], 'a file of nodes');
  const id = single(raw, 'ID');
  const header = commonHeader(raw, id === null || id.name === '' ? [] : [id.name]);
  const internal = header.properties.find(({ key }) => key === INTERNAL_ID);
  const isText = internal === undefined || (internal.type.scalar === 'string' && !internal.type.list);
  if (!isText || (id?.name === INTERNAL_ID && idColumn(id).idType === 'integer')) throw fault('the internal identifier _id is a string');
  return { ...header, label: single(raw, 'LABEL')?.column ?? null, id: id === null ? null : { ...idColumn(id), key: id.name } };
}

/** Returns the columns that hold one integer per row. */
export function integerColumns(properties: readonly PropertyColumn[]): number[] {
  return properties.filter(({ type }) => type.scalar === 'integer' && !type.list).map(({ column }) => column);
}

/** Parses the header of a file of relationships. */
export function parseRelationshipHeader(fields: readonly string[]): RelationshipHeader {
  return relationshipHeader(fields.map(parseHeaderField));
}

/** Returns the header of a file of relationships from its fields. */
export function relationshipHeader(raw: readonly HeaderField[]): RelationshipHeader {
  refuse(raw, ['ID', 'LABEL'], 'a file of relationships');
  const start = single(raw, 'START_ID');
  const end = single(raw, 'END_ID');
  if (start === null || end === null) throw fault(`a file of relationships needs a :START_ID and an :END_ID column`);
  if (raw.some(({ name, role }) => role === null && name === INTERNAL_ID)) throw fault('relationships have no _id that can be set');
  return { ...commonHeader(raw, []), start: idColumn(start), end: idColumn(end), type: single(raw, 'TYPE')?.column ?? null };
}

/** Parses a field of a header. @throws ARGUMENT_ERROR that names the column */
export function parseHeaderField(text: string, column: number): HeaderField {
  const groups = COLUMN.exec(text)?.groups as Partial<Record<'name' | 'type' | 'space' | 'list' | 'options', string>>;
  const { name = '', type = 'string', space, list, options } = groups;
  if (groups.type === undefined && text.includes(':')) throw fault(`column ${JSON.stringify(text)}: what follows the colon is no type`);
  if (MISREAD_ROLE.test(name)) throw fault(`column ${JSON.stringify(text)} is none that has a meaning; is the delimiter right?`);
  const role = ROLES.has(type) ? type : null;
  if (role === null && space !== undefined) throw fault(`column ${JSON.stringify(text)}: only :ID, :START_ID and :END_ID have an id space`);
  if (role !== null && role !== 'LABEL' && list !== undefined) throw fault(`column ${JSON.stringify(text)}: :${role} is no list`);
  if (role === null && name === '') throw fault(`column ${column + 1} has no name`);
  return {
    column,
    text,
    name,
    role,
    type,
    typed: groups.type !== undefined,
    space: space ?? '',
    list: list !== undefined,
    options: parseOptions(text, options),
  };
}

/** Parses a field as `parseHeaderField` does; text without the form of a header is the plain name of a property. */
export function parseNamedField(text: string, column: number): HeaderField {
  if (!text.startsWith(':') && text.includes(':')) {
    const word = COLUMN.exec(text)?.groups?.['type'];
    if (word === undefined || !(ROLES.has(word) || TYPES.has(word.toLowerCase()))) return plainField(text, column);
  }
  return parseHeaderField(text, column);
}

function plainField(text: string, column: number): HeaderField {
  return { column, text, name: text, role: null, type: 'json', typed: false, space: '', list: false, options: new Map() };
}

const OPTIONS: readonly string[] = ['id-type', 'timezone', 'label', ...POINT_OPTIONS];

function parseOptions(text: string, options: string | undefined): ReadonlyMap<string, string> {
  if (options === undefined || options.trim() === '') return new Map();
  return new Map(
    options.split(',').map((option) => {
      const at = option.indexOf(':');
      const name = option.slice(0, at).trim();
      if (at < 0 || !OPTIONS.includes(name)) {
        throw fault(`column ${JSON.stringify(text)}: unknown option ${JSON.stringify(option.trim())} (${OPTIONS.join(', ')})`);
      }
      return [
        name,
        option
          .slice(at + 1)
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ];
    }),
  );
}

function commonHeader(raw: readonly HeaderField[], taken: readonly string[]): Header {
  const properties = withRole(raw, null).map((column) => ({ column: column.column, key: column.name, type: propertyType(column) }));
  const seen = new Set(taken);
  for (const { key } of properties) {
    if (seen.has(key)) throw fault(`two columns are named ${JSON.stringify(key)}`);
    seen.add(key);
  }
  return { columns: raw.length, names: raw.map(({ text }) => text), properties };
}

/** Returns the type of property that a header's field names. */
export function propertyType({ text, type, list, options }: HeaderField): PropertyType {
  const scalar = TYPES.get(type.toLowerCase());
  if (scalar === undefined) {
    throw fault(`column ${JSON.stringify(text)}: unknown type "${type}" (${[...TYPES.keys()].join(', ')}, each also as a list: ${type}[])`);
  }
  const timezone = options.get('timezone');
  if (timezone !== undefined) parseZone(timezone);
  const pointDefaults = new Map(Array.from(options).filter(([name]) => (POINT_OPTIONS as readonly string[]).includes(name)));
  if (pointDefaults.size > 0 && scalar !== 'point')
    throw fault(`column ${JSON.stringify(text)}: ${[...pointDefaults.keys()].join(', ')} belong to points`);
  return { scalar, list, ...(timezone === undefined ? {} : { timezone }), ...(pointDefaults.size === 0 ? {} : { pointDefaults }) };
}

function idColumn({ column, text, space, options }: HeaderField): IdColumn {
  const named = options.get('id-type');
  const idType = named === undefined ? null : ID_TYPES.get(named.toLowerCase());
  if (idType === undefined) throw fault(`column ${JSON.stringify(text)}: id-type is one of ${[...ID_TYPES.keys()].join(', ')}`);
  return { column, space, idType };
}

function withRole(raw: readonly HeaderField[], role: string | null): readonly HeaderField[] {
  return raw.filter((column) => column.role === role);
}

function single(raw: readonly HeaderField[], role: string): HeaderField | null {
  const found = withRole(raw, role);
  if (found.length > 1) throw fault(`two columns are :${role}`);
  return found[0] ?? null;
}

function refuse(raw: readonly HeaderField[], roles: readonly string[], where: string): void {
  const found = raw.find(({ role }) => role !== null && roles.includes(role));
  if (found !== undefined) throw fault(`column ${JSON.stringify(found.text)} has no place in ${where}`);
}

function fault(message: string): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', message);
}

/** A graph as the tables that SQL reads: its shape, and rows of any of its sources. */
import type { Engine } from '../../src/engine/index.ts';
import {
  BOOLEAN,
  commonType,
  type Dialect,
  FLOAT,
  type GraphShape,
  INTEGER,
  NULL,
  OPAQUE,
  type SqlSource,
  type SqlType,
  STRING,
} from '../../src/sql/index.ts';
import { CypherDate, isFloat, isInteger, type ResultValue, toNumber, writeJson } from '../../src/value/index.ts';

interface Entity {
  readonly fixed: ReadonlyMap<string, ResultValue>;
  /** The type of a relationship, which has no labels. */
  readonly labels: readonly string[];
  readonly properties: ReadonlyMap<string, ResultValue>;
}

export interface GraphDump {
  readonly nodes: readonly Entity[];
  readonly relationships: readonly Entity[];
  readonly shape: GraphShape;
}

const none = new Map();

export async function dumpGraph(engine: Engine): Promise<GraphDump> {
  const nodes = await engine.execute('MATCH (n) RETURN elementId(n), labels(n), properties(n)', none);
  const relationships = await engine.execute(
    'MATCH (a)-[r]->(b) RETURN elementId(r), type(r), elementId(a), elementId(b), properties(r)',
    none,
  );
  const dumped = {
    nodes: nodes.rows.map(
      ([id, labels, properties]): Entity => ({
        fixed: new Map<string, ResultValue>([
          ['<ordinal>', ordinalOf(id)],
          ['<id>', id!],
          ['<labels>', labels!],
        ]),
        labels: labels as string[],
        properties: properties as ReadonlyMap<string, ResultValue>,
      }),
    ),
    relationships: relationships.rows.map(
      ([id, type, source, target, properties]): Entity => ({
        fixed: new Map<string, ResultValue>([
          ['<ordinal>', ordinalOf(id)],
          ['<rel.id>', id!],
          ['<rel.type>', type!],
          ['<source.ordinal>', ordinalOf(source)],
          ['<target.ordinal>', ordinalOf(target)],
          ['<source.id>', source!],
          ['<target.id>', target!],
        ]),
        labels: [type as string],
        properties: properties as ReadonlyMap<string, ResultValue>,
      }),
    ),
  };
  const shape: GraphShape = {
    nodes: dumped.nodes.map(({ labels, properties }) => ({ labels, properties: typesOf(properties) })),
    relationships: dumped.relationships.map(({ labels, properties }) => ({ type: labels[0]!, properties: typesOf(properties) })),
  };
  return { ...dumped, shape };
}

/** Nobody has given identifiers: `n7` is the node of the ordinal 7. */
function ordinalOf(id: ResultValue | undefined): number {
  return Number((id as string).slice(1));
}

function typesOf(properties: ReadonlyMap<string, ResultValue>): Map<string, SqlType> {
  return new Map([...properties].map(([key, value]) => [key, typeOf(value)]));
}

function commonTypeOf(values: readonly ResultValue[]): SqlType {
  return values.reduce<SqlType>((type, value) => (value === null ? type : (commonType(type, typeOf(value)) ?? OPAQUE)), NULL);
}

function typeOf(value: ResultValue): SqlType {
  if (isInteger(value)) return INTEGER;
  if (isFloat(value)) return FLOAT;
  if (typeof value === 'string') return STRING;
  if (typeof value === 'boolean') return BOOLEAN;
  if (Array.isArray(value)) {
    const item = value.reduce<SqlType | null>((type, each) => (type === null ? null : commonType(type, typeOf(each))), NULL);
    return item === null ? OPAQUE : { kind: 'list', item };
  }
  return value instanceof CypherDate ? { kind: 'date' } : OPAQUE;
}

/** JSON, in which a Float that is no finite number is a text that the helper knows. */
export function jsonOf(value: ResultValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (isFloat(value) && !Number.isFinite(toNumber(value))) return JSON.stringify(`float:${toNumber(value)}`);
  return writeJson(value);
}

/** The table of a source as JSON: `{"name", "columns": [{"name", "type"}], "rows"}`. */
export function rowsOf(dump: GraphDump, { name, labels, type, columns }: SqlSource, dialect: Dialect): string {
  const entities =
    labels === null
      ? dump.relationships.filter((each) => each.labels[0] === type)
      : dump.nodes.filter((each) => labels.every((label) => each.labels.includes(label)));
  const described = columns.map((column) => {
    const key = labels === null && column.startsWith('rel.') ? column.slice(4) : column;
    const of = (entity: Entity): ResultValue => entity.fixed.get(column) ?? entity.properties.get(key) ?? null;
    const sqlType: SqlType = column === '<labels>' ? { kind: 'list', item: STRING } : commonTypeOf(entities.map(of));
    const text = (entity: Entity): string => {
      const own = of(entity);
      return own === null || sqlType.kind !== 'opaque' ? jsonOf(own) : JSON.stringify(`json:${jsonOf(own)}`);
    };
    return { column, text, type: dialect.typeName(sqlType) };
  });
  const rows = entities.map((entity) => `[${described.map(({ text }) => text(entity)).join(',')}]`);
  const types = described.map(({ column, type: sql }) => ({ name: column, type: sql }));
  return `{"name":${JSON.stringify(name)},"columns":${JSON.stringify(types)},"rows":[${rows.join(',')}]}`;
}

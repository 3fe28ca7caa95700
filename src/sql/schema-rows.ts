/** Makes the shape of a graph from the rows of `db.schema.nodeTypeProperties` and `db.schema.relTypeProperties`. */
import { type GraphShape, LISTS, united } from './shape.ts';
import { BOOLEAN, commonType, FLOAT, INTEGER, NULL, OPAQUE, type SqlType, STRING } from './types.ts';

/** A property of the nodes of a label set, or of the relationships of a type; with `key` null the entities have no properties. */
export interface SchemaRow {
  /** The labels of nodes, or the one type of relationships. */
  readonly names: readonly string[];
  readonly key: string | null;
  readonly types: readonly string[];
  /** The types of the items of the property's lists; absent: they are not known. */
  readonly listItems?: readonly SqlType[];
}

const TYPES: ReadonlyMap<string, SqlType> = new Map<string, SqlType>([
  ['Long', INTEGER],
  ['Double', FLOAT],
  ['String', STRING],
  ['Boolean', BOOLEAN],
  ['Date', { kind: 'date' }],
]);

/** Returns the shape of a graph from the rows of its schema. */
export function shapeOfSchema(nodes: readonly SchemaRow[], relationships: readonly SchemaRow[]): GraphShape {
  return {
    nodes: grouped(nodes).map(([labels, properties]) => ({ labels, properties })),
    relationships: grouped(relationships).map(([[type], properties]) => ({ type: type!, properties })),
  };
}

function grouped(rows: readonly SchemaRow[]): [readonly string[], ReadonlyMap<string, SqlType>][] {
  const groups = Map.groupBy(rows, ({ names }) => JSON.stringify(names));
  return [...groups.values()].map((group) => [group[0]!.names, united(group.map(propertyOf))]);
}

/** Returns the type of lists by those of their items; lists of nothing are told from others only beside them. */
function listOf(items: readonly SqlType[]): SqlType {
  const item = items.reduce<SqlType | null>((type, each) => (type === null ? null : commonType(type, each)), NULL);
  return item === null || items.some(({ kind }) => kind === 'opaque') ? LISTS : { kind: 'list', item };
}

function propertyOf({ key, types, listItems }: SchemaRow): ReadonlyMap<string, SqlType> {
  if (key === null) return new Map();
  const [type] = types;
  if (listItems !== undefined) return new Map([[key, listOf(listItems)]]);
  return new Map([[key, type === undefined || types.length > 1 ? OPAQUE : (TYPES.get(type) ?? { kind: 'opaque', name: type })]]);
}

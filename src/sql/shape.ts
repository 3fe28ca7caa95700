/** The shape of a graph as far as lowering needs it: the label sets, the types, and the properties of each. */
import { commonType, OPAQUE, type SqlType } from './types.ts';

/** The type of lists whose items have no type that is known: in the tables they are JSON text. */
export const LISTS: SqlType = { kind: 'opaque', name: 'List' };

/** The types of properties, by name. */
export type PropertyTypes = ReadonlyMap<string, SqlType>;

/** The shape of a graph. */
export interface GraphShape {
  /** One entry for each label set. */
  readonly nodes: readonly { readonly labels: readonly string[]; readonly properties: PropertyTypes }[];
  readonly relationships: readonly { readonly type: string; readonly properties: PropertyTypes }[];
}

/** Returns the properties of all nodes that carry these labels; null: there are no such nodes. */
export function nodeProperties(shape: GraphShape, labels: readonly string[]): PropertyTypes | null {
  const tables = shape.nodes.filter((table) => labels.every((label) => table.labels.includes(label)));
  return tables.length === 0 ? null : stored(united(tables.map(({ properties }) => properties)));
}

/** Returns the properties of a relationship type; null: there is no such type. */
export function relationshipProperties(shape: GraphShape, type: string): PropertyTypes | null {
  const tables = shape.relationships.filter((table) => table.type === type);
  return tables.length === 0 ? null : stored(united(tables.map(({ properties }) => properties)));
}

/** A column whose lists are all empty is JSON text. */
function stored(properties: PropertyTypes): PropertyTypes {
  return new Map([...properties].map(([key, type]) => [key, type.kind === 'list' && type.item.kind === 'null' ? LISTS : type]));
}

/** Returns the properties of several tables together. A property whose values have different types is opaque. */
export function united(tables: readonly PropertyTypes[]): PropertyTypes {
  const types = new Map<string, SqlType>();
  for (const [key, type] of tables.flatMap((table) => [...table])) {
    const known = types.get(key);
    types.set(key, known === undefined ? type : (commonType(known, type) ?? OPAQUE));
  }
  return new Map([...types].sort(([a], [b]) => (a < b ? -1 : 1)));
}

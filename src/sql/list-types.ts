/** Finds the types of the items of list properties, which the schema does not tell: by the values of the graph. */
import { formatName } from '../cypher/index.ts';
import type { Ask } from './constants.ts';
import type { SchemaRow } from './schema-rows.ts';
import { BOOLEAN, FLOAT, INTEGER, NULL, type SqlType, STRING } from './types.ts';

const ITEM_TYPES: ReadonlyMap<string, SqlType> = new Map<string, SqlType>([
  ['NOTHING', NULL],
  ['NULL', NULL],
  ['INTEGER', INTEGER],
  ['FLOAT', FLOAT],
  ['STRING', STRING],
  ['BOOLEAN', BOOLEAN],
  ['DATE', { kind: 'date' }],
]);

/**
 * Returns the rows of a schema with the types of lists, for the property keys that a statement reads. It runs a statement
 * for each such property of a label set or type, which reads all its values.
 */
export async function withListTypes(
  ask: Ask,
  rows: readonly SchemaRow[],
  of: { readonly kind: 'node' | 'relationship'; readonly keys: ReadonlySet<string> },
): Promise<SchemaRow[]> {
  const found: SchemaRow[] = [];
  for (const row of rows) {
    const isRead = row.key !== null && of.keys.has(row.key) && row.types.length === 1 && row.types[0] === 'List';
    found.push(isRead ? { ...row, listItems: await itemTypes(ask, row, of.kind) } : row);
  }
  return found;
}

async function itemTypes(ask: Ask, { names, key }: SchemaRow, kind: 'node' | 'relationship'): Promise<SqlType[]> {
  const all = names.map((name) => `:${formatName(name)}`).join('');
  const pattern = kind === 'node' ? `(n${all}) WHERE size(labels(n)) = ${names.length} AND` : `()-[n${all}]->() WHERE`;
  const { rows } = await ask(`MATCH ${pattern} n.${formatName(key!)} IS NOT NULL RETURN DISTINCT valueType(n.${formatName(key!)}) AS type`);
  return rows.map(([text]) => {
    const item = /^LIST<(\w+)(?: NOT NULL)?> NOT NULL$/.exec(String(text))?.[1];
    return ITEM_TYPES.get(item ?? '') ?? { kind: 'opaque' };
  });
}

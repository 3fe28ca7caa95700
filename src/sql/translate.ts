/**
 * Translates a Cypher text to SQL over the tables of a graph, whose schema it asks for, as the command `graphdb sql`
 * and the Python client need it.
 */
import { analyze, parse } from '../cypher/index.ts';
import type { Value } from '../value/index.ts';
import { type Ask, findConstants, NO_CONSTANTS } from './constants.ts';
import type { DialectName } from './dialect.ts';
import { withListTypes } from './list-types.ts';
import { lowerStatement, mentionedKeys, type SqlStatement } from './lower-statement.ts';
import { type SchemaRow, shapeOfSchema } from './schema-rows.ts';

const NODES =
  'CALL db.schema.nodeTypeProperties() YIELD nodeLabels, propertyName, propertyTypes RETURN nodeLabels, propertyName, propertyTypes';
const RELATIONSHIPS =
  'CALL db.schema.relTypeProperties() YIELD relType, propertyName, propertyTypes RETURN relType, propertyName, propertyTypes';

/** A text that is to be translated. */
export interface Translation {
  readonly text: string;
  readonly dialect: DialectName;
  readonly parameters: ReadonlyMap<string, Value>;
  /** The prefix of the names of the tables that the SQL reads; absent: none. */
  readonly prefix?: string;
}

/**
 * Translates a text. It asks for the schema, and for the values of constant expressions.
 *
 * @throws UNSUPPORTED for a part without a form in SQL, with its name and place
 */
export async function translate(ask: Ask, translation: Translation): Promise<SqlStatement> {
  const bound = analyze(parse(translation.text), translation.text);
  const keys = mentionedKeys(bound);
  const shape = shapeOfSchema(
    await withListTypes(ask, await schemaRows(ask, NODES), { kind: 'node', keys }),
    await withListTypes(ask, await schemaRows(ask, RELATIONSHIPS), { kind: 'relationship', keys }),
  );
  const { body } = bound.statement;
  const constants = body.kind === 'query' && !bound.writes ? await findConstants(body.parts, translation.text, ask) : NO_CONSTANTS;
  return lowerStatement(bound, { ...translation, shape, constants });
}

async function schemaRows(ask: Ask, query: string): Promise<SchemaRow[]> {
  const { rows } = await ask(query);
  // The columns of the procedures: names (types are quoted after a colon), a key or null, names of value types or null.
  return rows.map(([names, key, types]) => ({
    names: typeof names === 'string' ? [names.slice(2, -1)] : (names as string[]),
    key: (key ?? null) as string | null,
    types: (types ?? []) as string[],
  }));
}

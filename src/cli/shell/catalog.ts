/** The names that a graph uses, for completion and `:schema`. */
import type { Session } from './session.ts';

/** The names that a graph uses: labels, types, property keys and functions. */
export interface Catalog {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  readonly keys: readonly string[];
  readonly functions: readonly string[];
}

/** Reads the names that a graph uses. */
export async function readCatalog(session: Session): Promise<Catalog> {
  return {
    labels: await names(session, 'CALL db.labels() YIELD label RETURN label ORDER BY label'),
    types: await names(session, 'CALL db.relationshipTypes() YIELD relationshipType AS t RETURN t ORDER BY t'),
    keys: await names(session, 'CALL db.propertyKeys() YIELD propertyKey AS k RETURN k ORDER BY k'),
    functions: await names(session, 'SHOW FUNCTIONS YIELD name RETURN name ORDER BY name'),
  };
}

async function names(session: Session, query: string): Promise<string[]> {
  const { rows } = await session.query(query, new Map());
  return rows.map((row) => String(row[0]));
}

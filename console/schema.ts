/** Labels, types and property keys of a namespace, for the editor and the panel of the schema. */
import { type Connection, run } from './api.ts';
import { quoted } from './values.ts';

export interface Schema {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  readonly keys: readonly string[];
  readonly functions: readonly string[];
  readonly procedures: readonly string[];
  /** Numbers of nodes and relationships, indexed by label and by type; absent: not counted yet. */
  readonly labelCounts: Readonly<Record<string, number>>;
  readonly typeCounts: Readonly<Record<string, number>>;
  readonly indexes: readonly string[];
  readonly constraints: readonly string[];
}

export const EMPTY_SCHEMA: Schema = {
  labels: [],
  types: [],
  keys: [],
  functions: [],
  procedures: [],
  labelCounts: {},
  typeCounts: {},
  indexes: [],
  constraints: [],
};

/** More are listed without counts. */
const COUNTED = 60;

export async function readSchema(connection: Connection): Promise<Schema> {
  const column = async (query: string, name: string): Promise<string[]> => {
    const { rows } = await run(connection, query);
    return rows.map((row) => String(row[name]));
  };
  const [labels, types, keys, functions, procedures, indexes, constraints] = await Promise.all([
    column('CALL db.labels()', 'label'),
    column('CALL db.relationshipTypes()', 'relationshipType'),
    column('CALL db.propertyKeys()', 'propertyKey'),
    column('SHOW FUNCTIONS YIELD name', 'name'),
    column('SHOW PROCEDURES YIELD name', 'name'),
    described(connection, 'SHOW INDEXES'),
    described(connection, 'SHOW CONSTRAINTS'),
  ]);
  const [labelCounts, typeCounts] = await Promise.all([
    counts(connection, labels, (name) => `MATCH (n:${quoted(name)}) RETURN count(n) AS n`),
    counts(connection, types, (name) => `MATCH ()-[r:${quoted(name)}]->() RETURN count(r) AS n`),
  ]);
  return { labels, types, keys, functions, procedures, indexes, constraints, labelCounts, typeCounts };
}

async function counts(connection: Connection, names: readonly string[], query: (name: string) => string): Promise<Record<string, number>> {
  const counted = names.slice(0, COUNTED).map(async (name): Promise<[string, number]> => {
    const { rows } = await run(connection, query(name));
    return [name, Number(rows[0]?.['n'] ?? 0)];
  });
  return Object.fromEntries(await Promise.all(counted));
}

async function described(connection: Connection, query: string): Promise<string[]> {
  const { rows } = await run(connection, query);
  return rows.map((row) => {
    const [labels, keys] = [row['labelsOrTypes'], row['properties']].map((list) => (Array.isArray(list) ? list.join(', ') : ''));
    return `${String(row['name'])}: ${String(row['type'])} on ${labels} (${keys})`;
  });
}

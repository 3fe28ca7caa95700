/**
 * Checks and completes the schema of the graph that an import leaves, before it is published: the constraints of the
 * namespace must hold for the imported data too, and statements create new indexes and constraints. The graph is opened
 * from the files that were uploaded already; only the properties that constraints are about are read into memory.
 */
import { assert, finish, GraphDBError } from '../base/index.ts';
import { type CreateConstraint, type CreateIndex, parse } from '../cypher/index.ts';
import { applySchemaCommand } from '../exec/index.ts';
import { type GraphStore, type GraphView, openGraphStore, type Requirements, type Violators, violatorsOf } from '../graph/index.ts';
import type { Catalog, Manifest, Namespace } from '../storage/index.ts';
import type { RowPlace } from './row-watch.ts';

/** A constraint that does not hold, and the nodes or relationships that break it. */
export interface BrokenConstraint {
  readonly error: GraphDBError;
  /** The statement that would create the constraint; null: the namespace has it already. */
  readonly statement: string | null;
  readonly violators: readonly Violator[];
}

/** The node or relationship that breaks a constraint. */
export type Violator =
  | { readonly entity: 'node'; readonly ordinal: number }
  | {
      readonly entity: 'relationship';
      readonly type: string;
      readonly ordinal: number;
      readonly source: number;
      readonly target: number;
      /** Ordinals of the relationships of the same type, source and target, this one included, ascending. */
      readonly parallel: readonly number[];
    };

/** The outcome of completing a schema. */
export type Completion =
  | { readonly kind: 'complete'; readonly catalog: Catalog }
  | { readonly kind: 'broken'; readonly constraint: BrokenConstraint };

/**
 * Returns the catalog with what the statements create, or the constraint that does not hold.
 *
 * @param manifest the manifest of the graph as it will be
 * @throws the error of a statement that is wrong, with its text
 */
export async function completedCatalog(namespace: Namespace, manifest: Manifest, statements: readonly string[]): Promise<Completion> {
  const store = await openGraphStore({
    manifest,
    recovered: [],
    openSst: (file) => namespace.openSst(file),
    openArtefact: (artefact) => namespace.openArtefact(artefact),
    foundDamaged: (artefact) => namespace.foundDamaged(artefact),
  });
  const { constraints } = store.snapshot().schema;
  for (const { entity, labelOrType, keys } of constraints) await requireProperties(store, { entity, labelOrType, keys });
  const transaction = store.begin();
  try {
    for (const constraint of constraints) finish(transaction.checkConstraint(constraint));
  } catch (error) {
    return broken(store, error, null);
  } finally {
    transaction.rollback();
  }
  for (const statement of statements) {
    try {
      await apply(store, statement);
    } catch (error) {
      return broken(store, error, statement);
    }
  }
  return { kind: 'complete', catalog: store.collectFlush()?.edit.catalog ?? manifest.catalog };
}

/** Describes a broken constraint. Rethrows any other error, with the text of the statement. */
function broken(store: GraphStore, error: unknown, statement: string | null): Completion {
  if (!(error instanceof GraphDBError)) throw error;
  const violators = violatorsOf(error);
  if (violators === null)
    throw new GraphDBError(error.code, `${error.message}; nothing was imported${quoted(statement)}`, { cause: error });
  return { kind: 'broken', constraint: { error, statement, violators: described(store.snapshot(), violators) } };
}

/**
 * Returns the error for a broken constraint. It names the row that broke it; of two rows the later one.
 *
 * @param places the row of each violator; null where it came from no row, or none was found
 */
export function violationAt({ error, statement, violators }: BrokenConstraint, places: readonly (RowPlace | null)[]): GraphDBError {
  const found = places.filter((place) => place !== null).sort((a, b) => b.position - a.position);
  const [last, other] = found.map(({ file, line }) => `${file}:${line}`);
  const where = last === undefined ? '' : `${last}: `;
  const beside =
    violators.length < 2 || last === undefined ? '' : other === undefined ? '; the other is in the store' : `; the other is ${other}`;
  return new GraphDBError(error.code, `${where}${error.message}${beside}; nothing was imported${quoted(statement)}`, { cause: error });
}

function quoted(statement: string | null): string {
  return statement === null ? '' : `: ${statement}`;
}

function described(view: GraphView, { entity, labelOrType, ordinals }: Violators): Violator[] {
  if (entity === 'node') return ordinals.map((ordinal) => ({ entity, ordinal }));
  const table = view.relationshipTables[view.types.find(labelOrType)];
  assert(table !== undefined, 'a relationship breaks a constraint and has no table');
  const { sources, targets, rowCount } = table;
  const wanted = new Set(ordinals);
  const ordinalOf = (row: number): number => (table.ordinalBase >= 0 ? row + table.ordinalBase : table.ordinals[row]!);
  const found: { ordinal: number; source: number; target: number; parallel: number[] }[] = [];
  for (let row = 0; row < rowCount; row++) {
    if (!table.isHomeRow(row) || !wanted.has(ordinalOf(row))) continue;
    found.push({ ordinal: ordinalOf(row), source: sources[row]!, target: targets[row]!, parallel: [] });
  }
  for (const { source, target, parallel } of found) {
    for (let row = 0; row < rowCount; row++) {
      if (sources[row] === source && targets[row] === target && table.isHomeRow(row)) parallel.push(ordinalOf(row));
    }
    parallel.sort((a, b) => a - b);
  }
  return found.map((relationship) => ({ entity, type: labelOrType, ...relationship }));
}

async function apply(store: GraphStore, statement: string): Promise<void> {
  const command = schemaCommand(statement);
  if (command.kind === 'createConstraint') await requireProperties(store, { ...command, keys: command.properties });
  const transaction = store.begin();
  try {
    finish(applySchemaCommand(transaction, command, new Map()));
    transaction.commit();
    store.publish(store.committedSequence);
  } catch (error) {
    transaction.rollback();
    throw error;
  }
}

/** Parses a statement that creates an index or a constraint; it is treated as if it had IF NOT EXISTS. */
function schemaCommand(statement: string): CreateIndex | CreateConstraint {
  const { body } = parse(statement);
  if (body.kind === 'createIndex' || body.kind === 'createConstraint') return { ...body, ifNotExists: true };
  throw new GraphDBError('ARGUMENT_ERROR', 'it creates neither an index nor a constraint');
}

function requireProperties(
  store: GraphStore,
  { entity, labelOrType, keys }: Pick<CreateConstraint, 'entity' | 'labelOrType'> & { readonly keys: readonly string[] },
): Promise<void> | null {
  const nothing: Requirements = {
    labels: [],
    ends: [],
    types: [],
    nodeKeys: [],
    relationshipKeys: [],
    ids: false,
    lookups: false,
    writes: false,
  };
  const wanted = entity === 'node' ? { labels: [labelOrType], nodeKeys: keys } : { types: [labelOrType], relationshipKeys: keys };
  return store.require(store.snapshot(), { ...nothing, ...wanted });
}

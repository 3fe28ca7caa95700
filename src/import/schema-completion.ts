/**
 * The indexes and constraints of the graph as an import leaves it, before that is published: those of the namespace must hold for what the files bring, and statements make new
 * ones. The graph is opened from the files that are uploaded already; of it only the properties that constraints speak of are read into memory.
 */
import { GraphDBError } from '../base/index.ts';
import { type CreateConstraint, type CreateIndex, parse } from '../cypher/index.ts';
import { applySchemaCommand } from '../exec/index.ts';
import { type GraphStore, openGraphStore, type Requirements } from '../graph/index.ts';
import type { Catalog, Manifest, Namespace } from '../storage/index.ts';

/**
 * With what the statements create. CONSTRAINT_VIOLATION; another code: a statement, which the message quotes.
 * @param manifest of the graph as it will be
 */
export async function completedCatalog(namespace: Namespace, manifest: Manifest, statements: readonly string[]): Promise<Catalog> {
  const store = await openGraphStore({ manifest, recovered: [], openSst: (file) => namespace.openSst(file) });
  const { constraints } = store.snapshot().schema;
  for (const { entity, labelOrType, keys } of constraints) await requireProperties(store, { entity, labelOrType, keys });
  const transaction = store.begin();
  try {
    for (const constraint of constraints) transaction.checkConstraint(constraint);
  } catch (error) {
    throw explained(error, '');
  } finally {
    transaction.rollback();
  }
  for (const statement of statements) {
    await apply(store, statement).catch((error: unknown) => {
      throw explained(error, `: ${statement}`);
    });
  }
  return store.collectFlush()?.edit.catalog ?? manifest.catalog;
}

async function apply(store: GraphStore, statement: string): Promise<void> {
  const command = schemaCommand(statement);
  if (command.kind === 'createConstraint') await requireProperties(store, { ...command, keys: command.properties });
  const transaction = store.begin();
  try {
    applySchemaCommand(transaction, command);
    transaction.commit();
    store.publish(store.committedSequence);
  } catch (error) {
    transaction.rollback();
    throw error;
  }
}

/** What is there already may be so. */
function schemaCommand(statement: string): CreateIndex | CreateConstraint {
  const { body } = parse(statement);
  if (body.kind === 'createIndex' || body.kind === 'createConstraint') return { ...body, ifNotExists: true };
  throw new GraphDBError('ARGUMENT_ERROR', 'it creates neither an index nor a constraint');
}

function requireProperties(
  store: GraphStore,
  { entity, labelOrType, keys }: Pick<CreateConstraint, 'entity' | 'labelOrType'> & { readonly keys: readonly string[] },
): Promise<void> | null {
  const nothing: Requirements = { labels: [], types: [], nodeKeys: [], relationshipKeys: [], ids: false, writes: false };
  const wanted = entity === 'node' ? { labels: [labelOrType], nodeKeys: keys } : { types: [labelOrType], relationshipKeys: keys };
  return store.require(store.snapshot(), { ...nothing, ...wanted });
}

function explained(error: unknown, place: string): unknown {
  if (!(error instanceof GraphDBError)) return error;
  return new GraphDBError(error.code, `${error.message}; nothing was imported${place}`, { cause: error });
}

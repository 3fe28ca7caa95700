/**
 * Whether a statement can be run on a store opened for reading. Opening for writing takes the epoch from the server that writes there now, so
 * it is done for statements that may write, and for those whose text cannot be judged here.
 */
import { parseStorageUri } from '../object-store/index.ts';

const WRITING_KINDS: ReadonlySet<unknown> = new Set([
  'create',
  'merge',
  'set',
  'remove',
  'delete',
  'foreach',
  'callProcedure',
  'createIndex',
  'createConstraint',
  'dropSchema',
]);

export async function opensForReading(query: string, store: string): Promise<boolean> {
  // A store in this process has no other writer, and starts empty: it must be made before it can be read.
  if (parseStorageUri(store).scheme === 'memory') return false;
  const { parse } = await import('../cypher/index.ts');
  const statement = parse(query);
  return statement.mode === 'explain' || !holdsWriting(statement.body);
}

function holdsWriting(tree: unknown): boolean {
  if (Array.isArray(tree)) return tree.some(holdsWriting);
  if (typeof tree !== 'object' || tree === null || tree instanceof Map) return false;
  return WRITING_KINDS.has((tree as { kind?: unknown }).kind) || Object.values(tree).some(holdsWriting);
}

/**
 * Decides whether a store is opened for reading or for writing. Opening for writing takes the epoch from the server
 * that writes there, so it is done only for statements that may write.
 */
import { parseStorageUri } from '../object-store/index.ts';

const WRITING_KINDS: ReadonlySet<string> = new Set([
  'create',
  'merge',
  'set',
  'remove',
  'delete',
  'foreach',
  'createIndex',
  'createConstraint',
  'dropSchema',
]);

/** Tells whether a statement needs a store to be read only. @throws SYNTAX_ERROR when it cannot be parsed */
export async function opensForReading(query: string, store: string): Promise<boolean> {
  if (!canOpenForReading(store)) return false;
  const { parse, walk } = await import('../cypher/index.ts');
  const statement = parse(query);
  let writes = false;
  walk(statement.body, (node) => {
    writes ||= WRITING_KINDS.has(node.kind);
    return !writes;
  });
  return statement.mode === 'explain' || !writes;
}

/** Tells whether a store can be opened for reading. A store in this process starts empty, so it must be opened for writing. */
export function canOpenForReading(store: string): boolean {
  return parseStorageUri(store).scheme !== 'memory';
}

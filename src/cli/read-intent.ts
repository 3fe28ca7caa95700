/**
 * Whether a store is opened for reading or for writing. Opening for writing takes the epoch from the server that writes there now, so it is
 * done for statements that may write, and nothing else.
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

/** `SYNTAX_ERROR` for a statement that cannot be parsed, before anything is opened. */
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

/** A store in this process has no other writer, and starts empty: it must be made before it can be read. */
export function canOpenForReading(store: string): boolean {
  return parseStorageUri(store).scheme !== 'memory';
}

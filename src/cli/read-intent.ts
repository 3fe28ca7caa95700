/**
 * Decides whether a store is opened for reading or for writing. Opening for writing takes the epoch from the server
 * that writes there, so it is done only for statements that may write.
 */
import { parseStorageUri } from '../object-store/index.ts';

/**
 * Tells whether a statement needs a store to be read only. It is bound as the engine binds it, so that procedures and
 * statements within statements count as the engine counts them.
 *
 * @throws SYNTAX_ERROR, SEMANTIC_ERROR, TYPE_ERROR for a statement that the engine would refuse
 */
export async function opensForReading(query: string, store: string): Promise<boolean> {
  if (!canOpenForReading(store)) return false;
  const { analyze, parse } = await import('../cypher/index.ts');
  const { builtInProcedures, ProcedureRegistry } = await import('../exec/index.ts');
  const procedures = new ProcedureRegistry(builtInProcedures);
  const statement = parse(query);
  const { writes } = analyze(statement, query, {
    procedures: (name) => procedures.signature(name),
    procedureNames: () => procedures.names(),
  });
  return statement.mode === 'explain' || !writes;
}

/** Tells whether a store can be opened for reading. A store in this process starts empty, so it must be opened for writing. */
export function canOpenForReading(store: string): boolean {
  return parseStorageUri(store).scheme !== 'memory';
}

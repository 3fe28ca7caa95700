/** Names under which clients know databases. */
import { GraphDBError } from '../base/index.ts';
import type { HeldNamespace } from './namespaces.ts';

/** The name of the default database in Neo4j, which many clients give unasked. */
export const USUAL_DATABASE = 'neo4j';
/** The database in Neo4j that takes commands about databases. */
export const SYSTEM_DATABASE = 'system';

/** Tells whether a caller holds `system`, which is there for every caller of a server of several namespaces. */
export function isSystem({ database, isOneOfMany }: Pick<HeldNamespace, 'database' | 'isOneOfMany'>): boolean {
  return isOneOfMany && database === SYSTEM_DATABASE;
}

const NOT_FOUND_CODE = 'Neo.ClientError.Database.DatabaseNotFound';

/** Makes the error NOT_FOUND for a namespace that does not exist. */
export function noNamespace(name: string): GraphDBError {
  return new GraphDBError('NOT_FOUND', `there is no namespace "${name}"`, { neo4jCode: NOT_FOUND_CODE });
}

/** Makes the error FORBIDDEN for a namespace that the caller may not see. */
export function notForCaller(name: string): GraphDBError {
  return new GraphDBError('FORBIDDEN', `this token is not for the namespace "${name}"`);
}

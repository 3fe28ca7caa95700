/** The databases of the server that has opened an engine, as CREATE, DROP and SHOW DATABASE use them. */
import { type Caller, GraphDBError } from '../base/index.ts';
import type { DatabaseDescription } from '../exec/index.ts';

/** The caller that asks; undefined for one that may do everything. */
type Asker = Caller | undefined;

/** The databases of a server. */
export interface Databases {
  /** Lists the databases that the caller may see, by name. @throws STORE_UNAVAILABLE. */
  list(caller: Asker): Promise<readonly DatabaseDescription[]>;
  /**
   * Creates a database.
   *
   * @throws CONSTRAINT_VIOLATION if one of that name exists; ARGUMENT_ERROR, FORBIDDEN, UNSUPPORTED, STORE_UNAVAILABLE.
   */
  create(name: string, options: { readonly ifNotExists: boolean; readonly caller: Asker }): Promise<void>;
  /** Drops a database. @throws NOT_FOUND if none of that name exists; FORBIDDEN, UNSUPPORTED, STORE_UNAVAILABLE. */
  drop(name: string, options: { readonly ifExists: boolean; readonly caller: Asker }): Promise<void>;
}

/** Makes an UNSUPPORTED error with the code by which Neo4j says over Bolt that a server has one database only. */
export function unsupportedAdministration(message: string): GraphDBError {
  return new GraphDBError('UNSUPPORTED', message, { neo4jCode: 'Neo.ClientError.Statement.UnsupportedAdministrationCommand' });
}

/** Databases around an engine: what CREATE, DROP and SHOW DATABASE ask of the server that has opened it. */
import { type Caller, GraphDBError } from '../base/index.ts';
import type { DatabaseDescription } from '../exec/index.ts';

/** Whoever asks; undefined: somebody who may do everything. */
type Asker = Caller | undefined;

/** The databases around an engine. */
export interface Databases {
  /** Those that the caller may see, by name. STORE_UNAVAILABLE */
  list(caller: Asker): Promise<readonly DatabaseDescription[]>;
  /** CONSTRAINT_VIOLATION: there is one of that name. ARGUMENT_ERROR, FORBIDDEN, UNSUPPORTED, STORE_UNAVAILABLE */
  create(name: string, options: { readonly ifNotExists: boolean; readonly caller: Asker }): Promise<void>;
  /** NOT_FOUND: there is none of that name. FORBIDDEN, UNSUPPORTED, STORE_UNAVAILABLE */
  drop(name: string, options: { readonly ifExists: boolean; readonly caller: Asker }): Promise<void>;
}

/** UNSUPPORTED, told over Bolt as Neo4j tells that a server has one database. */
export function unsupportedAdministration(message: string): GraphDBError {
  return new GraphDBError('UNSUPPORTED', message, { neo4jCode: 'Neo.ClientError.Statement.UnsupportedAdministrationCommand' });
}

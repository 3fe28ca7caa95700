/** The databases of a server, as SHOW DATABASES lists them. */
import type { ShownSetting } from '../../base/index.ts';

/** The name of the setting that holds the address of the Bolt server; the setting is absent if Bolt is not served. */
export const BOLT_ADDRESS = 'server.bolt.advertised_address';

/** Returns the address at which clients reach Bolt; null if it is not served. */
export function boltAddressOf(settings: readonly ShownSetting[]): string | null {
  return settings.find(({ name }) => name === BOLT_ADDRESS)?.value ?? null;
}

/** A database as SHOW DATABASES lists it. */
export interface DatabaseDescription {
  readonly name: string;
  /** Other names under which clients can use the database. */
  readonly aliases: readonly string[];
  /** Whether this server is, or would be, the writer of the database. */
  readonly isWriter: boolean;
  /** Whether the database is used by clients that name none. */
  readonly isDefault: boolean;
}

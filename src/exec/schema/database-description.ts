import type { ShownSetting } from '../../base/index.ts';

/** The setting that says where clients find Bolt; absent where it is not served. */
export const BOLT_ADDRESS = 'server.bolt.advertised_address';

/** Where clients find Bolt; null: it is not served. */
export function boltAddressOf(settings: readonly ShownSetting[]): string | null {
  return settings.find(({ name }) => name === BOLT_ADDRESS)?.value ?? null;
}

/** A database as SHOW DATABASES tells of it. */
export interface DatabaseDescription {
  readonly name: string;
  /** Other names under which clients reach it. */
  readonly aliases: readonly string[];
  /** Whether this server writes to it, or would. */
  readonly isWriter: boolean;
  /** It is asked where a client names none. */
  readonly isDefault: boolean;
}

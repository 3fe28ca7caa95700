/** The target of statements: a store that this process opens, or a server. */
import type { Engine } from '../engine/index.ts';

/** The part of the engine that runs statements. */
export type StatementTarget = Pick<Engine, 'execute' | 'stream' | 'explain'>;

/** Tells whether a URI is that of a server. */
export function isServer(uri: string): boolean {
  return /^https?:\/\//i.test(uri);
}

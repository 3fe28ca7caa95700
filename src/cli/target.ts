/** What statements are sent to: a store that this process opens, or a server. The part of the engine that the commands use. */
import type { Engine } from '../engine/index.ts';

export type StatementTarget = Pick<Engine, 'execute' | 'stream' | 'explain'>;

export function isServer(uri: string): boolean {
  return /^https?:\/\//i.test(uri);
}

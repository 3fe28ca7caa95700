/** Peers are no dependencies of the project: `npm run bench:peers` installs them into a folder that git does not see. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const PEERS_FOLDER = process.env['GRAPHDB_BENCH_PEERS'] ?? join(import.meta.dirname, '../../.bench/peers');

/** The module as it describes itself to us; throws when it is not installed. */
export function fromPeers<Module>(name: string): Module {
  return createRequire(join(PEERS_FOLDER, 'package.json'))(name) as Module;
}

export function peerFile(path: string): string {
  const file = join(PEERS_FOLDER, path);
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  return file;
}

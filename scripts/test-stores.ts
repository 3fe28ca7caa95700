/**
 * `npm run test:stores [s3|gs|az|file …]`: runs the conformance suite of the object stores and the end-to-end tests
 *   (servers killed, reopened, fenced,
 * followed, backed up) against real servers of object storage on this machine.
 *
 *   --rounds <n>   rounds of kill -9 in the end-to-end tests (5)
 *   --install      installs what is not there yet, and ends
 *
 * Each server is installed once into a folder that git ignores, started on a free loopback port with its data in a
 * temporary folder, tested, and stopped. One that cannot be installed here is skipped, and the reason printed.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CannotInstall, installFolder } from './test-stores/install.ts';
import { startServer } from './test-stores/process.ts';
import { type PreparedStore, SERVERS, type TestServer } from './test-stores/servers.ts';

const CONFORMANCE = join(import.meta.dirname, '../src/object-store/testing/remote-conformance.ts');
const END_TO_END = join(import.meta.dirname, '../test/stores/end-to-end.ts');
const SCHEMES = [...SERVERS.map(({ scheme }) => scheme), 'file'];

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, install: { type: 'boolean', default: false } },
});
const unknown = chosen.find((name) => !SCHEMES.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`unknown store ${unknown}; known: ${SCHEMES.join(', ')}\n`);
  process.exit(2);
}

const outcomes: string[] = [];
for (const server of SERVERS) {
  if (chosen.length > 0 && !chosen.includes(server.scheme)) continue;
  note(server.scheme, server.name, await tryServer(server));
}
if (chosen.includes('file'))
  note('file', 'a local folder', await inTemporaryFolder((folder) => runTests({ uri: `file://${folder}?ns=x` }, [END_TO_END])));
process.stdout.write(`\n${outcomes.join('\n')}\n`);

function note(scheme: string, name: string, outcome: string): void {
  outcomes.push(`${scheme.padEnd(5)}${name}: ${outcome}`);
  if (outcome.startsWith('FAILED')) process.exitCode = 1;
}

async function tryServer(server: TestServer): Promise<string> {
  const folder = installFolder(server.name);
  try {
    await server.install(folder);
  } catch (error) {
    if (error instanceof CannotInstall) return `skipped (${error.message})`;
    throw error;
  }
  return options.install ? 'installed' : inTemporaryFolder((data) => testServer(server, folder, data));
}

async function testServer(server: TestServer, folder: string, data: string): Promise<string> {
  const running = await startServer((port) => server.command({ folder, data, port }));
  try {
    return await runTests(await server.prepare(running.port), [CONFORMANCE, END_TO_END]);
  } finally {
    await running.stop();
  }
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'graphdb-test-stores-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runTests(
  { uri, environment = {} }: { uri: string; environment?: PreparedStore['environment'] },
  files: string[],
): Promise<string> {
  const start = performance.now();
  const env = { ...process.env, ...environment, TEST_STORE_URI: uri, TEST_STORE_KILLS: options.rounds };
  const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], { env, stdio: 'inherit' });
  const status = await new Promise((resolve) => child.once('exit', resolve));
  return `${status === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - start) / 1_000).toFixed(0)} s`;
}

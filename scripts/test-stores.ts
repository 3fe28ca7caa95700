/**
 * `npm run test:stores [s3|gs|az …]`: runs the conformance suite of the object stores against real servers on this machine.
 *
 * Each server is installed once into a cache folder outside the repository ($XDG_CACHE_HOME/graphdb-test-stores), started on a free loopback port with
 * its data in a temporary folder, tested, and stopped. One that cannot be installed here is skipped, and the reason printed.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotInstall, installFolder } from './test-stores/install.ts';
import { startServer } from './test-stores/process.ts';
import { SERVERS, type TestServer } from './test-stores/servers.ts';

const SUITE = join(import.meta.dirname, '../src/object-store/testing/remote-conformance.ts');

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !SERVERS.some(({ scheme }) => scheme === name));
if (unknown !== undefined) {
  process.stderr.write(`unknown store ${unknown}; known: ${SERVERS.map(({ scheme }) => scheme).join(', ')}\n`);
  process.exit(2);
}

const outcomes: string[] = [];
for (const server of SERVERS) {
  if (chosen.length > 0 && !chosen.includes(server.scheme)) continue;
  const outcome = await testServer(server);
  outcomes.push(`${server.scheme.padEnd(4)}${server.name}: ${outcome}`);
  if (outcome === 'FAILED') process.exitCode = 1;
}
process.stdout.write(`\n${outcomes.join('\n')}\n`);

async function testServer(server: TestServer): Promise<string> {
  const folder = installFolder(server.name);
  try {
    await server.install(folder);
  } catch (error) {
    if (error instanceof CannotInstall) return `skipped (${error.message})`;
    throw error;
  }
  const data = await mkdtemp(join(tmpdir(), 'graphdb-test-stores-'));
  const running = await startServer((port) => server.command({ folder, data, port }));
  try {
    const { uri, environment } = await server.prepare(running.port);
    return (await runSuite({ ...environment, TEST_STORE_URI: uri })) === 0 ? 'passed' : 'FAILED';
  } finally {
    await running.stop();
    await rm(data, { recursive: true, force: true });
  }
}

function runSuite(environment: Readonly<Record<string, string>>): Promise<number | null> {
  const child = spawn(process.execPath, ['--test', SUITE], { env: { ...process.env, ...environment }, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', resolve));
}

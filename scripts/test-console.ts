/**
 * `npm run test:console`: builds the console and tests it in a real Chromium. Where none is on the machine, Debian's is
 * installed (which takes root); where that cannot be, the tests are skipped, and the reason printed.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath } from '../test/console/browser.ts';
import { buildConsole } from './build-console.ts';

const FOLDER = join(import.meta.dirname, '../test/console');

if (chromiumPath() === null) install();
if (chromiumPath() === null) process.stdout.write('console: skipped, there is no Chromium here, and none can be installed\n');
else {
  await buildConsole();
  const tests = readdirSync(FOLDER).filter((name) => name.endsWith('-pages.ts'));
  // One after the other: some of them count frames.
  const args = [
    '--test',
    '--test-timeout=60000',
    '--test-concurrency=1',
    ...process.argv.slice(2),
    ...tests.map((name) => join(FOLDER, name)),
  ];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}

function install(): void {
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status } = spawnSync('apt-get', args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
    if (status !== 0) return;
  }
}

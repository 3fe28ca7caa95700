/**
 * `npm run test:console`: builds the console and tests it in a real Chromium. Where none is on the machine, Debian's is
 * installed (which takes root); where that cannot be, the tests are skipped, and the reason printed.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { chromiumPath } from '../test/console/browser.ts';
import { buildConsole } from './build-console.ts';

const TESTS = join(import.meta.dirname, '../test/console/console-pages.ts');

if (chromiumPath() === null) install();
if (chromiumPath() === null) process.stdout.write('console: skipped, there is no Chromium here, and none can be installed\n');
else {
  await buildConsole();
  process.exitCode =
    spawnSync(process.execPath, ['--test', '--test-timeout=60000', ...process.argv.slice(2), TESTS], { stdio: 'inherit' }).status ?? 1;
}

function install(): void {
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status } = spawnSync('apt-get', args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
    if (status !== 0) return;
  }
}

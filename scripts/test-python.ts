/**
 * `npm run test:python`: builds the wheel of clients/python, installs it into an empty environment together with what
 * its tests need, and runs them there. Without Python 3.9, its venv or the package index it says so and does nothing:
 * exit status 0, unless `--strict` is given.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const CLIENT = join(ROOT, 'clients', 'python');
const PYTHON = process.env.PYTHON ?? 'python3';

const scratch = mkdtempSync(join(tmpdir(), 'graphdb-python-'));
try {
  process.exitCode = run();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function run(): number {
  const environment = join(scratch, 'environment');
  const python = join(environment, 'bin', 'python');
  const wheels = join(scratch, 'wheels');
  if (!succeeds(PYTHON, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'])) return skip(`${PYTHON} is not Python 3.9 or newer`);
  if (!succeeds(PYTHON, ['-m', 'venv', environment])) return skip(`${PYTHON} cannot make an environment: its module venv is missing`);
  if (!succeeds(python, ['-m', 'pip', 'install', '--quiet', 'setuptools>=77', 'wheel', 'pytest']))
    return skip('the package index cannot be reached');
  execFileSync(python, ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', wheels, CLIENT], {
    stdio: 'inherit',
  });
  const wheel = join(wheels, readdirSync(wheels)[0]!);
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', `${wheel}[test]`], { stdio: 'inherit' });
  // From another folder, so that the installed package is what is tested.
  const tests = spawnSync(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(CLIENT, 'tests')], {
    cwd: scratch,
    stdio: 'inherit',
  });
  return tests.status ?? 1;
}

function succeeds(command: string, parameters: readonly string[]): boolean {
  return spawnSync(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

function skip(reason: string): number {
  console.log(`the Python client is not tested: ${reason}`);
  return process.argv.includes('--strict') ? 1 : 0;
}

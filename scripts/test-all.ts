/**
 * `npm test`: all tests, on as many cores as there are.
 *
 * Unit tests share a process, since loading the modules takes longer than most of them: a process for each core takes
 * its share of their files. The tests of `test/` follow, each file in a process of its own, as many at a time as there
 * are cores; the runner of Node would leave one core idle. What a process prints is shown when it has ended, except
 * that of the first one.
 *
 * All processes, servers that tests start among them, share a cache of compiled modules: it takes a sixth off their
 * processor time. Command lines and servers are those of a package that is bundled first: a server starts with 0.44 s
 * of the processor instead of 0.77.
 */
import { spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from './build-console.ts';
import { bundle, PROGRAM } from './bundle.ts';

const ROOT = join(import.meta.dirname, '..');
const CORES = Math.max(2, availableParallelism());
const UNIT_TESTS = ['src/**/*.test.ts', 'scripts/**/*.test.ts'];
const OTHER_TESTS = ['test/**/*.test.ts'];
const COMPILED = join(ROOT, 'node_modules/.cache/compiled');
const PACKAGE = join(ROOT, 'node_modules/.cache/package');
const REPORTERS = ['spec', './scripts/slowest-tests.ts'].flatMap((reporter) => [
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
]);

await makePackage();
const shares = Array.from({ length: CORES }, (_, i) => ['--test-isolation=none', `--test-shard=${i + 1}/${CORES}`, ...UNIT_TESTS]);
const units = await Promise.all(shares.map((share, i) => run(share, i === 0)));
const others = await run([`--test-concurrency=${CORES}`, ...OTHER_TESTS], true);
process.exitCode = units.every(Boolean) && others ? 0 : 1;

/** Makes the part of the package that runs, below the dependencies of this checkout. */
async function makePackage(): Promise<void> {
  await rm(PACKAGE, { recursive: true, force: true });
  await Promise.all([
    bundle(PROGRAM, join(PACKAGE, 'dist')),
    buildConsole(join(PACKAGE, 'dist/console')),
    ...['bin', 'package.json'].map((part) => cp(join(ROOT, part), join(PACKAGE, part), { recursive: true })),
  ]);
}

/** Whether all tests of a run have passed. */
async function run(options: readonly string[], isShownAtOnce: boolean): Promise<boolean> {
  const child = spawn(process.execPath, ['--test', '--test-timeout=900000', ...REPORTERS, ...options], {
    cwd: ROOT,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, GRAPHDB_TEST_PROGRAMS: join(PACKAGE, 'bin') },
    stdio: ['ignore', isShownAtOnce ? 'inherit' : 'pipe', 'inherit'],
  });
  const pieces: Buffer[] = [];
  child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject).once('close', resolve);
  const status = await promise;
  process.stdout.write(Buffer.concat(pieces));
  return status === 0;
}

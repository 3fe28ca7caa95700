/**
 * `npm run test:spark [-- spark sail] [--strict]`: the tests of reading buckets from Python, on Sail, and where a JDK
 * is there on Spark too, in an empty environment with what they need. Without Python 3.10, its venv or the package
 * index it says so and does nothing: exit status 0, unless `--strict` is given.
 *
 * GRAPHDB_SPARK_READS: reads beside the writer on each (20).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const CLIENT = join(dirname(dirname(fileURLToPath(import.meta.url))), 'clients', 'python');
const PYTHON = process.env.PYTHON ?? 'python3';
const PACKAGES = ['pyspark[connect]==4.1.0', 'pysail==0.7.2', 'pyarrow>=14', 'numpy>=1.21', 'duckdb>=1', 'pytest>=7'];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { strict: { type: 'boolean', default: false } } });
const engines = positionals.length > 0 ? positionals : succeeds('java', ['-version']) ? ['sail', 'spark'] : ['sail'];
const scratch = mkdtempSync(join(tmpdir(), 'graphdb-spark-'));
try {
  process.exitCode = run();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function run(): number {
  const python = join(scratch, 'bin', 'python');
  if (!succeeds(PYTHON, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'])) return skip(`${PYTHON} is not Python 3.10 or newer`);
  if (!succeeds(PYTHON, ['-m', 'venv', scratch])) return skip(`${PYTHON} cannot make an environment: its module venv is missing`);
  if (!succeeds(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES])) return skip('the package index cannot be reached');
  execFileSync(python, ['-c', 'import pyarrow, pyspark, pysail'], { stdio: 'inherit' });
  const runs = [['tests/test_bucket.py'], ...engines.map((engine) => ['tests/test_spark.py', engine])];
  return Math.max(...runs.map(([file, engine]) => runTests(python, file!, engine ?? '')));
}

/**
 * Each engine has a process of its own: a session of Sail leaves the process in the mode of Spark Connect, in which
 * Spark does not start.
 */
function runTests(python: string, file: string, engine: string): number {
  // Of the checkout: executors import the package as the driver does.
  const env = { ...process.env, PYTHONPATH: CLIENT, GRAPHDB_SPARK: engine };
  const tests = spawnSync(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(CLIENT, file)], {
    cwd: CLIENT,
    stdio: 'inherit',
    env,
  });
  return tests.status ?? 1;
}

function succeeds(command: string, parameters: readonly string[]): boolean {
  return spawnSync(command, parameters, { stdio: ['ignore', 'ignore', 'ignore'] }).status === 0;
}

function skip(reason: string): number {
  console.log(`reading on Spark is not tested: ${reason}`);
  return values.strict ? 1 : 0;
}

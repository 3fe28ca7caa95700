/**
 * `npm run test:spark [-- spark sail] [--strict] [--stores]`: the tests of reading buckets from Python, on Sail, and where
 * a JDK is there on Spark too, in an empty environment with what they need. Statements with known rows, and where the test
 * data are there the TCK and the questions of `npm run ldbc`, are asked of DuckDB and Spark as SQL. Without Python 3.10, its
 * venv or the package index it says so and does nothing: exit status 0, unless `--strict` is given.
 *
 * --stores: the tests of Spark and Sail once more over versitygw, an S3 server that is installed with Go.
 * GRAPHDB_SPARK_READS: reads beside the writer on each (20).
 * GRAPHDB_SPARK_SAMPLE: statements of the TCK that Spark is asked (300).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CannotInstall, installFolder } from './test-stores/install.ts';
import { startServer } from './test-stores/process.ts';
import { SERVERS } from './test-stores/servers.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const CLIENT = join(ROOT, 'clients', 'python');
const PYTHON = process.env.PYTHON ?? 'python3';
const PACKAGES = ['pyspark[connect]==4.1.0', 'pysail==0.7.2', 'pyarrow>=14', 'numpy>=1.21', 'duckdb>=1.3', 'pytest>=7'];
const SAMPLE = process.env.GRAPHDB_SPARK_SAMPLE ?? '300';

/** Behind an upload with a trailing checksum, versitygw 1.8.0 misreads the next request of the connection. */
const PLAIN_UPLOADS = { AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required' };

interface Run {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { strict: { type: 'boolean', default: false }, stores: { type: 'boolean', default: false } },
});
const engines = positionals.length > 0 ? positionals : succeeds('java', ['-version']) ? ['sail', 'spark'] : ['sail'];
const scratch = mkdtempSync(join(tmpdir(), 'graphdb-spark-'));
try {
  process.exitCode = await main();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function main(): Promise<number> {
  const python = join(scratch, 'bin', 'python');
  if (!succeeds(PYTHON, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'])) return skip(`${PYTHON} is not Python 3.10 or newer`);
  if (!succeeds(PYTHON, ['-m', 'venv', scratch])) return skip(`${PYTHON} cannot make an environment: its module venv is missing`);
  if (!succeeds(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES])) return skip('the package index cannot be reached');
  execFileSync(python, ['-c', 'import pyarrow, pyspark, pysail'], { stdio: 'inherit' });
  const statuses = [...testsOf(python), ...comparisonsOf(python)].map(run);
  if (values.stores) statuses.push(await runOverS3(python));
  return Math.max(...statuses);
}

/**
 * Returns the tests of Python. Each engine has a process of its own: a session of Sail leaves the process in the mode of
 * Spark Connect, in which Spark does not start.
 */
function testsOf(python: string): Run[] {
  const killed = engines.includes('spark') ? [pytest(python, 'tests/test_spark_killed.py', { GRAPHDB_SPARK: 'spark' })] : [];
  return [pytest(python, 'tests/test_bucket.py'), ...engines.map((engine) => sparkTests(python, engine)), ...killed];
}

function sparkTests(python: string, engine: string, environment: Readonly<Record<string, string>> = {}): Run {
  return pytest(python, 'tests/test_spark.py', { ...environment, GRAPHDB_SPARK: engine });
}

function pytest(python: string, file: string, environment: Readonly<Record<string, string>> = {}): Run {
  return { program: python, parameters: ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(CLIENT, file)], environment };
}

/** Returns the programs that hold statements in SQL against the engine. */
function comparisonsOf(python: string): Run[] {
  const compare = (...parameters: string[]): Run => ({ program: process.execPath, parameters, environment: { PYTHON: python } });
  const onSpark = [
    compare('test/sql/rows.ts', '--dialect', 'spark'),
    compare('test/sql/tck.ts', '--dialect', 'spark', '--sample', SAMPLE),
    compare('test/sql/ldbc.ts', '--dialect', 'spark'),
  ];
  return [
    compare('test/sql/rows.ts'),
    compare('test/sql/tck.ts'),
    compare('test/sql/ldbc.ts'),
    ...(engines.includes('spark') ? onSpark : []),
  ];
}

async function runOverS3(python: string): Promise<number> {
  const server = SERVERS.find(({ scheme }) => scheme === 's3')!;
  const folder = installFolder(server.name);
  try {
    await server.install(folder);
  } catch (error) {
    if (error instanceof CannotInstall) return skip(`no S3 server: ${error.message}`);
    throw error;
  }
  const data = join(scratch, 's3');
  mkdirSync(data);
  const running = await startServer((port) => server.command({ folder, data, port }));
  try {
    const { uri, environment } = await server.prepare(running.port);
    const all = { ...environment, ...PLAIN_UPLOADS, GRAPHDB_SPARK_STORE: uri };
    return Math.max(...engines.map((engine) => run(sparkTests(python, engine, all))));
  } finally {
    await running.stop();
  }
}

function run({ program, parameters, environment }: Run): number {
  // Of the checkout: executors import the package as the driver does.
  const env = { ...process.env, PYTHONPATH: CLIENT, ...environment };
  return spawnSync(program, parameters, { cwd: program === process.execPath ? ROOT : CLIENT, stdio: 'inherit', env }).status ?? 1;
}

function succeeds(command: string, parameters: readonly string[]): boolean {
  return spawnSync(command, parameters, { stdio: ['ignore', 'ignore', 'ignore'] }).status === 0;
}

function skip(reason: string): number {
  console.log(`reading on Spark is not tested: ${reason}`);
  return values.strict ? 1 : 0;
}

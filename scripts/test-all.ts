/**
 * `npm test`: all tests, on as many cores as there are.
 *
 * Loading the modules takes longer than most tests, so files share processes: unit tests one for each core, and the tests
 * of `test/` that only ask engines of their own another one. Each other file of `test/` has a process to itself: it starts
 * programs or threads, or measures its process. Those that take longest begin first, so that no core is idle at the end.
 *
 * All processes, servers that tests start among them, share a cache of compiled modules. Command lines, servers and the
 * threads of engines are those of a package that is bundled first: each starts with half of the processor time or less.
 * The console, which is built five times, is minified once.
 */
import { globSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { buildConsole } from './build-console.ts';
import { bundle, PROGRAM } from './bundle.ts';
import slowestTests from './slowest-tests.ts';

const ROOT = join(import.meta.dirname, '..');
const CACHE = join(ROOT, 'node_modules/.cache');
const PACKAGE = join(CACHE, 'package');
const SUITES = join(CACHE, 'suites');
const MINIFIED = join(CACHE, 'minified');
const CORES = Math.max(2, availableParallelism());
const UNIT_TESTS = ['src/**/*.test.ts', 'scripts/**/*.test.ts'];
/**
 * Tests of `test/` that ask engines of their own over stores with names of their own, start no server, and look at nothing
 * that belongs to the whole process.
 */
const SHARING = [
  'test/{algorithms,compat,planner}/*.test.ts',
  'test/{changes/new-content,contract/requests,contract/search,contract/values,differential/oracle,format/format}.test.ts',
  'test/{ldbc/ldbc,sql/{cases,constants},storage-fuzz/fuzz,tck/compare,tck/notation}.test.ts',
  'test/{batched-relationships,bounded-integers,closing-edges,composite-keys,counted-cycles,creating-many,deleting}.test.ts',
  'test/{distinct-walks,fulltext,grouping-by-small-numbers,hybrid-search,import-merge,late-reads,names-of-users}.test.ts',
  'test/{names-within-clauses,one-relationship,ordered-patterns,scanned-conditions,vector-updates,virtual-entities}.test.ts',
];
const NOT_SHARING = ['test/compat/{document,graphrag-programs,load-csv,settings}.test.ts'];
/** From the longest on. */
const LONGEST = [
  'differential/differential',
  'spilling',
  'simulation/simulation',
  'tck/tck',
  'work-and-memory',
  'requirements/requirements',
  'contract/settings',
  'package',
];

process.chdir(ROOT);
process.env['NODE_COMPILE_CACHE'] = join(CACHE, 'compiled');
process.env['GRAPHDB_TEST_PROGRAMS'] = join(PACKAGE, 'bin');
process.env['MINIFIED_SCRIPTS'] = MINIFIED;
await makePackage();
runFiles(await filesInOrder());

/** Makes the part of the package that runs, below the dependencies of this checkout. */
async function makePackage(): Promise<void> {
  await Promise.all([PACKAGE, MINIFIED].map((folder) => rm(folder, { recursive: true, force: true })));
  await Promise.all([
    bundle(PROGRAM, join(PACKAGE, 'dist')),
    buildConsole(join(PACKAGE, 'dist/console')),
    ...['bin', 'package.json'].map((part) => cp(join(ROOT, part), join(PACKAGE, part), { recursive: true })),
  ]);
}

/** Suites, then the files that have a process to themselves, the longest first. */
async function filesInOrder(): Promise<string[]> {
  await rm(SUITES, { recursive: true, force: true });
  await mkdir(SUITES, { recursive: true });
  const sharing = globSync(SHARING, { exclude: NOT_SHARING });
  const apart = globSync('test/**/*.test.ts', { exclude: sharing }).sort();
  const suites = await Promise.all([suitesOf('units', globSync(UNIT_TESTS)), suitesOf('engines', sharing)]);
  return [...suites.flat(), ...apart.toSorted((a, b) => rank(a) - rank(b))];
}

/** The place in `LONGEST`, or behind all of it. */
function rank(file: string): number {
  const at = LONGEST.findIndex((name) => file === `test/${name}.test.ts`);
  return at === -1 ? LONGEST.length : at;
}

/** Writes a suite for each core, a file that imports its share of the files, and returns their paths. */
function suitesOf(name: string, files: readonly string[]): Promise<string[]> {
  const sorted = files.toSorted();
  return Promise.all(
    Array.from({ length: CORES }, async (_, share) => {
      const imports = sorted.filter((_file, at) => at % CORES === share).map((file) => `import ${JSON.stringify(join(ROOT, file))};\n`);
      const path = join(SUITES, `${name}-${share + 1}.test.mjs`);
      await writeFile(path, imports.join(''));
      return path;
    }),
  );
}

/** Runs them, as many processes at a time as there are cores. */
function runFiles(files: readonly string[]): void {
  const execArgv = ['bundled-threads.ts', 'untracked-promises.ts'].flatMap((file) => ['--import', join(ROOT, 'scripts', file)]);
  const events = run({ files, concurrency: CORES, timeout: 900_000, execArgv });
  events.on('test:summary', ({ file, success }) => {
    if (file === undefined && !success) process.exitCode = 1;
  });
  events.compose(spec()).pipe(process.stdout);
  events.compose(slowestTests).pipe(process.stdout);
}

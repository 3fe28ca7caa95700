/**
 * `npm run tck`: runs the openCypher TCK from the test data through the engine.
 *
 *   --filter <text>   only scenarios whose id contains the text (any case)
 *   --verbose         for each scenario that fails: query, expected, got, stack
 *   --in-workers      statements that read run in worker threads
 *   --bolt            through the official driver, over Bolt
 *   --reopened        with the store flushed and opened anew before each statement: only what it requires is in memory
 *   --spilled <rows>  with operators that write what they hold to temporary files after so many rows
 *   --update          rewrite the list of known failures (all scenarios only)
 *
 * Prints passed and failed by folder and a last line `N passed, N failed`. Exit status 0 when exactly the listed scenarios fail.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readScenarios, type Scenario, testDataFolder } from './features.ts';
import { isClean, judge, readKnownFailures, type Verdict, writeKnownFailures } from './known-failures.ts';
import { runAll } from './pool.ts';
import type { Outcome } from './scenario.ts';

const KNOWN_FAILURES = new URL('known-failures.txt', import.meta.url);
const LIMIT_MS = 10_000;

const { values: options } = parseArgs({
  options: {
    filter: { type: 'string' },
    verbose: { type: 'boolean' },
    'in-workers': { type: 'boolean' },
    bolt: { type: 'boolean' },
    reopened: { type: 'boolean' },
    spilled: { type: 'string' },
    update: { type: 'boolean' },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  if (options.update && options.filter !== undefined) {
    console.error('--update needs all scenarios: leave --filter out');
    return 2;
  }
  const folder = join(testDataFolder(), 'tck');
  if (!existsSync(join(folder, 'features'))) {
    console.log(`skipped: no TCK in ${folder} (set GRAPHDB_TEST_DATA)`);
    return 0;
  }
  const scenarios = readScenarios(join(folder, 'features')).filter(chosen);
  const outcomes = await runAll(scenarios, {
    threads: Math.min(4, availableParallelism()),
    limitMs: LIMIT_MS,
    graphsFolder: join(folder, 'graphs'),
    readsInWorker: options['in-workers'] === true,
    overBolt: options.bolt === true,
    reopens: options.reopened === true,
    spillAfterRows: options.spilled === undefined ? undefined : Number(options.spilled),
  });
  return report(scenarios, outcomes);
}

function chosen(scenario: Scenario): boolean {
  return options.filter === undefined || scenario.id.toLowerCase().includes(options.filter.toLowerCase());
}

function report(scenarios: readonly Scenario[], outcomes: readonly Outcome[]): number {
  const known = readKnownFailures(KNOWN_FAILURES);
  const verdict = judge(outcomes, known, options.filter === undefined);
  if (options.verbose) for (const [index, outcome] of outcomes.entries()) if (!outcome.passed) printFailure(scenarios[index]!, outcome);
  if (options.update) writeKnownFailures(KNOWN_FAILURES, outcomes);
  else printVerdict(verdict);
  printFolders(scenarios, outcomes);
  const passed = outcomes.filter((outcome) => outcome.passed).length;
  console.log(`${passed} passed, ${outcomes.length - passed} failed`);
  return options.update || isClean(verdict) ? 0 : 1;
}

function printFailure(scenario: Scenario, outcome: Outcome): void {
  console.log(`FAILED ${outcome.id} (${scenario.file}:${scenario.line})`);
  console.log(`  ${outcome.reason.replaceAll('\n', '\n  ')}`);
  if (outcome.details !== '') console.log(outcome.details);
  console.log();
}

function printVerdict(verdict: Verdict): void {
  for (const outcome of verdict.unexpectedFailures) console.log(`fails, not listed: ${outcome.id}: ${outcome.reason.split('\n')[0]}`);
  for (const id of verdict.unexpectedPasses) console.log(`passes, but is listed: ${id}`);
  for (const id of verdict.unknown) console.log(`listed, but does not exist: ${id}`);
}

function printFolders(scenarios: readonly Scenario[], outcomes: readonly Outcome[]): void {
  const folders = new Map<string, { passed: number; failed: number }>();
  for (const [index, outcome] of outcomes.entries()) {
    const folder = scenarios[index]!.folder;
    const counts = folders.get(folder) ?? { passed: 0, failed: 0 };
    counts[outcome.passed ? 'passed' : 'failed']++;
    folders.set(folder, counts);
  }
  const width = Math.max(0, ...[...folders.keys()].map((folder) => folder.length));
  for (const [folder, { passed, failed }] of folders) {
    console.log(`${folder.padEnd(width)}  ${String(passed).padStart(5)} passed  ${String(failed).padStart(5)} failed`);
  }
}

/** The TCK as a test of `npm test`: exactly the scenarios on the list of known failures fail. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { readScenarios, testDataFolder } from './features.ts';
import { judge, readKnownFailures } from './known-failures.ts';
import { runAll } from './pool.ts';

const folder = join(testDataFolder(), 'tck');
const skip = existsSync(join(folder, 'features')) ? false : `no TCK in ${folder} (set GRAPHDB_TEST_DATA)`;

test('the openCypher TCK passes but for the known failures', { skip }, async () => {
  const scenarios = readScenarios(join(folder, 'features'));
  assert.ok(scenarios.length >= 3125, `only ${scenarios.length} scenarios were read`);
  const outcomes = await runAll(scenarios, {
    threads: Math.min(4, availableParallelism()),
    limitMs: 10_000,
    graphsFolder: join(folder, 'graphs'),
    readsInWorker: false,
  });
  const verdict = judge(outcomes, readKnownFailures(new URL('known-failures.txt', import.meta.url)), true);
  const failures = verdict.unexpectedFailures.map((outcome) => `${outcome.id}: ${outcome.reason}`);
  assert.deepEqual(failures, [], 'scenarios that fail and are not listed');
  assert.deepEqual(verdict.unexpectedPasses, [], 'scenarios that pass and are listed');
  assert.deepEqual(verdict.unknown, [], 'listed scenarios that do not exist');
});

test('scenarios pass as well when all that reads runs in worker threads', { skip }, async () => {
  const scenarios = readScenarios(join(folder, 'features')).filter((_, index) => index % 8 === 0);
  const outcomes = await runAll(scenarios, { threads: 2, limitMs: 20_000, graphsFolder: join(folder, 'graphs'), readsInWorker: true });
  const verdict = judge(outcomes, readKnownFailures(new URL('known-failures.txt', import.meta.url)), false);
  const failures = verdict.unexpectedFailures.map((outcome) => `${outcome.id}: ${outcome.reason}`);
  assert.deepEqual(failures, [], 'scenarios that fail and are not listed');
});

test('every twentieth scenario passes over Bolt, through the official driver', { skip }, async () => {
  const scenarios = readScenarios(join(folder, 'features')).filter((_, index) => index % 20 === 0);
  const outcomes = await runAll(scenarios, {
    threads: 1,
    limitMs: 10_000,
    graphsFolder: join(folder, 'graphs'),
    readsInWorker: false,
    overBolt: true,
  });
  const known = readKnownFailures(new URL('known-failures.txt', import.meta.url));
  const verdict = judge(outcomes, known, false);
  assert.deepEqual(
    verdict.unexpectedFailures.map((outcome) => `${outcome.id}: ${outcome.reason}`),
    [],
    'see it again: npm run tck -- --bolt --filter <text> --verbose',
  );
});

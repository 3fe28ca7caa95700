/**
 * `npm run stop`: no statement stops the server. Each shape (shapes/) is sent to a server process with
 * `--query-timeout 1s --query-memory 128MiB`; limits.ts says what is asked of it meanwhile. A shape that fails is run
 * again, twice at most: it fails when all its runs do, since the machine may be busy with something else.
 *
 *   --only <text>      the shapes whose name contains it
 *   --workers <n>      with so many read workers only (0 and 2)
 *   --attempts <n>     runs of a shape that fails (3)
 *   --json <file>      writes all outcomes
 *   --part <i>/<n>     the i-th of n parts of the shapes, 1 to n
 *   --again <file>     the shapes whose outcomes in such a file are faults, or would be on an idle machine
 *   --data <folder>    where the graph is, or is made to stay (a temporary one)
 *
 *   --random <n>       instead: so many random statements under `--query-timeout 50ms --query-memory 4MiB` (random.ts),
 *     from `--seed <n>` (any) on
 *   --watchdog         instead: endless loops planted in the main thread and in a worker (watchdog.ts)
 *   --strangers        instead: attacks by clients without a token (strangers.ts)
 *
 * Exit status 1 when anything fails.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { csvFolderOf, makeCsvFiles, makeGraph, storeOf } from './graph.ts';
import { faultsOf, type Limits, type Run } from './limits.ts';
import { sendRandom } from './random.ts';
import { HEADER, lineOf, type Outcome, summaryOf } from './report.ts';
import { allShapes, type Shape } from './shapes/index.ts';
import { attackAll } from './strangers.ts';
import { Trial } from './trial.ts';
import { checkLoops } from './watchdog.ts';

const RANDOM_TIMEOUT_MS = 50;
const RANDOM_MEMORY_MIB = 4;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    workers: { type: 'string' },
    attempts: { type: 'string', default: '3' },
    json: { type: 'string' },
    part: { type: 'string', default: '1/1' },
    again: { type: 'string' },
    data: { type: 'string' },
    random: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    watchdog: { type: 'boolean', default: false },
    strangers: { type: 'boolean', default: false },
  },
});
process.exitCode = await chosenWork();

function chosenWork(): Promise<number> {
  if (values.random !== undefined) return randomStatements(Number(values.random));
  if (values.watchdog) return sentences(checkLoops(console.log));
  if (values.strangers) return sentences(attackAll(values.only, console.log));
  return shapes();
}

async function shapes(): Promise<number> {
  const folder = values.data ?? mkdtempSync(join(tmpdir(), 'graphdb-stop-data-'));
  try {
    return await runShapes(await prepared(folder));
  } finally {
    if (values.data === undefined) rmSync(folder, { recursive: true });
  }
}

async function sentences(found: Promise<readonly string[]>): Promise<number> {
  const faults = await found;
  console.log(`${faults.length} faults`);
  for (const fault of faults) console.log(`  ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

async function randomStatements(count: number): Promise<number> {
  const seed = Number(values.seed);
  console.log(`seed ${seed}`);
  let failed = 0;
  for (const workers of chosenWorkers()) {
    const { statements, outcomes, slowestMs, faults } = await sendRandom({
      statements: count,
      seed,
      workers,
      timeoutMs: RANDOM_TIMEOUT_MS,
      memoryMiB: RANDOM_MEMORY_MIB,
      log: console.log,
    });
    const answers = [...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, times]) => `${times} ${outcome}`);
    console.log(
      `${workers} read workers: ${statements} statements, slowest ${slowestMs.toFixed(0)} ms, ${faults.length} faults; ` +
        `${answers.join(', ')}`,
    );
    failed += faults.length;
  }
  return failed === 0 ? 0 : 1;
}

function chosenWorkers(): number[] {
  return values.workers === undefined ? [0, 2] : [Number(values.workers)];
}

async function prepared(path: string): Promise<string> {
  if (existsSync(join(path, 'complete'))) return path;
  mkdirSync(path, { recursive: true });
  await makeGraph(storeOf(path), 1);
  await makeCsvFiles(csvFolderOf(path), 1);
  writeFileSync(join(path, 'complete'), '');
  return path;
}

async function runShapes(data: string): Promise<number> {
  const chosen = partOf(allShapes().filter(({ name }) => name.includes(values.only)));
  const again = values.again === undefined ? null : doubtful(JSON.parse(readFileSync(values.again, 'utf8')) as Outcome[]);
  const outcomes: Outcome[] = [];
  for (const workers of chosenWorkers()) {
    const limits = limitsWith(workers);
    console.log(`\n${workers} read workers\n${HEADER}`);
    const trial = new Trial(data, limits);
    for (const shape of chosen.filter(({ name }) => again?.has(`${workers} ${name}`) !== false)) {
      const outcome = await attempt(trial, shape, limits);
      outcomes.push(outcome);
      console.log(lineOf(outcome));
      if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(outcomes, null, 1));
    }
    await trial.close();
  }
  console.log(summaryOf(outcomes));
  return outcomes.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

function partOf(shapes: readonly Shape[]): readonly Shape[] {
  const [part = 1, parts = 1] = values.part.split('/').map(Number);
  return shapes.slice(Math.floor(((part - 1) * shapes.length) / parts), Math.floor((part * shapes.length) / parts));
}

function limitsWith(workers: number): Limits {
  return { timeoutMs: 1_000, memoryMiB: 128, workers };
}

/** Workers and names of shapes that did not pass, or passed since the machine was busy. */
function doubtful(outcomes: readonly Outcome[]): Set<string> {
  const passed = outcomes.filter(({ workers, runs }) =>
    runs.some((run) => faultsOf({ ...run, machineMs: 0, machineFactor: 1 }, limitsWith(workers), true).length === 0),
  );
  return new Set(outcomes.filter((outcome) => !passed.includes(outcome)).map(({ workers, name }) => `${workers} ${name}`));
}

/** Runs a shape until a run is without fault; the faults of a shape that has none such are those of its last run. */
async function attempt(trial: Trial, shape: Shape, limits: Limits): Promise<Outcome> {
  const runs: Run[] = [];
  for (;;) {
    const run = await trial.run(shape);
    runs.push(run);
    const faults = faultsOf(run, limits, shape.mayBeRefused === true);
    if (faults.length === 0 || runs.length >= Number(values.attempts)) return { name: shape.name, workers: limits.workers, faults, runs };
  }
}

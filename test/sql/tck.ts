/**
 * `node test/sql/tck.ts [--dialect spark] [--sample <n>] [--seed <n>] [--filter <text>] [--verbose]`: the TCK's scenarios
 * that read, through DuckDB or Spark: each statement that has a form in SQL is held against the engine's answer over the
 * same graph, all of them or a random sample. Prints how many were translated, what was refused and why, and every
 * difference. Exit status 1 with a difference. PYTHON names a Python with duckdb or pyspark.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { readScenarios, type Scenario, testDataFolder } from '../tck/features.ts';
import { runScenario, type TckEngine } from '../tck/scenario.ts';
import { parseStep } from '../tck/steps.ts';
import { tableProcedure } from '../tck/table-procedure.ts';
import { chosenDialect } from './dialect-option.ts';
import { dumpGraph } from './graph-dump.ts';
import { type Comparison, SqlHelper, translate } from './sql-helper.ts';

const { values: options } = parseArgs({
  options: {
    dialect: { type: 'string', default: 'duckdb' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    filter: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

interface Reading {
  readonly query: string;
  readonly inOrder: boolean;
  readonly ignoreListOrder: boolean;
}

interface Question extends Comparison {
  readonly scenario: Scenario;
  readonly query: string;
}

const dialect = chosenDialect(options.dialect);
const counts = { statements: 0, scenarios: 0, translatedScenarios: 0 };
const refusals = new Map<string, number>();
const questions: Question[] = [];
let opened = 0;
const folder = join(testDataFolder(), 'tck');
if (existsSync(join(folder, 'features'))) process.exitCode = await main();
else console.log(`skipped: no TCK in ${folder} (set GRAPHDB_TEST_DATA)`);

async function main(): Promise<number> {
  for (const scenario of readScenarios(join(folder, 'features'))) if (isChosen(scenario)) await ask(scenario);
  for (const [reason, count] of [...refusals].sort(([, a], [, b]) => b - a)) console.log(`${String(count).padStart(5)}  ${reason}`);
  const { statements, scenarios, translatedScenarios } = counts;
  console.log(`${questions.length} of ${statements} statements that read translated`);
  console.log(`${translatedScenarios} of ${scenarios} scenarios that read translated`);
  const sample = options.sample === undefined ? questions : sampleOf(questions, Number(options.sample), seededRandom(Number(options.seed)));
  const different = await compareAll(sample);
  console.log(`${sample.length} statements asked of ${dialect}: ${sample.length - different} equal, ${different} different`);
  return different === 0 ? 0 : 1;
}

function isChosen({ id }: Scenario): boolean {
  return options.filter === undefined || id.toLowerCase().includes(options.filter.toLowerCase());
}

/** Runs a scenario, and keeps its statements that read: they count as one scenario when the SQL has a form for all of them. */
async function ask(scenario: Scenario): Promise<void> {
  const before = { statements: counts.statements, questions: questions.length };
  await runScenario(scenario, {
    graphsFolder: join(folder, 'graphs'),
    open: async (definitions) =>
      asking(
        await openEngine(`memory://sql-${opened++}`, { flushIntervalMs: 0 }, { procedures: definitions.map(tableProcedure) }),
        scenario,
      ),
  });
  if (counts.statements === before.statements) return;
  counts.scenarios++;
  if (questions.length - before.questions === counts.statements - before.statements) counts.translatedScenarios++;
}

/** Returns the statements of a scenario whose rows it tells. */
function readingsOf(scenario: Scenario): Reading[] {
  const steps = scenario.steps.map(parseStep);
  return steps.flatMap((step, index) => {
    const next = steps[index + 1];
    if (step.kind !== 'executing query' || (next?.kind !== 'result is' && next?.kind !== 'result is empty')) return [];
    const { inOrder, ignoreListOrder } = next.kind === 'result is' ? next.options : { inOrder: false, ignoreListOrder: false };
    return [{ query: step.query, inOrder, ignoreListOrder }];
  });
}

function asking(engine: Engine, scenario: Scenario): TckEngine {
  const readings = readingsOf(scenario);
  return {
    async execute(query, params) {
      const reading = readings.find((each) => each.query === query);
      const tables = reading === undefined ? null : await dumpGraph(engine);
      const answer = await engine.execute(query, params);
      if (reading !== undefined && tables !== null && answer.writeOutcome === undefined) {
        counts.statements++;
        const lowered = await translate(engine, { query, dump: tables, params, dialect, prefix: `q${counts.statements}_` });
        if (typeof lowered === 'string') refusals.set(lowered, (refusals.get(lowered) ?? 0) + 1);
        else questions.push({ scenario, ...reading, lowered, tables, answer });
      }
      return answer;
    },
    close: () => engine.close(),
  };
}

/** Returns some of the questions, in their order. */
function sampleOf(all: readonly Question[], size: number, random: Random): Question[] {
  let missing = Math.min(size, all.length);
  return all.filter((_, index) => {
    const isTaken = random.between(1, all.length - index) <= missing;
    if (isTaken) missing--;
    return isTaken;
  });
}

async function compareAll(sample: readonly Question[]): Promise<number> {
  const helper = new SqlHelper(dialect);
  const outcomes = await Promise.all(sample.map(async (question) => isEqual(question, await helper.difference(question))));
  helper.close();
  return outcomes.filter((isSame) => !isSame).length;
}

function isEqual({ scenario, query, lowered }: Question, difference: string | null): boolean {
  if (difference === null) return true;
  console.log(`DIFFERENT ${scenario.id}\n  ${query.trim().replaceAll('\n', '\n  ')}\n  ${difference}`);
  if (options.verbose) console.log(lowered.sql);
  return false;
}

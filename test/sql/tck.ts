/**
 * `node test/sql/tck.ts [--filter <text>] [--verbose]`: the TCK's scenarios that read, through DuckDB: each statement
 * that has a form in SQL is held against the engine's answer over the same graph. Prints how many were translated, what
 * was refused and why, and every difference. Exit status 1 with a difference. PYTHON names a Python with duckdb.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { readScenarios, type Scenario, testDataFolder } from '../tck/features.ts';
import { runScenario, type TckEngine } from '../tck/scenario.ts';
import { parseStep } from '../tck/steps.ts';
import { tableProcedure } from '../tck/table-procedure.ts';
import { type Comparison, DuckDb, translate } from './duckdb.ts';
import { dumpGraph } from './graph-dump.ts';

const { values: options } = parseArgs({ options: { filter: { type: 'string' }, verbose: { type: 'boolean' } } });
const counts = { statements: 0, translated: 0, different: 0 };
const refusals = new Map<string, number>();
const duckdb = new DuckDb();

interface Reading {
  readonly query: string;
  readonly inOrder: boolean;
}

/** Statements of a scenario whose rows it tells. */
function readingsOf(scenario: Scenario): Reading[] {
  const steps = scenario.steps.map(parseStep);
  return steps.flatMap((step, index) => {
    const next = steps[index + 1];
    if (step.kind !== 'executing query' || (next?.kind !== 'result is' && next?.kind !== 'result is empty')) return [];
    return [{ query: step.query, inOrder: next.kind === 'result is' && next.options.inOrder }];
  });
}

function comparing(engine: Engine, scenario: Scenario): TckEngine {
  const readings = readingsOf(scenario);
  return {
    async execute(query, params) {
      const reading = readings.find((each) => each.query === query);
      const dump = reading === undefined ? null : await dumpGraph(engine);
      const answer = await engine.execute(query, params);
      if (reading !== undefined && dump !== null && answer.writeOutcome === undefined) {
        counts.statements++;
        const lowered = await translate(engine, { query, dump, params });
        if (typeof lowered === 'string') refusals.set(lowered, (refusals.get(lowered) ?? 0) + 1);
        else await compare(scenario, reading, { lowered, dump, answer });
      }
      return answer;
    },
    close: () => engine.close(),
  };
}

async function compare(scenario: Scenario, { query, inOrder }: Reading, comparison: Comparison): Promise<void> {
  counts.translated++;
  const difference = await duckdb.difference({ ...comparison, inOrder });
  if (difference === null) return;
  counts.different++;
  console.log(`DIFFERENT ${scenario.id}\n  ${query.trim().replaceAll('\n', '\n  ')}\n  ${difference}`);
  if (options.verbose) console.log(comparison.lowered.sql);
}

const folder = join(testDataFolder(), 'tck');
let opened = 0;
for (const scenario of readScenarios(join(folder, 'features'))) {
  if (options.filter !== undefined && !scenario.id.toLowerCase().includes(options.filter.toLowerCase())) continue;
  await runScenario(scenario, {
    graphsFolder: join(folder, 'graphs'),
    open: async (definitions) =>
      comparing(
        await openEngine(`memory://sql-${opened++}`, { flushIntervalMs: 0 }, { procedures: definitions.map(tableProcedure) }),
        scenario,
      ),
  });
}
duckdb.close();
for (const [reason, count] of [...refusals].sort(([, a], [, b]) => b - a)) console.log(`${String(count).padStart(5)}  ${reason}`);
console.log(`${counts.translated} of ${counts.statements} statements that read translated, ${counts.different} different`);
process.exitCode = counts.different === 0 ? 0 : 1;

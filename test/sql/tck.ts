/**
 * `node test/sql/tck.ts [--filter <text>] [--verbose]`: the TCK's scenarios that read, through DuckDB: each statement that has a form in SQL is held against the engine's answer over the same graph.
 * Prints how many were translated, what was refused and why, and every difference. Exit status 1 with a difference. PYTHON names a Python with duckdb.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { GraphDBError } from '../../src/base/index.ts';
import { analyze, parse } from '../../src/cypher/index.ts';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { DIALECTS, findConstants, lowerStatement, type SqlStatement } from '../../src/sql/index.ts';
import { type Value, writeJson } from '../../src/value/index.ts';
import { readScenarios, type Scenario, testDataFolder } from '../tck/features.ts';
import { runScenario, type TckEngine } from '../tck/scenario.ts';
import { parseStep } from '../tck/steps.ts';
import { tableProcedure } from '../tck/table-procedure.ts';
import { dumpGraph, type GraphDump, rowsOf } from './graph-dump.ts';

const { values: options } = parseArgs({ options: { filter: { type: 'string' }, verbose: { type: 'boolean' } } });
const counts = { statements: 0, translated: 0, different: 0 };
const refusals = new Map<string, number>();
const helper = spawn(process.env['PYTHON'] ?? 'python3', [join(import.meta.dirname, 'run_duckdb.py')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = createInterface({ input: helper.stdout })[Symbol.asyncIterator]();

async function ask(request: string): Promise<string | null> {
  helper.stdin.write(`${request}\n`);
  const { value } = await answers.next();
  if (value === undefined) throw new Error('the helper has ended');
  return JSON.parse(value) as string | null;
}

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
        if (lowered !== null) await compare(scenario, reading, { lowered, dump, answer });
      }
      return answer;
    },
    close: () => engine.close(),
  };
}

interface Statement {
  readonly query: string;
  readonly dump: GraphDump;
  readonly params: ReadonlyMap<string, Value>;
}

async function translate(engine: Engine, { query, dump, params }: Statement): Promise<SqlStatement | null> {
  try {
    const bound = analyze(parse(query), query);
    const { body } = bound.statement;
    const ask = (text: string) => engine.execute(text, params);
    const constants = body.kind === 'query' && !bound.writes ? await findConstants(body.parts, query, ask) : undefined;
    const common = { text: query, dialect: 'duckdb', shape: dump.shape, parameters: params } as const;
    return lowerStatement(bound, {
      ...common,
      ...(constants === undefined ? {} : { constants }),
      opaqueText: (value) => `json:${writeJson(value)}`,
    });
  } catch (error) {
    if (!(error instanceof GraphDBError)) throw error;
    const reason = error.message.replace(/ \(line.*/, '');
    refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    return null;
  }
}

interface Compared {
  readonly lowered: SqlStatement;
  readonly dump: GraphDump;
  readonly answer: Awaited<ReturnType<Engine['execute']>>;
}

async function compare(scenario: Scenario, { query, inOrder }: Reading, { lowered, dump, answer }: Compared): Promise<void> {
  counts.translated++;
  const sources = lowered.sources.map((source) => rowsOf(dump, source, DIALECTS.duckdb));
  const head = JSON.stringify({ sql: lowered.sql, columns: answer.columns, inOrder }).slice(0, -1);
  const rows = answer.rows.map((row) => `[${row.map((value) => writeJson(value)).join(',')}]`).join(',');
  const difference = await ask(`${head},"sources":[${sources.join(',')}],"rows":[${rows}]}`);
  if (difference === null) return;
  counts.different++;
  console.log(`DIFFERENT ${scenario.id}\n  ${query.trim().replaceAll('\n', '\n  ')}\n  ${difference}`);
  if (options.verbose) console.log(lowered.sql);
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
helper.stdin.end();
for (const [reason, count] of [...refusals].sort(([, a], [, b]) => b - a)) console.log(`${String(count).padStart(5)}  ${reason}`);
console.log(`${counts.translated} of ${counts.statements} statements that read translated, ${counts.different} different`);
process.exitCode = counts.different === 0 ? 0 : 1;

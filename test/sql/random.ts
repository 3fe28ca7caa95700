/**
 * `node test/sql/random.ts [--statements <n>] [--seed <n>] [--verbose]`: random statements of the differential tests
 * that read, through DuckDB: each that has a form in SQL is held against the engine's answer over the same graph.
 * Prints how many were translated, why the others were not, and every difference. Exit status 1 with a difference.
 * PYTHON names a Python with duckdb.
 */
import { parseArgs } from 'node:util';
import { GraphDBError } from '../../src/base/index.ts';
import { type Engine, openEngine, type StatementResult } from '../../src/engine/index.ts';
import { noCounts } from '../differential/counts.ts';
import { DRAWN, type Features } from '../differential/generate/features.ts';
import { type GraphSpec, modelOf, randomGraph } from '../differential/generate/graph.ts';
import { PARAMETERS } from '../differential/generate/parameters.ts';
import { randomQuery } from '../differential/generate/query.ts';
import { writer } from '../differential/generate/scope.ts';
import { ask, isRefusal } from '../differential/questions.ts';
import { build } from '../differential/stores.ts';
import { seededRandom } from '../support/random.ts';
import { dumpGraph } from './graph-dump.ts';
import { type Comparison, SqlHelper, translate } from './sql-helper.ts';

const PER_GRAPH = 50;
/** Chains of hundreds of operators say nothing about SQL, and take long there. */
const FEATURES: Features = new Set([...DRAWN].filter((feature) => feature !== 'chains'));

const { values: options } = parseArgs({
  options: {
    statements: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});
const counts = { statements: 0, translated: 0, rows: 0, different: 0 };
const refusals = new Map<string, number>();
const duckdb = new SqlHelper('duckdb');
for (let seed = Number(options.seed); counts.statements < Number(options.statements); seed++) await round(seed);
duckdb.close();
for (const [reason, count] of [...refusals].sort(([, a], [, b]) => b - a)) console.log(`${String(count).padStart(5)}  ${reason}`);
console.log(`${counts.translated} of ${counts.statements} statements translated, ${counts.rows} rows, ${counts.different} different`);
process.exitCode = counts.different === 0 ? 0 : 1;

async function round(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const spec = randomGraph(random, { features: FEATURES });
  const engine = await openEngine(`memory://sql-random-${seed}`, { flushIntervalMs: 0 });
  await build(spec, (query, parameters = new Map()) => engine.execute(query, parameters));
  const dump = await dumpGraph(engine);
  for (let i = 0; i < PER_GRAPH; i++) {
    const query = randomQuery(writer(random, { features: FEATURES, keysAreUnique: false }));
    const strictness = strictnessOf(query, spec);
    const answer = strictness === null ? null : await answerOf(engine, query);
    if (strictness === null || answer === null) continue;
    counts.statements++;
    const lowered = await translate(engine, { query, dump, params: PARAMETERS, dialect: 'duckdb' });
    if (typeof lowered === 'string') {
      refusals.set(lowered, (refusals.get(lowered) ?? 0) + 1);
      continue;
    }
    counts.translated++;
    counts.rows += answer.rows.length;
    const difference = await duckdb.difference({ lowered, tables: dump, answer, ...strictness });
    if (difference === null) continue;
    counts.different++;
    console.log(`DIFFERENT seed ${seed}\n  ${query}\n  ${difference}`);
    if (options.verbose) console.log(lowered.sql);
  }
  await engine.close();
}

/** How its rows are compared; null: it fails, or may answer with different rows. */
function strictnessOf(query: string, spec: GraphSpec): Pick<Comparison, 'inOrder' | 'isLoose'> | null {
  const question = ask(query, modelOf(spec), noCounts());
  if (question === null || question.expected === 'error' || isRefusal(question.expected)) return null;
  const { strict, loose, skip, limit } = question.expected;
  const rows = strict.flat().length;
  const tellsApart = strict.every((group) => group.length === 1);
  if (!tellsApart && (skip > 0 || limit < rows)) return null;
  return { inOrder: tellsApart && rows > 1, isLoose: loose !== null };
}

async function answerOf(engine: Engine, query: string): Promise<StatementResult | null> {
  try {
    return await engine.execute(query, PARAMETERS);
  } catch (error) {
    if (error instanceof GraphDBError) return null;
    throw error;
  }
}

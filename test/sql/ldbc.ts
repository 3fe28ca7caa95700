/**
 * `node test/sql/ldbc.ts [--dialect spark] [--filter <text>] [--verbose]`: the questions of `npm run ldbc` as SQL over the
 * bucket: the data set is imported, each question that has a form in SQL is asked of DuckDB over `to_arrow_dataset`, or
 * of Spark over `format("graphdb")`, and held against the engine's answer. Prints what was refused and why, and every
 * difference. Exit status 1 with a difference. PYTHON names a Python with pyarrow, and duckdb or pyspark.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GraphDBError } from '../../src/base/index.ts';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { type SqlStatement, translate } from '../../src/sql/index.ts';
import { datasetFolder } from '../ldbc/dataset.ts';
import { importDataset } from '../ldbc/import.ts';
import { QUERY_PAIRS, type QueryPair } from '../ldbc/queries/index.ts';
import { chosenDialect } from './dialect-option.ts';
import { reasonOf, SqlHelper } from './sql-helper.ts';

const { values: options } = parseArgs({
  options: {
    dialect: { type: 'string', default: 'duckdb' },
    filter: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const dialect = chosenDialect(options.dialect);
const folder = datasetFolder();
if (folder === undefined) console.log('skipped: no LDBC data set (set GRAPHDB_TEST_DATA)');
else process.exitCode = await main(folder);

async function main(dataset: string): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'graphdb-sql-ldbc-'));
  try {
    mkdirSync(join(scratch, 'store'));
    const uri = `file://${join(scratch, 'store')}?ns=ldbc`;
    await importDataset(dataset, uri, join(scratch, 'csv'));
    return await askAll(uri);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function askAll(uri: string): Promise<number> {
  const engine = await openEngine(uri, { readOnly: true });
  const helper = new SqlHelper(dialect, ['--stores']);
  const chosen = QUERY_PAIRS.filter(({ name }) => options.filter === undefined || name.includes(options.filter));
  const outcomes = await Promise.all(chosen.map((pair, index) => outcomeOf({ engine, helper, uri, prefix: `q${index}_` }, pair)));
  helper.close();
  await engine.close();
  const count = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
  const translated = chosen.length - count('refused');
  console.log(
    `${translated} of ${chosen.length} questions translated to ${dialect}: ${count('equal')} equal, ${count('different')} different`,
  );
  return count('different') === 0 ? 0 : 1;
}

type Outcome = 'equal' | 'different' | 'refused';

interface Asked {
  readonly engine: Engine;
  readonly helper: SqlHelper;
  readonly uri: string;
  /** The beginning of the names of its tables. */
  readonly prefix: string;
}

async function outcomeOf(asked: Asked, pair: QueryPair): Promise<Outcome> {
  const lowered = await lower(asked, pair);
  if (typeof lowered === 'string') {
    console.log(`refused   ${pair.name}: ${lowered}`);
    return 'refused';
  }
  if (options.verbose) console.log(`${pair.name}\n${lowered.sql}\n`);
  const difference = await differenceOf(asked, pair, lowered);
  if (difference === null) return 'equal';
  console.log(`DIFFERENT ${pair.name}\n  ${pair.cypher}\n  ${difference}`);
  return 'different';
}

/** Returns a question in SQL, or why it has no form there. */
async function lower({ engine, prefix }: Asked, { cypher }: QueryPair): Promise<SqlStatement | string> {
  try {
    return await translate((text) => engine.execute(text, new Map()), { text: cypher, dialect, parameters: new Map(), prefix });
  } catch (error) {
    if (!(error instanceof GraphDBError)) throw error;
    return reasonOf(error);
  }
}

async function differenceOf({ engine, helper, uri }: Asked, { cypher }: QueryPair, lowered: SqlStatement): Promise<string | null> {
  const answer = await engine.execute(cypher, new Map());
  const inOrder = /\bORDER BY\b(?![\s\S]*\bRETURN\b)/i.test(cypher);
  return helper.difference({ lowered, tables: uri, answer, inOrder, isRounded: true });
}

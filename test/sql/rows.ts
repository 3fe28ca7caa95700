/**
 * `node test/sql/rows.ts [--dialect spark] [--filter <text>] [--verbose]`: the statements of `cases.ts` as SQL, held against
 * the rows that stand there. Prints every difference. Exit status 1 with one, or with a statement that has no form in SQL.
 * PYTHON names a Python with duckdb or pyspark.
 */
import { parseArgs } from 'node:util';
import { openEngine } from '../../src/engine/index.ts';
import { CASES, GRAPH } from './cases.ts';
import { chosenDialect } from './dialect-option.ts';
import { dumpGraph } from './graph-dump.ts';
import { SqlHelper, translate } from './sql-helper.ts';

const { values: options } = parseArgs({
  options: {
    dialect: { type: 'string', default: 'duckdb' },
    filter: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});
const dialect = chosenDialect(options.dialect);
process.exitCode = await main();

async function main(): Promise<number> {
  const engine = await openEngine('memory://rows-of-sql', { flushIntervalMs: 0 });
  const helper = new SqlHelper(dialect);
  await engine.execute(GRAPH, new Map());
  const tables = await dumpGraph(engine);
  const chosen = CASES.filter(({ name, notOnSpark }) => name.includes(options.filter) && !(dialect === 'spark' && notOnSpark === true));
  const outcomes = chosen.map(async ({ name, text, rows }, index): Promise<boolean> => {
    const lowered = await translate(engine, { query: text, dump: tables, params: new Map(), dialect, prefix: `c${index}_` });
    const { columns } = await engine.execute(text, new Map());
    const difference =
      typeof lowered === 'string'
        ? lowered
        : await helper.difference({ lowered, tables, answer: { columns, rows }, inOrder: /\bORDER BY\b(?![\s\S]*\bRETURN\b)/.test(text) });
    if (difference !== null) console.log(`DIFFERENT ${name}\n  ${text}\n  ${difference}`);
    if (options.verbose && typeof lowered === 'object') console.log(`${name}\n${lowered.sql}\n`);
    return difference === null;
  });
  const equal = (await Promise.all(outcomes)).filter((isEqual) => isEqual).length;
  helper.close();
  await engine.close();
  console.log(`${chosen.length} statements with rows asked of ${dialect}: ${equal} equal, ${chosen.length - equal} different`);
  return equal === chosen.length ? 0 : 1;
}

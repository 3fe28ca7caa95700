/**
 * `npm run ldbc`: imports the LDBC data set through `bin/graphdb import` and asks a hundred questions, each answered a second time by
 * SQLite over the same CSV files.
 *
 *   --filter <text>   only questions whose name contains the text
 *   --verbose         every question with its rows and times; for one that fails, its text
 *
 * The last line is `N agree, N differ`; exit status 0 when all agree and all counts equal the files' lines.
 */
import { parseArgs } from 'node:util';
import { datasetFolder } from './dataset.ts';
import { QUERY_PAIRS } from './queries/index.ts';
import { ask, counts, type Loaded, load } from './suite.ts';

const { values: options } = parseArgs({ options: { filter: { type: 'string' }, verbose: { type: 'boolean' } } });
const folder = datasetFolder();
if (folder === undefined) console.log('skipped: no LDBC data set (set GRAPHDB_TEST_DATA)');
else process.exitCode = await main(folder);

async function main(dataset: string): Promise<number> {
  const start = performance.now();
  const loaded = await load(dataset);
  console.log(`imported in ${seconds(start)}: ${loaded.importerOutput.trim()}`);
  try {
    const miscounted = await printCounts(dataset, loaded);
    const different = await askAll(loaded);
    return miscounted + different === 0 ? 0 : 1;
  } finally {
    await loaded.close();
  }
}

async function printCounts(dataset: string, { engine }: Loaded): Promise<number> {
  let miscounted = 0;
  for (const { what, lines, found } of await counts(dataset, engine)) {
    console.log(
      `${what.padEnd(16)} ${String(lines).padStart(7)} lines  ${String(found).padStart(7)} found${lines === found ? '' : '  DIFFERS'}`,
    );
    if (lines !== found) miscounted++;
  }
  return miscounted;
}

async function askAll(loaded: Loaded): Promise<number> {
  const chosen = QUERY_PAIRS.filter(({ name }) => options.filter === undefined || name.includes(options.filter));
  let different = 0;
  let empty = 0;
  for (const pair of chosen) {
    const { rows, cypherMs, sqlMs, fault } = await ask(loaded, pair);
    if (rows === 0) empty++;
    if (options.verbose)
      console.log(
        `${fault === undefined ? 'agree ' : 'DIFFER'} ${pair.name}: ${rows} rows, Cypher ${cypherMs.toFixed(1)} ms, SQL ` +
          `${sqlMs.toFixed(1)} ms`,
      );
    if (fault === undefined) continue;
    different++;
    console.log(`${pair.name}: ${fault}`);
    if (options.verbose) console.log(pair.cypher);
  }
  console.log(`${chosen.length - different} agree, ${different} differ (${empty} of them without rows)`);
  return different;
}

function seconds(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

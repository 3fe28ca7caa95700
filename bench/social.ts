/**
 * `npm run bench`: this project against other databases and against loops written by hand, over one generated social network.
 *
 *   npm run bench -- [--scale <n>] [--peers all|<name>,…] [--only <part of a name>,…] [--rounds <n>] [--budget
 *     <seconds>] [--load-budget <seconds>]
 *                    [--read-workers <n>] [--json <file>] [--compare <file>]
 *
 * Every peer is a process of its own. All load the same CSV files, then all are asked each question in turn, round
 * after round, with other parameters on each run; answers to equal parameters must be equal. Printed: medians in
 * milliseconds, how many times ahead of the best peer we are, and how many times what loops by hand take we take. A
 * peer that has not answered within the budget is left out of that question; who has been busy with one for so long is
 * not asked again. `--read-workers`: of the library, whose default is none; DuckDB and Kùzu use all cores always.
 * `--json` keeps the results, `--compare` shows beside those of another scale how everything grew. Peers come from
 * `npm run bench:peers`; one that is not there is said so and left out. Neo4j is none of them: it needs a Java virtual
 * machine and comes from no registry that `bench:peers` uses.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../test/support/random.ts';
import { Contender } from './social/contender.ts';
import { writeFiles } from './social/csv.ts';
import { measure } from './social/measure.ts';
import { chooser } from './social/parameters.ts';
import { PEERS, type PeerName } from './social/peer.ts';
import type { Question } from './social/question.ts';
import { HEAVY, QUESTIONS } from './social/questions.ts';
import { growthTable, heading, median, type Results, type Row, rowLine } from './social/table.ts';

const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    peers: { type: 'string', default: 'all' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    budget: { type: 'string', default: '5' },
    'load-budget': { type: 'string', default: '300' },
    'read-workers': { type: 'string', default: '0' },
    json: { type: 'string' },
    compare: { type: 'string' },
  },
});
/** Ours and by hand stand in every row, whatever it takes. */
const OWN_BUDGET_MS = 120_000;
const PLAIN = { unit: 'ms', goal: 3, heavy: false, faults: {} } as const;
const scale = Number(options.scale);
const budgetMs = 1_000 * Number(options.budget);
const root = join(import.meta.dirname, '../.bench');
const work = join(root, `work-${process.pid}`);
const notes: string[] = [];
const readWorkers = Number(options['read-workers']);
// For the process that holds this project.
process.env['GRAPHDB_READ_WORKERS'] = options['read-workers'];

try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const data = join(root, 'data', String(scale));
  await writeFiles(data, scale);
  const { contenders, loadMs } = await loaded(data);
  const peers = contenders.map(({ name }) => name);
  const rows: Row[] = [];
  const add = (row: Row): void => {
    rows.push(row);
    console.log(rowLine(row, peers));
  };
  console.log(heading({ scale, readWorkers, peers }));
  add({ ...PLAIN, name: 'load everything from CSV', medians: loadMs });
  add({ ...PLAIN, name: 'memory after load', unit: 'MB', medians: await megabytes(contenders) });
  const choose = chooser(seededRandom(7), { persons: 10_000 * scale, tags: Math.round(1_000 * Math.sqrt(scale)) });
  for (const question of asked()) {
    const results = await measure(question, {
      contenders,
      choose,
      rounds: Number(options.rounds),
      budgetMs,
      note: (line) => notes.push(line),
    });
    const medians: { [peer in PeerName]?: number } = {};
    const faults: { [peer in PeerName]?: string } = {};
    for (const [peer, { ms, fault }] of results) {
      const typical = fault === null ? median(ms) : undefined;
      if (typical !== undefined) medians[peer] = typical;
      else if (fault !== null) faults[peer] = fault;
    }
    add({
      ...PLAIN,
      name: question.name,
      goal: question.name === 'point' ? 1 : PLAIN.goal,
      heavy: HEAVY.includes(question),
      medians,
      faults,
    });
  }
  add({ ...PLAIN, name: 'memory after the questions', unit: 'MB', medians: await megabytes(contenders) });
  for (const contender of contenders) await contender.close();
  if (notes.length > 0) console.log(`\n${notes.join('\n')}`);
  keep({ scale, readWorkers, peers, rows });
}

function keep(results: Results): void {
  if (options.compare !== undefined) console.log(`\n${growthTable(JSON.parse(readFileSync(options.compare, 'utf8')) as Results, results)}`);
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(results, null, 2));
}

function asked(): readonly Question[] {
  return QUESTIONS.filter(({ name }) => options.only.split(',').some((part) => name.includes(part)));
}

async function loaded(data: string): Promise<{ contenders: readonly Contender[]; loadMs: Row['medians'] }> {
  mkdirSync(work, { recursive: true });
  const wanted = options.peers === 'all' ? PEERS : PEERS.filter((name) => options.peers.split(',').includes(name));
  const contenders: Contender[] = [];
  const loadMs: { [peer in PeerName]?: number } = {};
  for (const name of wanted) {
    const own = name === 'hand' || name === 'graphdb';
    const contender = new Contender(name, { work, budgetMs: own ? OWN_BUDGET_MS : budgetMs });
    try {
      loadMs[name] = await contender.load(data, 1_000 * Number(options['load-budget']));
    } catch (error) {
      notes.push(`${name} is left out: ${(error as Error).message.split('\n')[0]}`);
      await contender.close();
      continue;
    }
    contenders.push(contender);
  }
  return { contenders, loadMs };
}

async function megabytes(contenders: readonly Contender[]): Promise<Row['medians']> {
  const found: { [peer in PeerName]?: number } = {};
  for (const contender of contenders) {
    const bytes = await contender.memoryBytes();
    if (bytes !== null) found[contender.name] = bytes / 1e6;
  }
  return found;
}

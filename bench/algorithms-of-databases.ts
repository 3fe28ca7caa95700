/**
 * Graph algorithms as statements of databases, ours beside FalkorDB, Grafeo and NamiDB (`npm run bench:peers`), in
 * turns on one RMAT graph without loops and parallel relationships:
 * `node bench/algorithms-of-databases.ts [relationships] [--rounds 5] [--budget seconds] [--only peer,peer]`;
 * 1,000,000 relationships unless told. Ours runs in this process, over named projections, with one thread and with as
 * many as it takes by itself; its peers in processes of their own. A database that is busy with one question for longer
 * than the budget, 60 s, is not asked it again, and is loaded anew if a single answer takes that long. Prints medians in
 * milliseconds, ratios to ours with all threads (and with one), answers that differ though they may not, and goals
 * missed: ahead by at least 3.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EDGE_FILES, type PeerName, PeerProcess, type Reply, TookTooLong } from './algorithms/databases/database.ts';
import { openGraphdb } from './algorithms/databases/graphdb.ts';
import { QUESTIONS, type Question } from './algorithms/databases/questions.ts';
import { rmat, simpleEdges } from './algorithms/rmat.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    budget: { type: 'string', default: '60' },
    only: { type: 'string', default: 'FalkorDB,Grafeo,NamiDB' },
  },
});
const rounds = Number(options.rounds);
const budgetMs = Number(options.budget) * 1_000;
const peers = options.only.split(',').filter((name) => name !== '') as PeerName[];
const GOAL = 3;
const LOAD_TIMEOUT_MS = 900_000;
/** First answers find nothing compiled and nothing in memory. */
const UNCOUNTED = 2;
/** Ours with one thread, and with the default of its procedures. */
const OURS = [
  { name: 'ours, 1 thread', concurrency: 1 },
  { name: 'ours', concurrency: 4 },
] as const;
const PROJECTIONS = {
  directed: "CALL gds.graph.project('directed', 'N', {R: {properties: 'weight'}}) YIELD relationshipCount RETURN relationshipCount",
  undirected:
    "CALL gds.graph.project('undirected', 'N', {R: {orientation: 'UNDIRECTED'}}) YIELD relationshipCount RETURN relationshipCount",
};

interface Contender {
  readonly name: string;
  statement(question: Question): string | undefined;
  ask(statement: string): Promise<Reply>;
}

interface Measured {
  readonly ms: number[];
  row: readonly number[] | null;
  /** The reason why there is no time, as the table says it. */
  fault: string | null;
}

const folder = mkdtempSync(join(tmpdir(), 'graphdb-algorithms-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const drawn = Number(positionals[0] ?? 1_000_000);
const edges = simpleEdges(rmat(drawn));
for (const file of EDGE_FILES) writeFileSync(join(folder, file), edges[file]);
console.log(
  `RMAT, ${edges.nodeCount} nodes; of ${drawn} relationships ${edges.sources.length} are neither loops nor parallel; ` +
    `medians of ${rounds}, ms`,
);

const graphdb = await openGraphdb(folder, edges);
console.log(`GraphDB: loaded in ${Math.round(graphdb.loadMs)} ms`);
for (const [name, text] of Object.entries(PROJECTIONS)) {
  const { ms, row } = await graphdb.ask(text);
  console.log(`GraphDB: gds.graph.project('${name}'), ${row[0]} relationships: ${shown(ms)} ms`);
}

/** Starts again, and loads again, after it was ended. */
class Peer implements Contender {
  readonly name: PeerName;
  private process: PeerProcess | null = null;
  private starts = 0;

  constructor(name: PeerName) {
    this.name = name;
  }

  statement({ peers }: Question): string | undefined {
    return peers[this.name];
  }

  /** @returns milliseconds */
  async start(): Promise<number> {
    const own = join(folder, `${this.name}-${this.starts++}`);
    mkdirSync(own);
    this.process = new PeerProcess(this.name, { folder, nodeCount: edges.nodeCount, own });
    return (await this.process.loaded(LOAD_TIMEOUT_MS)).ms;
  }

  async ask(statement: string): Promise<Reply> {
    if (this.process === null) await this.start();
    try {
      return await this.process!.ask(statement, budgetMs);
    } catch (error) {
      if (error instanceof TookTooLong) this.process = null;
      throw error;
    }
  }

  end(): void {
    this.process?.end();
  }
}

const running: Peer[] = [];
for (const name of peers) {
  const peer = new Peer(name);
  try {
    console.log(`${name}: loaded in ${Math.round(await peer.start())} ms`);
    running.push(peer);
  } catch (error) {
    console.log(`${name}: does not run here: ${(error as Error).message.split('\n')[0]}`);
  }
}

const contenders: Contender[] = [
  ...OURS.map(({ name, concurrency }) => ({
    name,
    statement: ({ ours }: Question) => ours,
    ask: (statement: string) => graphdb.ask(statement, { concurrency }),
  })),
  ...running,
];

/** Asks all in turns. The first answers count for nothing, unless there is no time for others. */
async function measure(question: Question): Promise<Map<string, Measured>> {
  const results = new Map(contenders.map(({ name }): [string, Measured] => [name, { ms: [], row: null, fault: null }]));
  for (let round = -UNCOUNTED; round < rounds; round++) {
    for (const contender of contenders) {
      const measured = results.get(contender.name)!;
      const statement = contender.statement(question);
      if (statement === undefined || measured.fault !== null || measured.ms.reduce((a, b) => a + b, 0) > budgetMs) continue;
      try {
        const { ms, row } = await contender.ask(statement);
        if (round === 0) measured.ms.length = 0;
        measured.ms.push(ms);
        measured.row = row;
      } catch (error) {
        measured.fault = error instanceof TookTooLong ? `> ${budgetMs / 1_000} s` : 'fails';
        if (measured.fault === 'fails') console.log(`${question.name}: ${contender.name}: ${(error as Error).message.split('\n')[0]}`);
      }
    }
  }
  return results;
}

function median({ ms }: Measured): number | undefined {
  return ms.toSorted((a, b) => a - b)[ms.length >> 1];
}

function shown(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}

const missed: string[] = [];
const heads = [contenders.map(({ name }) => name.padStart(15)).join(''), running.map(({ name }) => `${name}/ours`.padStart(18)).join('')];
console.log(`\n${''.padEnd(30)}${heads.join(' |')}`);
for (const question of QUESTIONS) {
  const results = await measure(question);
  const [single, shared] = OURS.map(({ name }) => results.get(name)!) as [Measured, Measured];
  const ratios = running.map(({ name }) => {
    const [theirs, one, all] = [results.get(name)!, single, shared].map((each) => (each.fault === null ? median(each) : undefined));
    if (theirs === undefined || one === undefined || all === undefined) return '';
    if (theirs / all < GOAL) missed.push(`${question.name}: ${name} ${shown(theirs / all)}`);
    return `${shown(theirs / all)} (${shown(theirs / one)})`;
  });
  const times = contenders.map(({ name }) => {
    const measured = results.get(name)!;
    return (measured.fault ?? shown(median(measured))).padStart(15);
  });
  console.log(`${question.name.padEnd(30)}${times.join('')} |${ratios.map((ratio) => ratio.padStart(18)).join('')}`);
  for (const line of differences(question, results)) console.log(`  ${line}`);
}
console.log(`\n${QUESTIONS.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}.`])).join('\n')}`);
console.log(missed.length === 0 ? `Ahead by ${GOAL} everywhere.` : `Not ahead by ${GOAL}: ${missed.join('; ')}`);
for (const peer of running) peer.end();
await graphdb.close();

/** Answers that are not as ours though they may not, and those that need not be. */
function differences({ tolerances }: Question, results: ReadonlyMap<string, Measured>): string[] {
  const ours = results.get(OURS[0].name)!.row!;
  return contenders.flatMap(({ name }) => {
    const { row } = results.get(name)!;
    const tolerance = OURS.some((each) => each.name === name) ? 0 : tolerances[name as PeerName];
    if (row === null || Math.abs(row[0]! - ours[0]!) <= (tolerance ?? 0) * Math.abs(ours[0]!)) return [];
    return [`${tolerance === undefined ? 'by its definition' : 'DIFFERS:'} ${name} answers ${row.join(', ')}, not ${ours.join(', ')}`];
  });
}

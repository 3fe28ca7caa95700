/**
 * `npm run bench:cold`: from nothing to the first answer, beside other databases: a new process, the database opened
 * over what an earlier process has loaded, one question asked once.
 *
 *   --scale <n> (10) of the social network   --peers <name>,… (graphdb,sqlite,duckdb,kuzu)   --rounds <n> (5)   --s3
 *
 * In turns, each time a node that was not asked for before. The files lie in the system's cache, for all alike.
 * Printed: medians of the whole time, of the question alone once the database is open, of what the process has read of
 * files (its own program among them), and of what it has resident.
 *
 * `--s3`: ours alone, with the store on an S3 server on this machine, since none of the others can keep its own files
 * there: for opening and for the question the time, requests and bytes, in new processes that run the sources (their
 * loading is not measured).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../test/support/random.ts';
import { onS3 } from './s3.ts';
import { Contender } from './social/contender.ts';
import { writeFiles } from './social/csv.ts';
import { type Chooser, chooser } from './social/parameters.ts';
import { PEERS } from './social/peer.ts';
import { importWith } from './social/peers/graphdb.ts';
import { type Question, textFor } from './social/question.ts';
import { QUESTIONS } from './social/questions.ts';
import { median } from './social/table.ts';

const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '10' },
    peers: { type: 'string', default: 'graphdb,sqlite,duckdb,kuzu' },
    rounds: { type: 'string', default: '5' },
    s3: { type: 'boolean' },
  },
});
const ASKED = ['point', 'neighbours', 'paths of 3'];
const scale = Number(options.scale);
const root = join(import.meta.dirname, '../.bench');
const work = join(root, `cold-${process.pid}`);

async function main(): Promise<void> {
  const data = join(root, 'data', String(scale));
  await writeFiles(data, scale);
  mkdirSync(work, { recursive: true });
  const choose = chooser(seededRandom(7), { persons: 10_000 * scale, tags: Math.round(1_000 * Math.sqrt(scale)) });
  const questions = QUESTIONS.filter(({ name }) => ASKED.includes(name));
  if (options.s3) return onS3(work, (uri, environment) => ask(questions, choose, { uri, environment, data }));
  const wanted = options.peers.split(',');
  const contenders = PEERS.filter((name) => wanted.includes(name)).map((name) => new Contender(name, { work, budgetMs: 60_000 }));
  for (const contender of contenders) {
    await contender.load(data, 600_000);
    await contender.stop();
  }
  console.log('| first question of a process | who | all, ms | once it is open, ms | read, MB | resident, MB |\n|---|---|---|---|---|---|');
  for (const question of questions) {
    const figures = contenders.map(() => [] as number[][]);
    for (let round = 0; round < Number(options.rounds); round++) {
      const parameters = question.parameters(choose);
      for (const [at, contender] of contenders.entries()) {
        const start = performance.now();
        const { ms } = await contender.run(textFor(question, contender.name)!, [parameters]);
        const all = performance.now() - start;
        figures[at]!.push([all, ms![0]!, contender.bytesRead() / 1e6, (await contender.memoryBytes())! / 1e6]);
        await contender.stop();
      }
    }
    for (const [at, { name }] of contenders.entries()) {
      const medians = [0, 1, 2, 3].map((figure) => median(figures[at]!.map((each) => each[figure]!))!.toPrecision(3));
      console.log(`| ${question.name} | ${name} | ${medians.join(' | ')} |`);
    }
  }
  for (const contender of contenders) await contender.close();
}

interface OnS3 {
  readonly uri: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly data: string;
}

function ask(questions: readonly Question[], choose: Chooser, { uri, environment, data }: OnS3): void {
  const env = { ...process.env, ...environment };
  const program = join(import.meta.dirname, '../bin/graphdb');
  importWith(program, data, { uri, env });
  for (const question of questions) {
    for (let round = 0; round < Number(options.rounds); round++) {
      const asked = JSON.stringify([[question.name, textFor(question, 'graphdb'), question.parameters(choose)]]);
      execFileSync(process.execPath, [join(import.meta.dirname, 'open-process.ts'), uri, asked], { stdio: 'inherit', env });
    }
  }
}

try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}

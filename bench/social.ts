/**
 * `npm run bench`: this project against other databases and against loops written by hand, over one generated social network.
 *
 *   npm run bench -- [--scale <n>] [--peers all|<name>,…] [--queries all|<part of a name>,…] [--rounds <n>] [--timeout <seconds>]
 *
 * Every peer is a process of its own. All are asked each question in turn, round after round, with other parameters on each run; answers to equal parameters
 * must be equal. Printed: medians in milliseconds, the ratio to the best peer (above 1: we are ahead) and to the loops by hand. Peers come from
 * `npm run bench:peers`; one that is not there is said so and left out.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../test/support/random.ts';
import { sameAnswer } from './social/compare.ts';
import { Contender } from './social/contender.ts';
import { writeFiles } from './social/csv.ts';
import { type Chooser, chooser } from './social/parameters.ts';
import { type Parameters, PEERS, type PeerName } from './social/peer.ts';
import { type Question, textFor } from './social/question.ts';
import { QUESTIONS } from './social/questions.ts';

const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    peers: { type: 'string', default: 'all' },
    queries: { type: 'string', default: 'all' },
    rounds: { type: 'string', default: '5' },
    timeout: { type: 'string', default: '60' },
  },
});
/** How long one peer is asked in one round, by what it took in the one before; in the first round so often. */
const ROUND_MS = 60;
const FIRST_RUNS = 3;
/** What takes microseconds has to be asked often before it is what a program sees that asks it all day: engines of every kind compile, or fill caches. */
const MOST_RUNS = 2_000;
const scale = Number(options.scale);
const rounds = Number(options.rounds);
const root = join(import.meta.dirname, '../.bench');
const work = join(root, `work-${process.pid}`);

interface Measured {
  readonly ms: number[];
  fault: string | null;
}

try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const data = join(root, 'data', String(scale));
  await writeFiles(data, scale);
  mkdirSync(work, { recursive: true });
  const contenders = await loaded(data);
  const names = contenders.map(({ name }) => name);
  const choose = chooser(seededRandom(7), { persons: 10_000 * scale, tags: Math.round(1_000 * Math.sqrt(scale)) });
  console.log(`\n${'median ms'.padEnd(36)}${names.map((name) => name.padStart(11)).join('')}   ahead of best   of by hand`);
  for (const question of asked()) printRow(question.name, names, await measure(question, contenders, choose));
  await printMemory(contenders);
  for (const contender of contenders) await contender.close();
}

function asked(): readonly Question[] {
  const wanted = options.queries === 'all' ? [''] : options.queries.split(',');
  return QUESTIONS.filter(({ name }) => wanted.some((part) => name.includes(part)));
}

async function loaded(data: string): Promise<readonly Contender[]> {
  const wanted = options.peers === 'all' ? PEERS : PEERS.filter((name) => options.peers.split(',').includes(name));
  const contenders: Contender[] = [];
  for (const name of wanted) {
    const contender = new Contender(name, { data, work, timeoutMs: 1_000 * Number(options.timeout) });
    try {
      await contender.load();
    } catch (error) {
      console.log(`${name} is left out: ${(error as Error).message.split('\n')[0]}`);
      await contender.close();
      continue;
    }
    contenders.push(contender);
    const megabytes = (await contender.memoryBytes()) / 1e6;
    console.log(
      `${name.padEnd(10)} loaded in ${(contender.loadMs / 1_000).toFixed(2).padStart(7)} s, ${megabytes.toFixed(0).padStart(5)} MB then`,
    );
  }
  return contenders;
}

async function measure(question: Question, contenders: readonly Contender[], choose: Chooser): Promise<Map<PeerName, Measured>> {
  const results = new Map<PeerName, Measured>();
  const runs = new Map<PeerName, number>();
  let reference: readonly (readonly unknown[])[] | null = null;
  for (let round = -1; round < rounds; round++) {
    const parameters: Parameters[] = Array.from({ length: Math.max(FIRST_RUNS, ...runs.values()) }, () => question.parameters(choose));
    for (const contender of contenders) {
      const { name } = contender;
      const text = textFor(question, name);
      const result = results.get(name) ?? { ms: [], fault: text === null ? '–' : null };
      results.set(name, result);
      if (text === null || result.fault !== null) continue;
      try {
        const { ms, rows } = await contender.run(text, parameters.slice(0, runs.get(name) ?? FIRST_RUNS));
        const typical = Math.max(0.0001, ms!.toSorted((a, b) => a - b)[ms!.length >> 1]!);
        runs.set(name, Math.max(1, Math.min(MOST_RUNS, Math.round(ROUND_MS / typical))));
        if (round >= 0) result.ms.push(...ms!);
        else {
          if (reference === null) reference = rows!;
          else if (!sameAnswer(reference, rows!)) {
            result.fault = 'differs';
            console.log(
              `${question.name}: ${name} answers ${JSON.stringify(rows!.slice(0, 3))}, not ${JSON.stringify(reference.slice(0, 3))}`,
            );
          }
          if (typical > 5_000) {
            result.ms.push(typical);
            result.fault = 'slow';
          }
        }
      } catch (error) {
        result.fault = (error as Error).message.startsWith('took longer') ? `> ${options.timeout} s` : 'fails';
        if (result.fault === 'fails') console.log(`${question.name}: ${name}: ${(error as Error).message.split('\n')[0]}`);
      }
    }
  }
  return results;
}

function printRow(title: string, names: readonly PeerName[], results: ReadonlyMap<PeerName, Measured>): void {
  const medians = new Map(names.map((name) => [name, median(results.get(name)!.ms)]));
  const cells = names.map((name) => {
    const value = medians.get(name);
    return (value == null ? (results.get(name)!.fault ?? '–') : show(value)).padStart(11);
  });
  const ours = medians.get('graphdb');
  const peers = names.filter((name) => name !== 'hand' && name !== 'graphdb' && results.get(name)!.fault !== 'differs');
  const best = Math.min(...peers.map((name) => medians.get(name) ?? Number.POSITIVE_INFINITY));
  const hand = medians.get('hand');
  const ahead = ours == null || best === Number.POSITIVE_INFINITY ? '' : (best / ours).toFixed(2);
  const limit = ours == null || hand == null ? '' : (ours / hand).toFixed(2);
  console.log(`${title.padEnd(36)}${cells.join('')}${ahead.padStart(16)}${limit.padStart(13)}`);
}

async function printMemory(contenders: readonly Contender[]): Promise<void> {
  const megabytes: string[] = [];
  for (const contender of contenders) megabytes.push(((await contender.memoryBytes()) / 1e6).toFixed(0).padStart(11));
  console.log(`${'memory after the questions, MB'.padEnd(36)}${megabytes.join('')}`);
}

function median(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function show(ms: number): string {
  return ms < 1 ? ms.toFixed(4) : ms < 100 ? ms.toFixed(2) : ms.toFixed(0);
}

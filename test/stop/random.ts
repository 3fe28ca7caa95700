/**
 * Random statements of the differential tests under tiny limits: none is answered later than the limit and its slack,
 * none with INTERNAL, and the process lives. A seed gives a round: a graph, and statements over it, of which every
 * fourth writes. A statement that is late is sent again, twice at most: it fails when all its runs are, since the
 * machine may be busy with something else.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../../src/engine/index.ts';
import { DRAWN } from '../differential/generate/features.ts';
import { randomGraph } from '../differential/generate/graph.ts';
import { randomQuery } from '../differential/generate/query.ts';
import { writer } from '../differential/generate/scope.ts';
import { randomUpdate } from '../differential/generate/update.ts';
import { build } from '../differential/stores.ts';
import { type LaunchedServer, launchServer } from '../server/launched-server.ts';
import { seededRandom } from '../support/random.ts';
import { ask, jsonRequest } from './client.ts';
import { ANSWER_SLACK_MS, PATIENCE_MS } from './limits.ts';
import { machineFactor } from './machine.ts';

export interface RandomOptions {
  readonly statements: number;
  readonly seed: number;
  readonly workers: number;
  readonly timeoutMs: number;
  readonly memoryMiB: number;
  readonly log: (line: string) => void;
}

export interface RandomReport {
  readonly statements: number;
  /** Answers by their outcome. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly slowestMs: number;
  /** Each with the seed of its round and the statement. */
  readonly faults: readonly string[];
}

const STATEMENTS_PER_ROUND = 500;
const NODES = 250;
const UPDATES = 0.25;
/** As the differential tests write them, in JSON; a vector is a list of Floats there. */
const PARAMETERS = { vector: [1.5, 2.5, -3.5], single: 4 };
/** Sent when a round has made the graph much larger than it was. */
const SHRINK = 'MATCH (n) WHERE n.i % 2 = 0 OR n.i IS NULL DETACH DELETE n';
const SHRUNK_EVERY = 25;

export async function sendRandom(options: RandomOptions): Promise<RandomReport> {
  const outcomes = new Map<string, number>();
  const faults: string[] = [];
  let slowestMs = 0;
  let sent = 0;
  for (let seed = options.seed; sent < options.statements; seed++) {
    for await (const { statement, outcome, milliseconds, isLate } of round(
      seed,
      Math.min(STATEMENTS_PER_ROUND, options.statements - sent),
      options,
    )) {
      sent++;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (milliseconds > Math.max(slowestMs, options.timeoutMs + TOLD_SLACK_MS))
        options.log(`seed ${seed}: the slowest so far, ${milliseconds.toFixed(0)} ms, ${outcome}: ${statement.slice(0, 200)}`);
      slowestMs = Math.max(slowestMs, milliseconds);
      if (!isLate && !FAULTY.has(outcome)) continue;
      faults.push(`seed ${seed}: ${outcome} after ${milliseconds.toFixed(0)} ms: ${statement}`);
      options.log(faults.at(-1)!);
    }
    if ((seed - options.seed) % 20 === 19)
      options.log(`seed ${seed}: ${sent} statements, slowest ${slowestMs.toFixed(0)} ms, ${faults.length} faults`);
  }
  return { statements: sent, outcomes, slowestMs, faults };
}

/** Later than on a machine that is as busy as this one now; to be asked once about an answer, since the next moment is another. */
async function cameLate(milliseconds: number, { timeoutMs }: RandomOptions, server: LaunchedServer): Promise<boolean> {
  if (milliseconds <= timeoutMs + ANSWER_SLACK_MS) return false;
  return milliseconds > timeoutMs + ANSWER_SLACK_MS * (await machineFactor(server.child.pid!));
}

/** The slowest statement is told where it came so long behind its limit. */
const TOLD_SLACK_MS = 150;
const RUNS = 3;

const FAULTY: ReadonlySet<string> = new Set(['INTERNAL', 'stuck', 'no answer']);

interface Sent {
  readonly statement: string;
  readonly outcome: string;
  readonly milliseconds: number;
  readonly isLate: boolean;
}

/** Ends early when the server does. */
async function* round(seed: number, statements: number, options: RandomOptions): AsyncGenerator<Sent, void, void> {
  const { workers, timeoutMs, memoryMiB } = options;
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-stop-random-'));
  const store = `file://${folder}?ns=random`;
  try {
    const engine = await openEngine(store, { flushIntervalMs: 0 });
    await build(randomGraph(random, { most: NODES, features: DRAWN }), (query, parameters = new Map()) =>
      engine.execute(query, parameters),
    );
    await engine.close();
    const limits = ['--query-timeout', `${timeoutMs}ms`, '--query-memory', `${memoryMiB}MiB`, '--read-workers', String(workers)];
    const server = await launchServer(['--store', store, ...limits]);
    try {
      for (let i = 0; i < statements; i++) {
        const words = writer(random, { features: DRAWN, keysAreUnique: false });
        const statement =
          i % SHRUNK_EVERY === SHRUNK_EVERY - 1 ? SHRINK : random.chance(UPDATES) ? randomUpdate(words) : randomQuery(words);
        let { outcome, milliseconds } = await ask(server.url, jsonRequest(statement, PARAMETERS), PATIENCE_MS);
        let isLate = await cameLate(milliseconds, options, server);
        for (let run = 1; run < RUNS && isLate && !FAULTY.has(outcome); run++) {
          options.log(`seed ${seed}: late, ${milliseconds.toFixed(0)} ms; sent again: ${statement.slice(0, 120)}`);
          ({ outcome, milliseconds } = await ask(server.url, jsonRequest(statement, PARAMETERS), PATIENCE_MS));
          isLate = await cameLate(milliseconds, options, server);
        }
        yield { statement, outcome, milliseconds, isLate };
        if (outcome === 'stuck' || outcome === 'no answer') break;
      }
    } finally {
      await server.end('SIGKILL');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Rounds of pause and take-over with real processes. The writer's machine stands still (SIGSTOP), in half of the rounds
 * in the middle of its writes. A successor takes over, writes, flushes, its clock jumps ahead by more than everything
 * is kept for, and it collects. Then the former writer wakes, for which no time has passed:
 *
 * - it refuses every write that it is sent, one that would change nothing among them, and what it had been asked before
 *   the pause it answers only if it is there;
 * - its role and its reads follow within some seconds;
 * - whatever anybody was answered is there at the end, nothing that was refused is, and the store is sound.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CLI } from '../support/programs.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { describe, type Reply, rowsOf, ServerProcess } from '../support/server-process.ts';

export interface PauseOptions {
  readonly store: string;
  readonly rounds: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

export interface PauseReport {
  answered: number;
  /** Refused by a writer that had been paused. */
  fenced: number;
  /** Asked before a pause, and answered or refused after it. */
  interrupted: number;
  readonly faults: string[];
}

interface Run {
  readonly options: PauseOptions;
  readonly random: Random;
  readonly report: PauseReport;
  readonly fates: Map<number, Reply['kind']>;
  nextKey: number;
}

const CLOCK = join(import.meta.dirname, 'jumping-clock.ts');
const FOLLOWS_WITHIN_MS = 10_000;

export async function pauseRounds(options: PauseOptions): Promise<PauseReport> {
  const report: PauseReport = { answered: 0, fenced: 0, interrupted: 0, faults: [] };
  const run: Run = { options, random: seededRandom(options.seed), report, fates: new Map(), nextKey: 0 };
  let writer = await start(options);
  try {
    for (let round = 1; round <= options.rounds && report.faults.length === 0; round++) {
      await write(run, writer, run.random.between(1, 5));
      writer = await takeOver(run, writer);
      if (round % 20 === 0) options.log(`round ${round}: ${JSON.stringify({ ...report, faults: report.faults.length })}`);
    }
    await audit(run, writer, 'the last writer');
    await writer.stop();
    await using reopened = await start(options);
    await audit(run, reopened, 'a new server');
    await reopened.stop();
    const { stdout } = await promisify(execFile)(CLI, ['inspect', '--store', options.store, '--verify', '--json'], { maxBuffer: 1 << 28 });
    const { problems } = JSON.parse(stdout) as { problems: unknown[] };
    if (problems.length > 0) report.faults.push(`the store is damaged: ${JSON.stringify(problems)}`);
    return report;
  } finally {
    await writer.kill();
  }
}

function start({ store }: PauseOptions): Promise<ServerProcess> {
  return ServerProcess.start({ store, flushInterval: '0s', preload: CLOCK });
}

/** @returns the successor; the paused writer has been woken, looked at, and ended */
async function takeOver(run: Run, paused: ServerProcess): Promise<ServerProcess> {
  const { random, report } = run;
  const interrupted = random.chance(0.5) ? Array.from({ length: 4 }, () => write(run, paused, 10)) : [];
  if (interrupted.length > 0) await sleep(random.between(0, 60));
  paused.signal('SIGSTOP');
  try {
    const successor = await start(run.options);
    await write(run, successor, random.between(1, 4));
    await must(run, successor.flush());
    await write(run, successor, random.between(0, 3));
    if (random.chance(0.5)) await must(run, successor.compact());
    // From its last manifest on it knows the store's time by its own clock.
    successor.signal('SIGUSR2');
    await must(run, successor.compact());
    if (random.chance(0.5)) await write(run, successor, random.between(0, 3));
    paused.signal('SIGCONT');
    await Promise.all(interrupted);
    report.interrupted += interrupted.length;
    await checkFenced(run, paused, successor);
    return successor;
  } finally {
    await paused.kill();
  }
}

async function must({ report }: Run, reply: Promise<Reply>): Promise<void> {
  const known = await reply;
  if (known.kind !== 'answered') report.faults.push(describe(known));
}

/** Writes one after the other, until one is not answered. */
async function write(run: Run, server: ServerProcess, count: number): Promise<void> {
  const { fates, report } = run;
  for (let i = 0; i < count; i++) {
    const key = run.nextKey++;
    const reply = await server.cypher('CREATE (:Entry {key: $key})', { key });
    fates.set(key, reply.kind);
    if (reply.kind === 'answered') report.answered++;
    else if (reply.kind === 'refused' && reply.code !== 'WRITER_FENCED') report.faults.push(`a write: ${describe(reply)}`);
    if (reply.kind !== 'answered') return;
  }
}

async function checkFenced(run: Run, woken: ServerProcess, successor: ServerProcess): Promise<void> {
  const { report, fates } = run;
  const [{ n } = { n: 0 }] = await rowsOf(successor, 'MATCH (e:Entry) RETURN count(e) AS n');
  const empty = await woken.cypher('MERGE (e:Entry {key: 0}) RETURN e.key');
  const writes: Reply[] = [empty];
  for (let i = 0; i < 10; i++) {
    const key = run.nextKey++;
    const reply = await woken.cypher('CREATE (:Entry {key: $key})', { key });
    fates.set(key, reply.kind);
    writes.push(reply);
  }
  for (const reply of writes) {
    if (reply.kind === 'refused' && reply.status === 409 && reply.code === 'WRITER_FENCED') report.fenced++;
    else report.faults.push(`a write to a writer that was paused: ${describe(reply)}`);
  }
  const deadline = performance.now() + FOLLOWS_WITHIN_MS;
  for (;;) {
    const role = (await woken.health())?.role;
    const [row] = await rowsOf(woken, 'MATCH (e:Entry) RETURN count(e) AS n');
    if (role === 'reader' && row?.['n'] === n) return;
    if (performance.now() > deadline) {
      report.faults.push(`a writer that was paused is ${role} and sees ${row?.['n']} of ${n} entries`);
      return;
    }
    await sleep(20);
  }
}

async function audit({ fates, report }: Run, server: ServerProcess, who: string): Promise<void> {
  const found = (await rowsOf(server, 'MATCH (e:Entry) RETURN e.key AS key')).map(({ key }) => Number(key));
  const there = new Set(found);
  if (there.size !== found.length) report.faults.push(`${who}: ${found.length - there.size} entries are there twice`);
  for (const [key, fate] of fates) {
    if (fate === 'answered' && !there.has(key)) report.faults.push(`${who}: entry ${key} was answered and is lost`);
    if (fate === 'refused' && there.has(key)) report.faults.push(`${who}: entry ${key} was refused and is there`);
  }
}

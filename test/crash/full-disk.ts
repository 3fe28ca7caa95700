/**
 * Rounds of a full disk: the store lies on a small file system, which is filled to the last byte while clients write. Writes must be
 * refused, never half done; reads must go on with all that was answered; once there is room again, writing works again, in the same
 * process or at the latest in a new one, and still nothing is lost.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from '../support/orders.ts';
import { seededRandom } from '../support/random.ts';
import { describe, type Reply, ServerProcess } from '../support/server-process.ts';
import { ClientModel } from './client-model.ts';

export interface FullDiskOptions {
  /** A mounted file system with little room. */
  readonly folder: string;
  readonly rounds: number;
  readonly clients: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

export interface FullDiskReport {
  answered: number;
  refused: number;
  /** Rounds in which the process that met the full disk wrote again once there was room. */
  recovered: number;
  /** Rounds that needed a new process to write again. */
  restarted: number;
  readonly faults: string[];
}

/** Mounts a file system of `megabytes` in memory on an empty folder; undefined, and why, where that is not allowed. */
export function mountSmallDisk(folder: string, megabytes: number): { unmount: () => void } | { reason: string } {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'graphdb-test', folder], { stdio: 'pipe' });
  } catch (error) {
    return { reason: `cannot mount a small file system: ${(error as Error).message.split('\n')[0]}` };
  }
  return { unmount: () => execFileSync('umount', ['-l', folder], { stdio: 'pipe' }) };
}

export async function fullDiskRounds(options: FullDiskOptions): Promise<FullDiskReport> {
  const random = seededRandom(options.seed);
  const clients = Array.from(
    { length: options.clients },
    (_, index) => new ClientModel(`client-${index}`, seededRandom(options.seed * 1000 + index)),
  );
  const report: FullDiskReport = { answered: 0, refused: 0, recovered: 0, restarted: 0, faults: [] };
  const store = `file://${options.folder}/store?ns=full`;
  for (let round = 1; round <= options.rounds && report.faults.length === 0; round++) {
    await using server = await ServerProcess.start({ store, flushInterval: random.pick(['100ms', '0s']) });
    await audit(server, clients, report, 'after the start');
    const writing = new AbortController();
    const load = clients.map((client) => write(client, server, report, writing.signal));
    await sleep(random.between(50, 400));
    const filler = fillDisk(options.folder, random.between(0, 20_000));
    await sleep(300);
    writing.abort();
    await Promise.all(load);
    await audit(server, clients, report, 'on the full disk');
    rmSync(filler);
    if (await writesAgain(clients[0]!, server, report)) report.recovered++;
    else report.restarted++;
    await audit(server, clients, report, 'with room again');
    if (random.chance(0.5)) await server.kill();
    else await server.stop();
    options.log(`round ${round}: ${report.answered} writes answered, ${report.refused} refused`);
    if (report.faults.length > 0) report.faults.push(`log of the server:\n${server.logTail}`);
  }
  return report;
}

async function audit(server: ServerProcess, clients: readonly ClientModel[], report: FullDiskReport, when: string): Promise<void> {
  try {
    const state = await inspect(server);
    const faults = [...state.faults, ...clients.flatMap((client) => client.settle(state).faults)];
    report.faults.push(...faults.map((fault) => `${when}: ${fault}`));
  } catch (error) {
    report.faults.push(`${when}: ${(error as Error).message}`);
  }
}

async function write(client: ClientModel, server: ServerProcess, report: FullDiskReport, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const reply = await client.send(server);
    if (reply.kind === 'answered') report.answered++;
    else if (isFullDiskRefusal(reply)) report.refused++;
    else {
      report.faults.push(`a write on a full disk: ${describe(reply)}`);
      return;
    }
    if (reply.kind !== 'answered') await sleep(5);
  }
}

function isFullDiskRefusal(reply: Reply): boolean {
  return reply.kind === 'refused' && reply.status === 503 && reply.code === 'STORE_UNAVAILABLE';
}

/** Takes all the room but about `spare` bytes; answers with the file that holds it. */
function fillDisk(folder: string, spare: number): string {
  const file = join(folder, 'filler');
  const descriptor = openSync(file, 'w');
  let size = 0;
  for (const step of [1 << 20, 1 << 12]) size += writeUntilFull(descriptor, step);
  ftruncateSync(descriptor, Math.max(0, size - spare));
  closeSync(descriptor);
  return file;
}

function writeUntilFull(descriptor: number, step: number): number {
  const block = Buffer.alloc(step);
  let written = 0;
  try {
    for (;;) written += writeSync(descriptor, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    return written;
  }
}

async function writesAgain(client: ClientModel, server: ServerProcess, report: FullDiskReport): Promise<boolean> {
  for (let attempt = 0; attempt < 40; attempt++) {
    const reply = await client.send(server);
    if (reply.kind === 'answered') {
      report.answered++;
      return true;
    }
    await sleep(50);
  }
  return false;
}

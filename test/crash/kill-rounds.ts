/**
 * Rounds of killing: a server under write load by several clients is ended by SIGKILL at a random moment (now and then while it still
 * starts), started again, and looked at: every answered write is there, and no unanswered one is there by half.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from '../support/orders.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { describe, ServerProcess } from '../support/server-process.ts';
import { ClientModel } from './client-model.ts';

export interface KillOptions {
  readonly store: string;
  readonly rounds: number;
  readonly clients: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

export interface KillReport {
  readonly rounds: number;
  answered: number;
  /** Operations left unanswered by a kill, and those of them that had happened. */
  inDoubt: number;
  happened: number;
  killedAtStart: number;
  readonly faults: string[];
}

/** Stops at the first round that finds a fault, so that the store can be looked at. */
export async function killRounds(options: KillOptions): Promise<KillReport> {
  const random = seededRandom(options.seed);
  const clients = Array.from(
    { length: options.clients },
    (_, index) => new ClientModel(`client-${index}`, seededRandom(options.seed * 1000 + index)),
  );
  const report: KillReport = { rounds: options.rounds, answered: 0, inDoubt: 0, happened: 0, killedAtStart: 0, faults: [] };
  for (let round = 1; round <= options.rounds && report.faults.length === 0; round++) {
    if (random.chance(0.15)) await killWhileStarting(options.store, random, report);
    await using server = await ServerProcess.start({ store: options.store, flushInterval: random.pick(['200ms', '1s', '0s']) });
    await audit(server, clients, report);
    const load = clients.map((client) => writeUntilEnd(client, server, report));
    const flushing = random.chance(0.5) ? flushSometimes(server, random) : undefined;
    await sleep(random.between(20, 800));
    await server.kill();
    await Promise.all([...load, flushing]);
    if (report.faults.length > 0) report.faults.push(`round ${round}, log of the server:\n${server.logTail}`);
    if (round % 10 === 0)
      options.log(
        `round ${round}: ${report.answered} writes answered, ${report.inDoubt} in doubt, ${report.happened} of them had happened`,
      );
  }
  if (report.faults.length === 0) await auditTheEnd(options.store, clients, report);
  return report;
}

async function killWhileStarting(store: string, random: Random, report: KillReport): Promise<void> {
  await using server = await ServerProcess.spawn({ store });
  await sleep(random.between(50, 500));
  await server.kill();
  report.killedAtStart++;
}

async function audit(server: ServerProcess, clients: readonly ClientModel[], report: KillReport): Promise<void> {
  const state = await inspect(server);
  report.faults.push(...state.faults);
  for (const client of clients) {
    if (client.hasDoubt) report.inDoubt++;
    const { faults, happened } = client.settle(state);
    report.faults.push(...faults);
    if (happened) report.happened++;
  }
}

async function writeUntilEnd(client: ClientModel, server: ServerProcess, report: KillReport): Promise<void> {
  for (;;) {
    const reply = await client.send(server);
    if (reply.kind === 'unanswered') return;
    if (reply.kind === 'answered') report.answered++;
    else {
      report.faults.push(`a write was refused: ${describe(reply)}`);
      return;
    }
  }
}

async function flushSometimes(server: ServerProcess, random: Random): Promise<void> {
  while ((await server.flush()).kind === 'answered') await sleep(random.between(10, 150));
}

/** After the last kill: everything is there, the server stops cleanly, and what it leaves opens again. */
async function auditTheEnd(store: string, clients: readonly ClientModel[], report: KillReport): Promise<void> {
  for (let time = 0; time < 2; time++) {
    await using server = await ServerProcess.start({ store });
    await audit(server, clients, report);
    const status = await server.stop();
    if (status !== 0) report.faults.push(`SIGTERM ended the server with status ${status}:\n${server.logTail}`);
  }
}

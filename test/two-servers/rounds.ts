/**
 * Two servers on one directory. The one that started last holds the epoch; the other is fenced: it answers writes with 409
 * `WRITER_FENCED` and goes on reading. Again and again the fenced one is started anew (stopped or killed before) and takes the epoch
 * back, while clients send each operation to one of the two at random. At the end every answered operation is there once, every refused
 * one is not, and one left unanswered is there once or not at all.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, statementOf } from '../support/orders.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { describe, rowsOf, ServerProcess } from '../support/server-process.ts';

export interface TwoServersOptions {
  readonly store: string;
  readonly rounds: number;
  readonly clients: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}

export interface TwoServersReport {
  answered: number;
  /** Refused with WRITER_FENCED. */
  fenced: number;
  unanswered: number;
  takeovers: number;
  readonly faults: string[];
}

/** The state in which each order must be at the end. */
type Fate = 'answered' | 'refused' | 'unanswered';

/** The two places; a place holds the server that runs there now. */
type Servers = [ServerProcess, ServerProcess];

interface Run {
  readonly options: TwoServersOptions;
  readonly servers: Servers;
  readonly fates: Map<string, Fate>;
  readonly report: TwoServersReport;
}

export async function twoServersRounds(options: TwoServersOptions): Promise<TwoServersReport> {
  const servers: Servers = [await ServerProcess.start(options), await ServerProcess.start(options)];
  const report: TwoServersReport = { answered: 0, fenced: 0, unanswered: 0, takeovers: 0, faults: [] };
  const run: Run = { options, servers, fates: new Map(), report };
  try {
    const writer = await fight(run);
    if (report.faults.length > 0) return report;
    await audit(run, writer, 'the writer at the end');
    await Promise.all(servers.map((server) => server.stop()));
    await using reopened = await ServerProcess.start(options);
    await audit(run, reopened, 'a new server');
    return report;
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
}

/** All rounds, under load; answers with the server that holds the epoch at the end. */
async function fight(run: Run): Promise<ServerProcess> {
  const { options, servers, report } = run;
  const random = seededRandom(options.seed);
  const ending = new AbortController();
  const load = Array.from({ length: options.clients }, (_, index) =>
    write(run, `client-${index}`, seededRandom(options.seed * 1000 + index), ending.signal),
  );
  let writer: 0 | 1 = 1;
  try {
    await checkFenced(run, 0);
    for (let round = 1; round <= options.rounds && report.faults.length === 0; round++) {
      await sleep(random.between(50, 500));
      writer = writer === 0 ? 1 : 0;
      await takeBack(run, random, writer);
      if (round % 5 > 0) continue;
      options.log(`round ${round}: ${report.answered} answered, ${report.fenced} fenced, ${report.unanswered} unanswered`);
    }
  } finally {
    ending.abort();
    await Promise.all(load);
  }
  return servers[writer];
}

/** Starts the fenced server of `place` anew; from then on the other one is fenced. */
async function takeBack(run: Run, random: Random, place: 0 | 1): Promise<void> {
  const { servers, report } = run;
  const epochBefore = (await servers[1 - place]!.health())?.epoch ?? 0;
  if (random.chance(0.5)) await servers[place].kill();
  else if ((await servers[place].stop()) !== 0) report.faults.push(`SIGTERM did not end a fenced server well:\n${servers[place].logTail}`);
  servers[place] = await ServerProcess.start(run.options);
  report.takeovers++;
  const health = await servers[place].health();
  if (health?.role !== 'writer') report.faults.push(`a server that has just started is ${health?.role}`);
  if (health !== undefined && health.epoch <= epochBefore) report.faults.push(`the epoch went from ${epochBefore} to ${health.epoch}`);
  await checkFenced(run, place === 0 ? 1 : 0);
}

/** The server of `place` refuses a write, says that it reads, and reads. */
async function checkFenced({ servers, report }: Run, place: 0 | 1): Promise<void> {
  const server = servers[place];
  const reply = await server.cypher('CREATE (:MustNotBeThere)');
  if (reply.kind !== 'refused' || reply.status !== 409 || reply.code !== 'WRITER_FENCED')
    report.faults.push(`a write to the fenced server: ${describe(reply)}`);
  const health = await server.health();
  if (health?.status !== 'ok' || health.role !== 'reader') report.faults.push(`health of the fenced server: ${JSON.stringify(health)}`);
  const read = await server.cypher('MATCH (o:Order) RETURN count(o) AS n');
  if (read.kind !== 'answered') report.faults.push(`a read of the fenced server: ${describe(read)}`);
  const flush = await server.flush();
  if (flush.kind !== 'refused' || flush.status !== 409) report.faults.push(`a flush of the fenced server: ${describe(flush)}`);
}

async function write({ servers, fates, report }: Run, client: string, random: Random, signal: AbortSignal): Promise<void> {
  for (let number = 0; !signal.aborted; number++) {
    const key = `${client}-${number}`;
    const { query, params } = statementOf({ kind: 'place', client, key, items: random.between(1, 5) });
    const reply = await random.pick(servers).cypher(query, params);
    fates.set(key, reply.kind);
    if (reply.kind === 'answered') report.answered++;
    else if (reply.kind === 'unanswered') report.unanswered++;
    else if (reply.code === 'WRITER_FENCED') report.fenced++;
    else if (reply.code !== 'SHUTTING_DOWN') report.faults.push(`a write: ${describe(reply)}`);
    if (reply.kind !== 'answered') await sleep(random.between(0, 10));
  }
}

async function audit({ fates, report }: Run, server: ServerProcess, who: string): Promise<void> {
  const { orders, operations, faults } = await inspect(server);
  report.faults.push(...faults.map((fault) => `${who}: ${fault}`));
  for (const [key, fate] of fates) {
    if (fate === 'answered' && !orders.has(key)) report.faults.push(`${who}: order ${key} was answered and is lost`);
    if (fate === 'refused' && orders.has(key)) report.faults.push(`${who}: order ${key} was refused and is there`);
  }
  for (const key of orders.keys()) if (!fates.has(key)) report.faults.push(`${who}: order ${key} was never sent`);
  for (const [client, count] of operations) {
    const found = [...orders.values()].filter((order) => order.client === client).length;
    if (found !== count) report.faults.push(`${who}: ${client} has counted ${count} operations and has ${found} orders`);
  }
  const [probes] = await rowsOf(server, 'MATCH (n:MustNotBeThere) RETURN count(n) AS n');
  if (probes?.['n'] !== 0) report.faults.push(`${who}: ${probes?.['n']} writes of a fenced server are there`);
}

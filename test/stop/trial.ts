/**
 * Runs shapes against servers: a new one with a new copy of the graph behind each shape that wrote, hurt the server, or
 * left much memory in use.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonRequest, type Statement } from './client.ts';
import { KEPT_SLACK_MIB, type Limits, PATIENCE_MS, quantile, type Run } from './limits.ts';
import { machineFactor } from './machine.ts';
import { requestOf, type Shape } from './shapes/index.ts';
import { WatchedServer } from './watched-server.ts';

/** Resident memory beyond that of the fresh server at which it is replaced. */
const REPLACED_AT_MIB = 200;
const RETURNS_WITHIN_MS = 3_000;
const NO_SWITCHES: Readonly<Record<string, string>> = {};
const ONE: Statement = jsonRequest('RETURN 1 AS one', {});

export class Trial {
  readonly #prepared: string;
  readonly #limits: Limits;
  #server: WatchedServer | null = null;
  #freshMiB = 0;
  /** Switches of the server that runs. */
  #switches = NO_SWITCHES;

  constructor(prepared: string, limits: Limits) {
    this.#prepared = prepared;
    this.#limits = limits;
  }

  async run(shape: Shape): Promise<Run> {
    const server = await this.#ready(shape.switches ?? NO_SWITCHES);
    const before = await server.collectedMiB();
    const request = requestOf(shape);
    const busyBefore = await machineFactor(server.pid);
    const { result: answer, seen } = await server.during(() => server.ask(request, this.#limits.timeoutMs + PATIENCE_MS));
    const busyBehind = await machineFactor(server.pid);
    const isStuck = answer.outcome === 'stuck';
    const alive = !isStuck && (await server.ask(ONE, PATIENCE_MS)).status === 200;
    const keptMiB = alive && before !== null ? await returned(server, before) : null;
    const mustEnd = !alive || (shape.writes === true && answer.outcome === 'ok') || server.residentMiB > this.#freshMiB + REPLACED_AT_MIB;
    const end = mustEnd ? await this.close() : '';
    return {
      status: answer.status,
      outcome: answer.outcome,
      answerMs: answer.milliseconds,
      answerBytes: answer.bytes,
      healthP99Ms: quantile(seen.healthMs, 0.99),
      healthWorstMs: seen.healthMs.at(-1) ?? 0,
      machineMs: seen.machineMs,
      machineFactor: (busyBefore + busyBehind) / 2,
      grownMiB: seen.highestMiB - seen.startMiB,
      keptMiB,
      alive,
      end: alive ? '' : end,
    };
  }

  /** Ends the server, if there is one, and answers how it ended. */
  async close(): Promise<string> {
    const server = this.#server;
    this.#server = null;
    return server === null ? '' : server.end();
  }

  async #ready(switches: Readonly<Record<string, string>>): Promise<WatchedServer> {
    if (this.#server?.hasEnded === true || this.#switches !== switches) await this.close();
    this.#switches = switches;
    if (this.#server === null) {
      this.#server = await WatchedServer.start(this.#prepared, this.#limits, switches);
      await this.#server.collectedMiB();
      this.#freshMiB = this.#server.residentMiB;
    }
    return this.#server;
  }
}

/**
 * Returns the memory that the server holds beyond what it held before, as soon as that is little, or when it has had
 * time to give it back.
 */
async function returned(server: WatchedServer, before: number): Promise<number | null> {
  const deadline = performance.now() + RETURNS_WITHIN_MS;
  for (;;) {
    const now = await server.collectedMiB();
    if (now === null || now - before <= KEPT_SLACK_MIB || performance.now() > deadline) return now === null ? null : now - before;
    await sleep(100);
  }
}

/** A server under limits over a copy of the prepared graph, with a prober that looks at it. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type LaunchedServer, launchServer } from '../server/launched-server.ts';
import { askOverBolt } from './bolt-client.ts';
import { type Answer, ask, jsonRequest, type Statement } from './client.ts';
import { csvFolderOf, storeOf } from './graph.ts';
import type { Limits } from './limits.ts';
import type { ProberReport, ToProber } from './prober.ts';
import { residentMiB } from './resident-memory.ts';

const COLLECTED_MEMORY = join(import.meta.dirname, 'preload/collected-memory.ts');
const MEMORY_ANSWER_MS = 3_000;

/** Statements that bring all columns, adjacencies and indexes into memory, so that a shape is not charged for them. */
const WARM_UP = [
  'MATCH (n:T) RETURN count(n.i + n.k), count(n.s), count(n.m), count(n.p)',
  'MATCH (n:T) RETURN sum(size(n.l)), sum(size(n.v))',
  'MATCH (n) WHERE n.i = -1 RETURN n',
  'MATCH (:Hub)-[r:H]->(t) RETURN count(r.i), count(t)',
  'MATCH (t:T {i: 5})<-[:H]-(h) RETURN count(h)',
  'MATCH (a:F)-[r:F]->(b) RETURN count(r.i)',
  'MATCH (a:Q)-[r:Q]->(b) RETURN count(r.i)',
  'MATCH (a:C)-[:C]->(b) RETURN count(*)',
  'MATCH (n:Long) RETURN sum(size(n.s)), sum(size(n.l))',
  "MATCH (n:T) WHERE n.s CONTAINS 'w977' RETURN count(*)",
  "CALL db.index.vector.queryNodes('vectors', 1, [x IN range(1, 16) | 1.0]) YIELD node RETURN node.k",
  ...['texts', 'addresses', 'keywords'].flatMap((index) =>
    Array.from({ length: 4 }, () => `CALL db.index.fulltext.queryNodes('${index}', 'text', {limit: 1}) YIELD node RETURN node.i`),
  ),
];

export class WatchedServer {
  readonly #server: LaunchedServer;
  readonly #folder: string;
  readonly #prober: Worker;
  #ended = false;

  private constructor(server: LaunchedServer, folder: string, prober: Worker) {
    this.#server = server;
    this.#folder = folder;
    this.#prober = prober;
    server.child.once('exit', () => {
      this.#ended = true;
    });
  }

  /**
   * @param prepared the folder of the graph, which is copied
   * @param switches variables of its environment
   */
  static async start(
    prepared: string,
    { timeoutMs, memoryMiB, workers }: Limits,
    switches: Readonly<Record<string, string>>,
  ): Promise<WatchedServer> {
    const folder = mkdtempSync(join(tmpdir(), 'graphdb-stop-'));
    // cp keeps what node:fs does not: the hard links of names that the log holds.
    execFileSync('cp', ['-a', join(prepared, 'store'), folder]);
    const limits = ['--query-timeout', `${timeoutMs}ms`, '--query-memory', `${memoryMiB}MiB`, '--read-workers', String(workers)];
    const csv = existsSync(csvFolderOf(prepared)) ? ['--load-csv', csvFolderOf(prepared)] : [];
    const env = { ...switches, NODE_OPTIONS: `--import=${pathToFileURL(COLLECTED_MEMORY).href}`, STOP_MEMORY_FILE: join(folder, 'memory') };
    const server = await launchServer(
      ['--store', storeOf(folder), '--bolt-listen', '127.0.0.1:0', '--flush-interval', '0s', ...limits, ...csv],
      { env },
    );
    const prober = new Worker(new URL('./prober.ts', import.meta.url));
    const watched = new WatchedServer(server, folder, prober);
    for (const statement of WARM_UP) await ask(server.url, jsonRequest(statement, {}), 10 * timeoutMs + 5_000);
    return watched;
  }

  get url(): string {
    return this.#server.url;
  }

  get pid(): number {
    return this.#server.child.pid!;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  get residentMiB(): number {
    return residentMiB(this.pid);
  }

  /** Reports the work of the server while `work` went on. */
  async during<T>(work: () => Promise<T>): Promise<{ result: T; seen: ProberReport }> {
    const watch: ToProber = { kind: 'watch', port: Number(new URL(this.url).port), pid: this.pid };
    this.#prober.postMessage(watch);
    await sleep(30);
    const result = await work();
    const report: ToProber = { kind: 'report' };
    const answered = once(this.#prober, 'message') as Promise<[ProberReport]>;
    this.#prober.postMessage(report);
    const [seen] = await answered;
    return { result, seen };
  }

  async ask(statement: Statement, patienceMs: number): Promise<Answer> {
    if (statement.over !== 'bolt') return ask(this.url, statement, patienceMs);
    return askOverBolt((await this.#server.boltUrl) ?? '', statement.body, patienceMs);
  }

  /** MiB that the main thread holds after a collection; null when it does not answer in time. */
  async collectedMiB(): Promise<number | null> {
    const path = join(this.#folder, 'memory');
    rmSync(path, { force: true });
    if (this.#ended || !this.#server.child.kill('SIGUSR2')) return null;
    const deadline = performance.now() + MEMORY_ANSWER_MS;
    while (performance.now() < deadline && !this.#ended) {
      if (existsSync(path)) return Number(readFileSync(path, 'latin1'));
      await sleep(5);
    }
    return null;
  }

  /** Kills the process and removes the copy; answers the end of its log. */
  async end(): Promise<string> {
    if (!this.#ended) await this.#server.end('SIGKILL');
    await this.#prober.terminate();
    rmSync(this.#folder, { recursive: true, force: true });
    const { exitCode, signalCode } = this.#server.child;
    const log = await this.#server.log;
    const reason =
      /(FATAL ERROR[^\n]*|[^\n]*heap out of memory[^\n]*|RangeError[^\n]*|"level":"(?:fatal|error)"[^\n]*)/.exec(log)?.[0] ?? '';
    return `${signalCode ?? `status ${exitCode}`} ${reason.slice(0, 300)}`.trim();
  }
}

/**
 * `npm run bench:commit`: single-statement durable commits on file:// beside SQLite (WAL, synchronous=FULL), in one folder, in turns.
 *
 * Both insert one row with two properties per commit. With one client, one statement follows the other; with 16, so
 * many are under way at once. SQLite has one writer at a time: its 16 clients are either statements one after the other
 * on one connection, or 16 threads with a connection each that wait for each other (busy_timeout); the faster of the
 * two counts. `--rounds <n>` (9), `--commits <n>` of each in a round (300), `--folder <path>` on the disk in question.
 * Printed: medians over the rounds of milliseconds per commit, and their ratio.
 *
 * `--latency <ms>`: GraphDB alone, on an S3 server on this machine behind a proxy that gives each request this latency.
 * Its clients pause for 0 to 10 ms after each commit, so that they do not keep in step. Printed: commits per second of
 * 1, 4, 16 and 64 clients, and how many commits there were for each request.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type Database, open } from '../src/index.ts';
import { withDistantS3 } from '../test/support/distant-s3.ts';
import { seededRandom } from '../test/support/random.ts';

const CLIENTS = 16;
const STATEMENT = 'CREATE (:Item {id: $id, name: $name})';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    commits: { type: 'string', default: '300' },
    folder: { type: 'string', default: tmpdir() },
    latency: { type: 'string' },
  },
});
const commits = Number(options.commits);
const folder = mkdtempSync(join(options.folder, 'graphdb-commit-'));
let inserted = 0;

async function main(): Promise<void> {
  const file = join(folder, 'items.db');
  const sqlite = openSqlite(file);
  sqlite.exec('CREATE TABLE item (id INTEGER, name TEXT)');
  const insert = sqlite.prepare('INSERT INTO item VALUES (?, ?)');
  const db = await open(`file://${folder}?ns=commit`);
  const threads = await Promise.all(Array.from({ length: CLIENTS }, () => SqliteThread.start(file)));
  const ways: readonly [name: string, run: () => Promise<void> | void][] = [
    ['SQLite, one after the other', () => insertAll(insert)],
    ['GraphDB, 1 client', () => createAll(db, 1)],
    [
      `SQLite, ${CLIENTS} threads`,
      async () => void (await Promise.all(threads.map((thread) => thread.insert(Math.ceil(commits / CLIENTS))))),
    ],
    [`GraphDB, ${CLIENTS} clients`, () => createAll(db, CLIENTS)],
  ];
  const times = new Map(ways.map(([name]) => [name, [] as number[]]));
  for (const [, run] of ways) await run(); // Warm.
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [name, run] of ways) times.get(name)!.push(await timed(run));
  }
  for (const [name, all] of times)
    console.log(`${name}: ${median(all).toFixed(3)} ms (${Math.min(...all).toFixed(3)} to ${Math.max(...all).toFixed(3)})`);
  const [single, one, threaded, many] = [...times.values()];
  const best = single!.map((ms, round) => Math.min(ms, threaded![round]!));
  console.log(`1 client: ${ratio(one!, single!)} times SQLite; ${CLIENTS} clients: ${ratio(many!, best)} times SQLite's faster way`);
  for (const thread of threads) await thread.end();
  sqlite.close();
  await db.close();
}

async function distant(latencyMs: number): Promise<void> {
  const random = seededRandom(1);
  const pause = (): Promise<void> => sleep(random.between(0, 10));
  await withDistantS3({ data: folder, latencyMs, random }, async (uri, proxy) => {
    const db = await open(uri);
    await createAll(db, 1);
    for (const clients of [1, 4, 16, 64]) {
      const rates: number[] = [];
      const before = proxy.requests;
      for (let round = 0; round < Number(options.rounds); round++) rates.push(1_000 / (await timed(() => createAll(db, clients, pause))));
      const perRequest = (commits * rates.length) / (proxy.requests - before);
      console.log(`${clients} clients: ${median(rates).toFixed(0)} commits/s (${perRequest.toFixed(1)} commits a request)`);
    }
    await db.close();
  });
}

function openSqlite(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file);
  sqlite.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=60000');
  return sqlite;
}

function insertAll(insert: StatementSync): void {
  for (let done = 0; done < commits; done++) insert.run(++inserted, `name ${inserted}`);
}

async function createAll(db: Database, clients: number, pause: () => Promise<void> | null = () => null): Promise<void> {
  let left = commits;
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      await db.query(STATEMENT, { id: ++inserted, name: `name ${inserted}` });
      await pause();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** A thread with a connection of its own. */
class SqliteThread {
  private readonly worker: Worker;

  private constructor(worker: Worker) {
    this.worker = worker;
  }

  static async start(file: string): Promise<SqliteThread> {
    const source = `
      const { parentPort, workerData } = require('node:worker_threads');
      const { DatabaseSync } = require('node:sqlite');
      const sqlite = new DatabaseSync(workerData);
      sqlite.exec('PRAGMA synchronous=FULL; PRAGMA busy_timeout=60000');
      const insert = sqlite.prepare('INSERT INTO item VALUES (?, ?)');
      parentPort.on('message', (count) => {
        for (let done = 0; done < count; done++) insert.run(done, 'name ' + done);
        parentPort.postMessage('done');
      });
      parentPort.postMessage('ready');`;
    const thread = new SqliteThread(new Worker(source, { eval: true, workerData: file }));
    await thread.reply();
    return thread;
  }

  async insert(count: number): Promise<void> {
    const reply = this.reply();
    this.worker.postMessage(count);
    await reply;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  /** Rejects when the thread fails first. */
  private reply(): Promise<unknown> {
    return once(this.worker, 'message');
  }
}

/** Milliseconds per commit. */
async function timed(run: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / commits;
}

function ratio(ours: readonly number[], theirs: readonly number[]): string {
  return median(ours.map((ms, round) => ms / theirs[round]!)).toFixed(2);
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[numbers.length >> 1]!;
}

try {
  await (options.latency === undefined ? main() : distant(Number(options.latency)));
} finally {
  rmSync(folder, { recursive: true });
}

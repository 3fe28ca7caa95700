/**
 * A server of several namespaces in this process: HTTP and Bolt over one `ManyNamespaces`, with a clock and timers of
 * the test, and a count of requests to the stores.
 */
import type { TestContext } from 'node:test';
import { type Clock, type Identify, openToAll, silentLogger } from '../../src/base/index.ts';
import { createBoltServer } from '../../src/bolt/index.ts';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { createHttpServer, type HttpServer } from '../../src/http/index.ts';
import { ManyNamespaces, type MemoryBudget, type Namespaces } from '../../src/namespaces/index.ts';
import { formatStorageUri, intercept, namespaceIn, type ObjectStore, parseStorageBase } from '../../src/object-store/index.ts';
import { OngoingTransactions } from '../../src/server/transactions/ongoing-transactions.ts';
import { NamespaceCatalogue } from '../../src/storage/index.ts';

export interface NamespacesBench {
  readonly http: HttpServer;
  /** bolt:// */
  readonly boltUrl: string;
  readonly many: ManyNamespaces;
  /** Requests to stores since the beginning. */
  requests(): number;
  /** Lets time pass, and timers that are due do their work. */
  pass(ms: number): Promise<void>;
  /** Names of the namespaces that are open, sorted. */
  open(): string[];
  /** POST …/v0/cypher. */
  cypher(path: string, query: string, options?: { readonly token?: string; readonly params?: unknown }): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly rows: Record<string, unknown>[];
  readonly body: string;
}

export interface NamespacesBenchOptions {
  readonly uri?: string;
  readonly identify?: Identify;
  readonly readOnly?: boolean;
  readonly memory?: MemoryBudget;
  readonly flushIntervalMs?: number;
  /** Stands between a protocol and the namespaces. */
  readonly wrap?: (namespaces: Namespaces, protocol: string) => Namespaces;
  readonly onRefused?: (refused: { readonly requestId: string; readonly address: string }) => void;
}

let stores = 0;

export async function startNamespaces(context: TestContext, options: NamespacesBenchOptions = {}): Promise<NamespacesBench> {
  const { uri = `memory://namespaces-${process.pid}-${stores++}`, identify = openToAll, readOnly = false } = options;
  const base = parseStorageBase(uri)!;
  const time = testTime();
  let requests = 0;
  const decorateStore = (store: ObjectStore): ObjectStore =>
    intercept(store, (_request, proceed) => {
      requests++;
      return proceed();
    });
  const transactions = new OngoingTransactions(time.clock);
  const parts = { decorateStore, clock: time.clock, schedule: time.schedule, transactions };
  const many = new ManyNamespaces({
    catalogue: new NamespaceCatalogue(base, { clock: time.clock, decorateStore }),
    defaultNamespace: 'default',
    readOnly,
    idleMs: 300_000,
    memory: options.memory ?? { closings: () => 0 },
    open: (name, { databases, ...how }): Promise<Engine> =>
      openEngine(
        formatStorageUri(namespaceIn(base, name)),
        { flushIntervalMs: options.flushIntervalMs ?? 0, ...how },
        { ...parts, databases },
      ),
    openSystem: (databases) =>
      openEngine(
        `memory://system-${process.pid}-${stores++}?ns=system`,
        { flushIntervalMs: 0 },
        { databases, transactions, sharesCatalog: false },
      ),
    clock: time.clock,
    schedule: time.schedule,
    logger: silentLogger,
  });
  const { wrap = (namespaces: Namespaces) => namespaces, onRefused } = options;
  const view = (protocol: string): Namespaces => wrap(transactions.track(many.view(), protocol), protocol);
  const door = { logger: silentLogger, identify, ...(onRefused === undefined ? {} : { onRefused }) };
  const http = await createHttpServer({ version: 'x', maxRequestBytes: 2 ** 20, transactions, ...door });
  http.serve(view('http'));
  const bolt = createBoltServer({ maxMessageBytes: 2 ** 20, ...door });
  bolt.serve(view('bolt'));
  const boltUrl = await bolt.listen({ host: '127.0.0.1', port: 0 });
  context.after(async () => {
    await Promise.all([http.stop({ graceMs: 0 }), bolt.stop({ graceMs: 0 })]);
    await many.close();
  });
  return {
    http,
    boltUrl,
    many,
    requests: () => requests,
    pass: time.pass,
    open: () => Array.from(many.engines(), ([name]) => name).sort(),
    async cypher(path, query, { token, params } = {}) {
      const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
      const url = `${path}/v0/cypher`;
      const reply = await http.inject({ method: 'POST', url, headers, payload: JSON.stringify({ query, params }) });
      const { rows = [], code } = reply.json() as { rows?: Record<string, unknown>[]; code?: string };
      return { status: reply.statusCode, code, rows, body: reply.body };
    },
  };
}

interface Timer {
  readonly atMs: number;
  readonly work: () => void;
}

function testTime() {
  let nowMs = 1_000_000;
  const timers = new Set<Timer>();
  const schedule = (delayMs: number, work: () => void): (() => void) => {
    const timer = { atMs: nowMs + delayMs, work };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const clock: Clock = {
    now: () => nowMs,
    sleep: (ms) => new Promise((resolve) => schedule(ms, resolve)),
  };
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number): Promise<void> => {
    const endMs = nowMs + ms;
    for (;;) {
      const due = [...timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      timers.delete(due);
      nowMs = Math.max(nowMs, due.atMs);
      due.work();
      await settle();
    }
    nowMs = endMs;
    await settle();
  };
  return { clock, schedule, pass };
}

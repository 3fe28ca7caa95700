/**
 * A `bin/graphdb-server` of its own process, as an operator runs it: started on a free port of this machine, asked over HTTP, stopped by
 * SIGTERM or killed by SIGKILL.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { SERVER } from './programs.ts';

const START_LIMIT_MS = 120_000;

export interface Health {
  readonly status: string;
  readonly epoch: number;
  readonly role: 'writer' | 'reader';
  readonly manifest_version: number;
}

/** The reply to a statement: its rows, a refusal, or nothing, and then the statement may have happened or not. */
export type Reply =
  | { readonly kind: 'answered'; readonly rows: Record<string, unknown>[] }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly message: string }
  | { readonly kind: 'unanswered'; readonly message: string };

export interface ServerOptions {
  readonly store: string;
  readonly flushInterval?: string;
  readonly readOnly?: boolean;
  /** Where pages of remote stores are kept. */
  readonly cacheDirectory?: string;
  /** A module that is loaded into the process before it starts. */
  readonly preload?: string;
}

export class ServerProcess implements AsyncDisposable {
  readonly address: string;
  private readonly child: ChildProcess;
  private readonly exit: Promise<unknown>;
  private log = '';

  private constructor(child: ChildProcess, address: string) {
    this.child = child;
    this.address = address;
    this.exit = once(child, 'exit');
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.log = (this.log + text).slice(-20_000);
    });
    child.stdout!.resume();
  }

  /** Starts the process and does not wait until it serves. */
  static async spawn({ store, flushInterval = '30s', readOnly = false, preload, cacheDirectory }: ServerOptions): Promise<ServerProcess> {
    const port = await freePort();
    const args = [
      '--store',
      store,
      '--listen',
      `127.0.0.1:${port}`,
      '--flush-interval',
      flushInterval,
      ...(readOnly ? ['--read-only'] : []),
      ...(cacheDirectory === undefined ? [] : ['--cache-dir', cacheDirectory]),
    ];
    const env = preload === undefined ? process.env : { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(preload).href}` };
    return new ServerProcess(spawn(SERVER, args, { stdio: ['ignore', 'pipe', 'pipe'], env }), `http://127.0.0.1:${port}`);
  }

  /** Starts the process and waits until it serves. */
  static async start(options: ServerOptions): Promise<ServerProcess> {
    const server = await ServerProcess.spawn(options);
    try {
      await server.ready();
      return server;
    } catch (error) {
      await server.kill();
      throw error;
    }
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + START_LIMIT_MS;
    while ((await this.health())?.status !== 'ok') {
      if (this.exited) throw new Error(`the server ended with status ${this.child.exitCode} instead of serving:\n${this.log}`);
      if (performance.now() > deadline) throw new Error(`the server does not serve after ${START_LIMIT_MS / 1000} s:\n${this.log}`);
      await sleep(10);
    }
  }

  get pid(): number {
    return this.child.pid!;
  }

  get exited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The end of what the server has logged. */
  get logTail(): string {
    return this.log;
  }

  /** Undefined when the server does not answer. */
  async health(): Promise<Health | undefined> {
    try {
      const response = await fetch(`${this.address}/v0/health`);
      return (await response.json()) as Health;
    } catch {
      return undefined;
    }
  }

  async cypher(query: string, params: Record<string, unknown> = {}): Promise<Reply> {
    try {
      const response = await fetch(`${this.address}/v0/cypher`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, params }),
      });
      return replyOf(response.status, await response.json());
    } catch (error) {
      return { kind: 'unanswered', message: String(error) };
    }
  }

  flush(): Promise<Reply> {
    return this.ask('flush');
  }

  compact(): Promise<Reply> {
    return this.ask('compact');
  }

  private async ask(what: 'flush' | 'compact'): Promise<Reply> {
    try {
      const response = await fetch(`${this.address}/v0/admin/${what}`, { method: 'POST' });
      return replyOf(response.status, await response.json());
    } catch (error) {
      return { kind: 'unanswered', message: String(error) };
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }

  /** Leaves no process behind, however the round went. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  /** Ends the process the polite way; answers with its exit status. */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    await this.exit;
    return this.child.exitCode;
  }
}

/** The rows of a reading statement that must be answered. */
export async function rowsOf(server: ServerProcess, query: string): Promise<Record<string, unknown>[]> {
  const reply = await server.cypher(query);
  if (reply.kind !== 'answered') throw new Error(`${query}: ${describe(reply)}`);
  return reply.rows;
}

export function describe(reply: Reply): string {
  if (reply.kind === 'answered') return `answered with ${reply.rows.length} rows`;
  return reply.kind === 'refused' ? `${reply.status} ${reply.code}: ${reply.message}` : `unanswered: ${reply.message}`;
}

function replyOf(status: number, body: unknown): Reply {
  const { rows, code, error } = body as { rows?: Record<string, unknown>[]; code?: string; error?: string };
  if (status === 200) return { kind: 'answered', rows: rows ?? [] };
  return { kind: 'refused', status, code: code ?? 'none', message: error ?? 'no message' };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

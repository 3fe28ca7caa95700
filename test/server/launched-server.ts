/** A real server in a process of its own, on a free port, for tests that talk to it from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { SERVER } from '../support/programs.ts';

export interface LaunchedServer {
  readonly url: string;
  /** Where Bolt is, of a server that was told to serve it. */
  readonly boltUrl: Promise<string | undefined>;
  readonly child: ChildProcess;
  /** POST /v0/cypher: status and body. */
  cypher(query: string, params?: unknown): Promise<{ status: number; body: CypherBody }>;
  /** Sends the signal and answers the exit status, or the signal that ended it, once the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** The text that it logged; complete once it has ended. */
  readonly log: Promise<string>;
}

export interface CypherBody {
  readonly columns: string[];
  readonly rows: Record<string, unknown>[];
  readonly write_outcome?: Record<string, number>;
  readonly error?: string;
  readonly code?: string;
}

/** The environment of tests, without settings of the person who runs them. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GRAPHDB_') && name !== 'RUST_LOG');
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...extra };
}

/** `listen` is the flag of the address, a free port unless told; null: none. */
export interface LaunchOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: string;
  readonly listen?: string | null;
}

/** Answers once it serves requests; fails with its log when it ends before. */
export async function launchServer(args: readonly string[], options: LaunchOptions = {}): Promise<LaunchedServer> {
  const { env, program = SERVER, listen = '127.0.0.1:0' } = options;
  const child = spawn(program, [...(listen === null ? [] : ['--listen', listen]), ...args], { env: cleanEnvironment(env) });
  const log = text(child.stderr);
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines = createInterface({ input: child.stdout });
  const listening = new Promise<string | undefined>((resolve) => {
    lines.on('line', (line) => /listening on bolt/.test(line) && resolve(/listening on (\S+)$/.exec(line)?.[1]));
    void ended.then(() => resolve(undefined));
  });
  const [first] = await Promise.race([once(lines, 'line') as Promise<[string]>, ended.then(() => [])]);
  const url = /listening on (\S+)$/.exec(first ?? '')?.[1];
  if (url === undefined) throw new Error(`the server did not start: ${await log}`);
  return {
    url,
    boltUrl: listening,
    child,
    log,
    async cypher(query, params) {
      const body = JSON.stringify({ query, params });
      const answer = await fetch(`${url}/v0/cypher`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return { status: answer.status, body: (await answer.json()) as CypherBody };
    },
    async end(signal) {
      child.kill(signal);
      const [status, by] = await ended;
      return status ?? by ?? 'SIGKILL';
    },
  };
}

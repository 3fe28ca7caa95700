/**
 * A server within a memory limit of its own: a control group where one can be made (Linux as root), else none. Tells
 * the most memory that it had.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const GROUPS = '/sys/fs/cgroup/memory';
const LOOK_MS = 50;

export interface ConfinedServer {
  readonly url: string;
  /** The control group holds it to the limit. */
  readonly isConfined: boolean;
  /** Resident memory at most since the last call, in bytes. */
  takePeak(): number;
  /** How often the kernel refused memory to it, and page cache had to make room. */
  readonly refusals: number;
  stop(): Promise<void>;
}

let groups = 0;

/** `limitBytes` null: no limit. */
export async function startConfined(program: string, args: readonly string[], limitBytes: number | null): Promise<ConfinedServer> {
  const group = limitBytes === null ? null : makeGroup(limitBytes);
  const command =
    group === null ? [program, ...args] : ['/bin/sh', '-c', `echo $$ > ${group}/cgroup.procs; exec "$0" "$@"`, program, ...args];
  const server = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await readyUrl(server);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentOf(server));
  }, LOOK_MS);
  return {
    url,
    isConfined: group !== null,
    takePeak() {
      const most = Math.max(peak, residentOf(server));
      peak = 0;
      return most;
    },
    get refusals() {
      return group === null ? 0 : Number(readFileSync(`${group}/memory.failcnt`, 'utf8'));
    },
    async stop() {
      clearInterval(watch);
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGTERM');
        await new Promise((resolve) => server.once('exit', resolve));
      }
      if (group !== null) rmdirSync(group);
    },
  };
}

function makeGroup(limitBytes: number): string | null {
  const group = join(GROUPS, `graphdb-${process.pid}-${++groups}`);
  try {
    mkdirSync(group);
    writeFileSync(`${group}/memory.limit_in_bytes`, String(limitBytes));
    return group;
  } catch {
    return null;
  }
}

async function readyUrl(server: ChildProcess): Promise<string> {
  const said: string[] = [];
  for await (const line of createInterface({ input: server.stderr! })) {
    said.push(line);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url === undefined) continue;
    server.stderr!.on('data', (data: Buffer) => process.env['BENCH_LOG'] && process.stderr.write(data));
    server.stderr!.resume();
    return url;
  }
  throw new Error(`the server ended before it was ready: ${said.join('\n')}`);
}

function residentOf({ pid }: ChildProcess): number {
  try {
    const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(match?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** A peer of `bench/algorithms-of-databases.ts` in a process of its own, which can be ended at any time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PEERS_FOLDER } from '../../social/from-peers.ts';

export type PeerName = 'FalkorDB' | 'Grafeo' | 'NamiDB';

/** The files of a folder that holds the graph: 32-bit numbers of nodes, and 64-bit floats. */
export const EDGE_FILES = ['sources', 'targets', 'weights'] as const;

/** The time that a statement took, or loading, and the numbers of its row. */
export interface Reply {
  readonly ms: number;
  readonly row: readonly number[];
}

/** A statement has taken longer than it may. */
export class TookTooLong extends Error {}

const PROGRAMS: Readonly<Record<PeerName, readonly [string, ...string[]]>> = {
  FalkorDB: [process.execPath, join(import.meta.dirname, 'falkordb.ts')],
  Grafeo: [process.execPath, join(import.meta.dirname, 'grafeo.ts')],
  NamiDB: ['python3', join(import.meta.dirname, 'serve-namidb.py')],
};

/**
 * A peer in a group of processes of its own: `<program> <folder of the graph> <nodes> <own folder>`. It writes a line of JSON when it has
 * loaded, then one for each line that it reads, which is a statement as JSON: `{ms, row}` or `{error}`. Times are taken there, around the
 * peer's own call.
 */
export class PeerProcess {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor(name: PeerName, graph: { readonly folder: string; readonly nodeCount: number; readonly own: string }) {
    const [program, ...words] = PROGRAMS[name];
    this.child = spawn(program, [...words, graph.folder, String(graph.nodeCount), graph.own], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, PYTHONPATH: join(PEERS_FOLDER, 'namidb') },
      detached: true,
    });
    this.child.on('error', () => {}); // The lines end.
    this.child.stdin!.on('error', () => {});
    process.on('exit', () => this.end());
    this.lines = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]();
  }

  /** Waits until the graph is loaded. */
  loaded(timeoutMs: number): Promise<Reply> {
    return this.reply(timeoutMs);
  }

  /** Runs a statement; throws `TookTooLong` after so many milliseconds, when the process has been ended. */
  ask(statement: string, timeoutMs: number): Promise<Reply> {
    this.child.stdin!.write(`${JSON.stringify(statement)}\n`);
    return this.reply(timeoutMs);
  }

  /** Ends the process and whatever it has started. */
  end(): void {
    if (this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }

  private async reply(timeoutMs: number): Promise<Reply> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.end();
    }, timeoutMs);
    const { value, done } = await this.lines.next();
    clearTimeout(timer);
    if (isLate) throw new TookTooLong();
    if (done === true) throw new Error('its process ended');
    const reply = JSON.parse(value) as Reply & { readonly error?: string };
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply;
  }
}

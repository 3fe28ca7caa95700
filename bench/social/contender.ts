/**
 * The parent's end of a process that holds a peer. A peer that does not give up a question in time is killed; the next
 * question begins a new process over what the first one loaded.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Reply, Request } from './child.ts';
import type { Parameters, PeerName } from './peer.ts';

/** Added to the budget of a question before its process is killed: engines that look at the clock now and then end by themselves. */
const GRACE_MS = 2_000;

export class TookTooLong extends Error {}

export class Contender {
  readonly name: PeerName;
  private readonly budgetMs: number;
  private readonly folder: string;
  private process: ChildProcess | null = null;

  constructor(name: PeerName, options: { work: string; budgetMs: number }) {
    this.name = name;
    this.budgetMs = options.budgetMs;
    this.folder = join(options.work, name);
  }

  /** Milliseconds. */
  async load(data: string, timeoutMs: number): Promise<number> {
    mkdirSync(this.folder, { recursive: true });
    this.start();
    const { ms } = await this.ask({ kind: 'load', folder: data }, timeoutMs);
    return ms![0]!;
  }

  /** Throws `TookTooLong` when all runs together take longer than the budget. */
  async run(text: string, parameters: readonly Parameters[]): Promise<Reply> {
    if (this.process === null) await this.reopen();
    const start = performance.now();
    try {
      return await this.ask({ kind: 'run', text, parameters }, this.budgetMs + GRACE_MS);
    } catch (error) {
      throw performance.now() - start < 0.9 * this.budgetMs ? error : new TookTooLong();
    }
  }

  async memoryBytes(): Promise<number | null> {
    if (this.process === null) return null;
    return (await this.ask({ kind: 'memory' }, 10_000).catch(() => null))?.bytes ?? null;
  }

  /** Bytes read from files and pipes since the process began. */
  bytesRead(): number {
    return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${this.process!.pid}/io`, 'utf8'))![1]);
  }

  /** Stops the engine, but keeps the data that it has loaded: the next question begins a new process. */
  async stop(): Promise<void> {
    if (this.process !== null) await this.ask({ kind: 'close' }, 60_000).catch(() => {});
    this.end();
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async reopen(): Promise<void> {
    this.start();
    await this.ask({ kind: 'reopen' }, 60_000);
  }

  /** A group of processes of its own, since a peer may have a server of its own. */
  private start(): void {
    this.process = fork(join(import.meta.dirname, 'child.ts'), [this.name, this.folder, String(this.budgetMs)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    });
  }

  private end(): void {
    const group = this.process?.pid;
    this.process = null;
    if (group === undefined) return;
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }

  private ask(request: Request, timeoutMs: number): Promise<Reply> {
    const child = this.process!;
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearTimeout(timer);
        child.off('message', answered).off('exit', gone);
        then();
      };
      const answered = (reply: Reply): void => settle(() => (reply.error === undefined ? resolve(reply) : reject(new Error(reply.error))));
      const gone = (): void =>
        settle(() => {
          this.end();
          reject(new Error('its process ended'));
        });
      const timer = setTimeout(
        () =>
          settle(() => {
            this.end();
            reject(new Error(`took longer than ${timeoutMs / 1_000} s`));
          }),
        timeoutMs,
      );
      child.on('message', answered).on('exit', gone);
      child.send(request);
    });
  }
}

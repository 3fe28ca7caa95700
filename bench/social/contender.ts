/**
 * The parent's end of a process that holds a peer. A question that takes too long ends the process; the next one begins with a new process, loaded again.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Reply, Request } from './child.ts';
import type { Parameters, PeerName } from './peer.ts';

export class Contender {
  readonly name: PeerName;
  loadMs = 0;
  private readonly data: string;
  private readonly folder: string;
  private process: ChildProcess | null = null;
  private readonly timeoutMs: number;

  constructor(name: PeerName, options: { data: string; work: string; timeoutMs: number }) {
    this.name = name;
    this.data = options.data;
    this.folder = join(options.work, name);
    this.timeoutMs = options.timeoutMs;
  }

  async load(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    this.process = fork(join(import.meta.dirname, 'child.ts'), [this.name, this.folder], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const { ms } = await this.ask({ kind: 'load', folder: this.data }, 900_000);
    this.loadMs = ms![0]!;
  }

  async run(text: string, parameters: readonly Parameters[]): Promise<Reply> {
    if (this.process === null) await this.load();
    return this.ask({ kind: 'run', text, parameters }, this.timeoutMs);
  }

  async memoryBytes(): Promise<number> {
    return this.process === null ? 0 : ((await this.ask({ kind: 'memory' }, 10_000).catch(() => null))?.bytes ?? 0);
  }

  async close(): Promise<void> {
    if (this.process !== null) await this.ask({ kind: 'close' }, 60_000).catch(() => {});
    this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private end(): void {
    this.process?.kill('SIGKILL');
    this.process = null;
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
          this.process = null;
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

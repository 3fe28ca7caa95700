/** The steps of a new user in an empty folder, each with its time. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonicMs } from '../../src/base/index.ts';
import { cleanEnvironment, type LaunchedServer } from '../server/launched-server.ts';

export interface Step {
  readonly name: string;
  readonly seconds: number;
}

export class Steps implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'graphdb-new-user-'));
  readonly done: Step[] = [];
  readonly #ending = new AsyncDisposableStack();

  /** Does a step, and keeps its time. */
  async step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const beganMs = monotonicMs();
    const result = await work();
    this.done.push({ name, seconds: (monotonicMs() - beganMs) / 1_000 });
    return result;
  }

  /** Runs a program in the folder, without settings of whoever runs this. Returns its output. @throws with its output if it fails */
  run(program: string, args: readonly string[], { cwd = this.folder, env = {} }: RunOptions = {}): string {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      cwd,
      env: cleanEnvironment(env),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ends with ${status}:\n${stdout.slice(-2_000)}${stderr.slice(-2_000)}`);
    return stdout;
  }

  /** Ends a server after the steps, whether they succeed or not. */
  endLater(server: LaunchedServer): LaunchedServer {
    this.#ending.defer(async () => void (await server.end('SIGTERM')));
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ending.disposeAsync();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

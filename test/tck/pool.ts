/**
 * Runs scenarios in worker threads, so that one that hangs or brings its thread down is reported and the others go on. Each thread holds
 * one scenario at a time; past the limit it is ended and a new one takes its place.
 */
import { Worker } from 'node:worker_threads';
import type { Scenario } from './features.ts';
import type { Outcome } from './scenario.ts';

export interface PoolOptions {
  readonly threads: number;
  readonly limitMs: number;
  readonly graphsFolder: string;
  /** Statements that read run in a thread of their own, as long ones do. */
  readonly readsInWorker: boolean;
  /** Ask through the official driver instead of the engine. */
  readonly overBolt?: boolean;
  /** The store is opened anew before each statement. */
  readonly reopens?: boolean;
  /** Operators write what they hold to temporary files after so many rows; absent: as memory calls for. */
  readonly spillAfterRows?: number | undefined;
  /** The thread's program; answers each Scenario with an Outcome. */
  readonly program?: URL;
}

/** The outcomes in the order of `scenarios`. */
export async function runAll(scenarios: readonly Scenario[], options: PoolOptions): Promise<Outcome[]> {
  const outcomes = new Array<Outcome>(scenarios.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    const thread = new ScenarioThread(options);
    for (let index = next++; index < scenarios.length; index = next++) {
      outcomes[index] = await thread.run(scenarios[index]!);
    }
    await thread.end();
  };
  await Promise.all(Array.from({ length: Math.min(options.threads, scenarios.length) }, lane));
  return outcomes;
}

class ScenarioThread {
  private readonly options: PoolOptions;
  private worker: Worker | undefined;

  constructor(options: PoolOptions) {
    this.options = options;
  }

  async run(scenario: Scenario): Promise<Outcome> {
    const worker = this.started();
    const answer = Promise.withResolvers<Outcome | string>();
    const onError = (error: Error) => answer.resolve(`the thread died: ${error.stack ?? error.message}`);
    const onExit = (code: number) => answer.resolve(`the thread ended with status ${code}`);
    worker.on('message', answer.resolve).on('error', onError).on('exit', onExit);
    const timer = setTimeout(() => answer.resolve(`HANG: no answer within ${this.options.limitMs / 1000} s`), this.options.limitMs);
    worker.postMessage(scenario);
    const outcome = await answer.promise;
    clearTimeout(timer);
    worker.off('message', answer.resolve).off('error', onError).off('exit', onExit);
    if (typeof outcome !== 'string') return outcome;
    await this.end();
    return { id: scenario.id, passed: false, reason: outcome, details: '' };
  }

  async end(): Promise<void> {
    const worker = this.worker;
    this.worker = undefined;
    await worker?.terminate();
  }

  private started(): Worker {
    const {
      graphsFolder,
      readsInWorker,
      overBolt = false,
      reopens = false,
      spillAfterRows,
      program = new URL('./worker.ts', import.meta.url),
    } = this.options;
    this.worker ??= new Worker(program, { workerData: { graphsFolder, readsInWorker, overBolt, reopens, spillAfterRows } });
    return this.worker;
  }
}

/** A thread that helps an import, as the import's own thread sees it: it answers orders one after the other. */
import { Worker } from 'node:worker_threads';
import { GraphDBError, programFile } from '../../base/index.ts';
import type { LoadedNodes } from '../node-chunks.ts';
import type { LoadedRelationships } from '../relationship-chunks.ts';
import type { MadeTable } from '../tables/table-buffer.ts';
import type { ThreadOrder, ThreadReport } from './thread-messages.ts';

const ENTRY = programFile('import/threads/import-thread-entry');

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that helps an import. */
export class ImportThread {
  readonly #worker = new Worker(ENTRY);
  readonly #waiting = new Map<number, Waiting>();
  #ordered = 0;
  #loss: GraphDBError | null = null;
  /** Resolves once the thread has loaded its code, or has ended; in that case `ask` rejects. */
  readonly ready: Promise<void>;
  isReady = false;
  readonly #becomeReady: () => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#becomeReady = resolve;
    this.#worker.on('message', (report: ThreadReport) => this.#take(report));
    this.#worker.on('error', (error) => this.#lose(error));
    this.#worker.on('exit', () => this.#lose(undefined));
  }

  /** How many orders have no answer yet. */
  get load(): number {
    return this.#waiting.size;
  }

  tell(order: ThreadOrder & { readonly kind: 'begin' }): void {
    this.#worker.postMessage(order);
  }

  ask(order: Omit<ThreadOrder & { readonly kind: 'load' }, 'id'>): Promise<LoadedNodes | LoadedRelationships>;
  ask(order: Omit<ThreadOrder & { readonly kind: 'make' }, 'id'>): Promise<MadeTable>;
  ask(order: object): Promise<unknown> {
    if (this.#loss !== null) return Promise.reject(this.#loss);
    const id = ++this.#ordered;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...order, id });
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(report: ThreadReport): void {
    if (report.kind === 'ready') return this.#setReady();
    const waiting = this.#waiting.get(report.id);
    this.#waiting.delete(report.id);
    if (report.kind === 'failed') waiting?.reject(new GraphDBError(report.code, report.message));
    else waiting?.resolve(report.result as never);
  }

  #setReady(): void {
    this.isReady = true;
    this.#becomeReady();
  }

  #lose(cause: unknown): void {
    this.#loss ??= new GraphDBError('INTERNAL', 'a thread of the import has ended; nothing was imported', { cause });
    for (const { reject } of this.#waiting.values()) reject(this.#loss);
    this.#waiting.clear();
    this.#setReady();
  }
}

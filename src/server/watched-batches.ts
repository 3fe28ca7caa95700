/** Watches the batches of a stream and reports its end: all read, failed, or abandoned early, even before the first batch. */
import { GraphDBError } from '../base/index.ts';
import type { ResultValue } from '../value/index.ts';

type Batches = AsyncIterable<ResultValue[][]>;

/** The watch over a stream's batches. */
export interface BatchesWatch {
  readonly onBatch?: (rows: number) => void;
  /** Called once, at the end of the stream, with the error if it failed or was abandoned early. */
  readonly onEnd: (error?: unknown) => void;
}

/** Watches the batches of a stream, and its end. */
export function watchBatches(batches: Batches, watch: BatchesWatch): Batches {
  if (batches instanceof WatchedBatches) return batches.add(watch);
  return new WatchedBatches(batches).add(watch);
}

/** A watched stream. It is its own iterator, since a stream is read once; several watches cost one step, not one each. */
class WatchedBatches implements AsyncIterableIterator<ResultValue[][], void> {
  private readonly iterator: AsyncIterator<ResultValue[][], void>;
  private readonly watches: BatchesWatch[] = [];
  private hasEnded = false;

  constructor(batches: Batches) {
    this.iterator = batches[Symbol.asyncIterator]();
  }

  add(watch: BatchesWatch): this {
    this.watches.push(watch);
    return this;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ResultValue[][], void>> {
    try {
      const step = await this.iterator.next();
      if (step.done === true) this.end();
      else for (const { onBatch } of this.watches) onBatch?.(step.value.length);
      return step;
    } catch (error) {
      this.end(error);
      throw error;
    }
  }

  async return(): Promise<IteratorResult<ResultValue[][], void>> {
    this.end(CANCELLED);
    await this.iterator.return?.();
    return { done: true, value: undefined };
  }

  private end(error?: unknown): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const { onEnd } of this.watches) onEnd(error);
  }
}

/** The error of a stream that was abandoned early. */
const CANCELLED = new GraphDBError('CANCELLED', 'the rows were not read to their end');

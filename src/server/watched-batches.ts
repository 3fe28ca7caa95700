/** The batches of a stream, and word of its end: all read, failed, or left early, even before the first one. */
import { GraphDBError } from '../base/index.ts';
import type { ResultValue } from '../value/index.ts';

type Batches = AsyncIterable<ResultValue[][]>;

export interface BatchesWatch {
  readonly onBatch?: (rows: number) => void;
  /** Called once; with the error where it failed. */
  readonly onEnd: (error?: unknown) => void;
}

export function watchBatches(batches: Batches, watch: BatchesWatch): Batches {
  const iterator = batches[Symbol.asyncIterator]();
  let hasEnded = false;
  const end = (error?: unknown): void => {
    if (!hasEnded) watch.onEnd(error);
    hasEnded = true;
  };
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          const step = await iterator.next();
          if (step.done === true) end();
          else watch.onBatch?.(step.value.length);
          return step;
        } catch (error) {
          end(error);
          throw error;
        }
      },
      async return() {
        end(CANCELLED);
        await iterator.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}

/** What a stream that was left early is told to have failed with. */
const CANCELLED = new GraphDBError('CANCELLED', 'the rows were not read to their end');

/** Repeats the work of a transaction after a failure that may pass by itself. */
import { type Clock, GraphDBError, randomFraction, systemClock } from '../base/index.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

interface RetriedTransaction {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/**
 * Begins a transaction, does the work in it and commits; a transaction whose work fails is rolled back. After a failure
 * that may pass by itself (`GraphDBError.retriable`) all of this is repeated, up to `attempts` times in total, after a
 * random wait whose upper bound doubles from 100 ms to 5 s. Any other failure, and that of the last attempt, is thrown.
 */
export async function inTransaction<Tx extends RetriedTransaction, T>(
  begin: () => Promise<Tx>,
  work: (tx: Tx) => Promise<T> | T,
  { attempts, clock = systemClock }: { readonly attempts: number; readonly clock?: Clock },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(begin, work);
    } catch (error) {
      if (attempt >= attempts || !(error instanceof GraphDBError) || !error.retriable) throw error;
      await clock.sleep(randomFraction() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)));
    }
  }
}

async function once<Tx extends RetriedTransaction, T>(begin: () => Promise<Tx>, work: (tx: Tx) => Promise<T> | T): Promise<T> {
  const tx = await begin();
  try {
    const result = await work(tx);
    await tx.commit();
    return result;
  } catch (error) {
    // The first error is the one to report.
    await tx.rollback().catch(() => {});
    throw error;
  }
}

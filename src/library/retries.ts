/** Work in a transaction that is done anew where it failed for a reason that passes. */
import { type Clock, GraphDBError, randomFraction, systemClock } from '../base/index.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

interface RetriedTransaction {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/**
 * Begins a transaction, does the work in it and commits; a transaction whose work fails is rolled back. A failure that
 * may pass by itself (`GraphDBError.retriable`) is met by all of it once more, after a random wait that doubles, as
 * long as attempts are left. Another failure, or the last one, is thrown.
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
    // What went wrong first is told.
    await tx.rollback().catch(() => {});
    throw error;
  }
}

/** Waits until a commit is visible to the reads of an engine. */
import { GraphDBError, monotonicMs, sleep } from '../../base/index.ts';

/** The commits that an engine has seen. */
export interface Progress {
  /** Returns the sequence of the last commit that reads see. */
  reached(): number;
  /** Looks for newer commits. */
  ask(): Promise<void>;
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/**
 * Resolves when reads see the commit.
 *
 * @throws BOOKMARK_TIMEOUT if they do not within `timeoutMs` milliseconds; CANCELLED if the signal is aborted.
 */
export async function reachSequence(
  sequence: number,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  { reached, ask }: Progress,
): Promise<void> {
  if (reached() >= sequence) return;
  const deadline = monotonicMs() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    // A store that fails now may answer before the time is over.
    await ask().catch((error: unknown) => {
      if (error instanceof GraphDBError && error.code === 'SHUTTING_DOWN') throw error;
    });
    if (reached() >= sequence) return;
    if (signal?.aborted === true) throw new GraphDBError('CANCELLED', 'the wait for an earlier write was cancelled');
    if (monotonicMs() >= deadline) {
      const message = `the write of sequence ${sequence} is not visible here after ${timeoutMs} ms; the last one is ${reached()}`;
      throw new GraphDBError('BOOKMARK_TIMEOUT', message);
    }
    await sleep(pauseMs, signal).catch(() => undefined);
  }
}

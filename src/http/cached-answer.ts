/** Caches answers that anybody may ask for, so that frequent requests cost no more than the bytes of the answer. */
import { monotonicMs } from '../base/index.ts';

/** Milliseconds for which an answer is kept. */
export const CACHED_MS = 1_000;

/**
 * Caches the answer of `make`, as bytes: it is made at most once a second, and by one request at a time. A failure is
 * reported to the requests that wait for it, and not kept.
 */
export function cachedAnswer(make: () => Promise<string>): () => Promise<Buffer> | Buffer {
  let kept: Buffer | null = null;
  let keptUntilMs = 0;
  let making: Promise<Buffer> | null = null;
  const renew = async (): Promise<Buffer> => {
    try {
      kept = Buffer.from(await make());
      keptUntilMs = monotonicMs() + CACHED_MS;
      return kept;
    } finally {
      making = null;
    }
  };
  return () => {
    if (kept !== null && monotonicMs() < keptUntilMs) return kept;
    making ??= renew();
    return making;
  };
}

/** Answers that anybody may ask for, made once and then kept for a moment: whoever asks often costs no more than the bytes that he gets. */
import { monotonicMs } from '../base/index.ts';

/** How long such an answer is kept. */
export const CACHED_MS = 1_000;

/**
 * Caches the answer of `make`, as bytes: it is made at most once a second, and by one at a time. A failure is told to
 * those who wait for it, and not kept.
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

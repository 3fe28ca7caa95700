/**
 * Sends a read that a store has not answered soon a second time beside the first request; the first answer counts
 * ("hedged requests", Dean and Barroso, The Tail at Scale, 2013).
 */

import { type CancelTimer, startTimer } from '../../base/index.ts';
import type { AnswerTimes } from './answer-times.ts';

/** The most requests that are sent for one read. */
const MOST_REQUESTS = 3;

/**
 * Returns the answer of the first request that succeeds, and aborts the others. When all fail, the error of the first
 * failure is thrown. `send` must be safe to repeat, and must end when its signal is aborted.
 * @param signal aborts all requests
 */
export function hedgedRequest<T>(times: AnswerTimes, signal: AbortSignal, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const requests = new Set<AbortController>();
  let sent = 0;
  let failure: { readonly error: unknown } | null = null;
  let cancelTimer: CancelTimer = () => {};

  const end = (): void => {
    cancelTimer();
    signal.removeEventListener('abort', onAbort);
  };
  const onAbort = (): void => {
    end();
    for (const request of requests) request.abort(signal.reason);
  };
  const start = (): void => {
    const request = new AbortController();
    requests.add(request);
    sent++;
    if (sent < MOST_REQUESTS) {
      const delayMs = sent === 1 ? times.hedgeMs : Math.max(times.hedgeMs, 1_000);
      cancelTimer = startTimer(delayMs, () => {
        if (times.takeHedge()) start();
      });
    }
    send(AbortSignal.any([signal, request.signal])).then(
      (answer) => {
        end();
        requests.delete(request);
        for (const other of requests) other.abort(new Error('another request was answered sooner'));
        resolve(answer);
      },
      (error: unknown) => {
        requests.delete(request);
        failure ??= { error };
        if (requests.size > 0) return;
        end();
        reject(failure.error);
      },
    );
  };
  signal.addEventListener('abort', onAbort);
  start();
  return promise;
}

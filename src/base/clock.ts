/**
 * Where time comes from. Every layer reads clocks through this module (`scripts/ambient-sources.ts` refuses others), so
 * that one place decides which clock answers: what a simulation or a test is to control takes a `Clock`; durations and
 * deadlines within this process take `monotonicMs`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { GraphDBError } from './errors.ts';

/** A source of time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** CANCELLED when the signal is aborted before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds since 1970 as the machine tells them; they can jump, also backwards. */
export function systemTimeMs(): number {
  return Date.now();
}

/**
 * Milliseconds, with fractions, since this thread began; they never go back. For durations and deadlines, and
 * comparable within the thread only.
 */
export function monotonicMs(): number {
  return performance.now();
}

/** Resolves after `ms` milliseconds, during which the process is kept alive. CANCELLED when the signal is aborted before. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.aborted ? new GraphDBError('CANCELLED', 'the operation was cancelled while it waited', { cause: signal.reason }) : error;
  }
}

/** The clock of the system. */
export const systemClock: Clock = { now: systemTimeMs, sleep };

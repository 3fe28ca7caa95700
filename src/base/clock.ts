/**
 * Sources of time. Every layer reads clocks through this module (`scripts/ambient-sources.ts` refuses others), so that
 * one place decides which clock answers. Code that a simulation or a test controls takes a `Clock`; durations and
 * deadlines within this process use `monotonicMs`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { GraphDBError } from './errors.ts';

/** A source of time. */
export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds. @throws CANCELLED when the signal is aborted first */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Returns milliseconds since 1970 by the clock of the machine, which can jump forwards and backwards. */
export function systemTimeMs(): number {
  return Date.now();
}

/**
 * Returns milliseconds, with fractions, since this thread began; they never decrease. For durations and deadlines. The
 * numbers of two threads cannot be compared.
 */
export function monotonicMs(): number {
  return performance.now();
}

/** Resolves after `ms` milliseconds, and keeps the process alive until then. @throws CANCELLED when the signal is aborted first */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.aborted ? new GraphDBError('CANCELLED', 'the operation was cancelled while it waited', { cause: signal.reason }) : error;
  }
}

/** The clock of the system. */
export const systemClock: Clock = { now: systemTimeMs, sleep };

/**
 * A store that fails in the ways of real ones, for simulation. All randomness and time come from outside: one seed
 * gives one sequence of faults.
 *
 * - `slow`           the request takes longer
 * - `refused`        5xx or throttling: nothing happened
 * - `answer-lost`    the request happened, its answer did not arrive
 * - `own-write-lost` a putIfAbsent that happened is answered with "already there" (a client underneath had sent it
 *   twice)
 * - `rival-first`    another writer's object is there just before our putIfAbsent
 * - `torn-read`      a read gives fewer bytes than there are
 * - `changed-read`   a read gives one bit changed
 */

import { type Clock, systemClock } from '../../base/index.ts';
import { storeUnavailable } from '../faults.ts';
import type { ObjectStore } from '../object-store.ts';
import { intercept, type StoreRequest } from './intercept.ts';

/** A kind of fault. */
export type FaultKind = 'slow' | 'refused' | 'answer-lost' | 'own-write-lost' | 'rival-first' | 'torn-read' | 'changed-read';

/** The options of faults. */
export interface FaultOptions {
  /** Returns a number in [0, 1); called in the order of requests. */
  readonly random: () => number;
  /** The probability of each fault per request, 0 to 1. Faults that do not suit the operation do not happen. */
  readonly rates?: Readonly<Partial<Record<FaultKind, number>>>;
  /** Chooses the fault of a request: null for none, undefined to leave it to `rates`. May wait, and may throw (a crash). */
  readonly onRequest?: (request: StoreRequest, index: number) => FaultKind | null | undefined | Promise<FaultKind | null | undefined>;
  /** The bytes that `rival-first` puts; the default is one byte of its own. */
  readonly rivalBytes?: (key: string) => Uint8Array;
  readonly maxDelayMs?: number;
  readonly clock?: Clock;
}

const READS: ReadonlySet<string> = new Set(['get', 'getRange', 'readInto']);
const SUITS: Readonly<Record<FaultKind, (operation: string) => boolean>> = {
  slow: () => true,
  refused: () => true,
  'answer-lost': () => true,
  'own-write-lost': (operation) => operation === 'putIfAbsent',
  'rival-first': (operation) => operation === 'putIfAbsent',
  'torn-read': (operation) => READS.has(operation),
  'changed-read': (operation) => READS.has(operation),
};
const KINDS = Object.keys(SUITS) as FaultKind[]; // as: the keys of a Record<FaultKind, …>

/** Wraps a store in one that fails. */
export function withFaults(store: ObjectStore, options: FaultOptions): ObjectStore {
  const { random, clock = systemClock, maxDelayMs = 1_000, rivalBytes = () => Uint8Array.of(0x52) } = options;
  let index = 0;
  return intercept(store, async (request, proceed) => {
    const chosen = await options.onRequest?.(request, index++);
    const fault = chosen === undefined ? draw(request, options) : chosen;
    const context = `simulated fault at ${request.operation} ${request.key}`;
    switch (fault) {
      case null:
        return proceed();
      case 'slow':
        await clock.sleep(random() * maxDelayMs, request.options?.signal);
        return proceed();
      case 'refused':
        throw storeUnavailable(`${context}: refused`, { transient: true });
      case 'answer-lost':
        await proceed();
        throw storeUnavailable(`${context}: answer lost`, { transient: true });
      case 'own-write-lost':
        await proceed();
        return false as Awaited<ReturnType<typeof proceed>>; // as: only for putIfAbsent, which answers a boolean
      case 'rival-first':
        await store.putIfAbsent(request.key, rivalBytes(request.key));
        return proceed();
      case 'torn-read':
      case 'changed-read':
        return damage(request, await proceed(), fault, random);
    }
  });
}

function draw({ operation }: StoreRequest, { random, rates }: FaultOptions): FaultKind | null {
  let ticket = random();
  for (const kind of KINDS) {
    const rate = rates?.[kind] ?? 0;
    if (ticket < rate) return SUITS[kind](operation) ? kind : null;
    ticket -= rate;
  }
  return null;
}

function damage<T>(request: StoreRequest, answer: T, fault: FaultKind, random: () => number): T {
  const bytes = answer instanceof Uint8Array ? answer : request.target?.subarray(0, Number(answer));
  if (answer === null || bytes === undefined || bytes.length === 0) return answer;
  const position = Math.floor(random() * bytes.length);
  if (fault === 'changed-read') {
    bytes[position] = bytes[position]! ^ (1 << Math.floor(random() * 8));
    return answer;
  }
  return (answer instanceof Uint8Array ? answer.subarray(0, position) : position) as T; // as: the same kind of answer, shorter
}

/**
 * Probes whether a store keeps the promise of put-if-absent (B1), once, when a namespace is created. Some S3
 * compatibles ignore the condition of a put altogether, some check it without a lock; on such a store two writers would
 * overwrite each other's commits.
 *
 * A put that fails is tried again: a store may be busy, and some refuse one while another put of its name is under way.
 * Cost: 11 small requests.
 */

import { type Clock, GraphDBError, randomUuid, systemClock } from '../base/index.ts';
import { storeFaultOf } from './faults.ts';
import type { ObjectStore, RequestOptions } from './object-store.ts';

const RACERS = 4;
/** How often a put is tried that fails for reasons which pass. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 50;

/** The options of a probe. */
export interface ProbeOptions extends RequestOptions {
  /** The clock of pauses before further attempts; that of the system when left out. */
  readonly clock?: Clock | undefined;
}

/**
 * Probes the store with objects below `probe/`, which are removed afterwards.
 * @throws UNSUPPORTED when two puts-if-absent of one name succeed, one after the other or concurrently
 */
export async function probeStore(store: ObjectStore, options?: ProbeOptions): Promise<void> {
  const id = randomUuid();
  const key = `probe/${id}`;
  const raceKey = `probe/${id}-race`;
  try {
    await probeSequence(store, key, options);
    await probeRace(store, raceKey, options);
  } finally {
    // An abort or an outage must not hide what was found; what remains is removed as an orphan.
    await Promise.allSettled([store.delete(key), store.delete(raceKey)]);
  }
}

async function probeSequence(store: ObjectStore, key: string, options: ProbeOptions | undefined): Promise<void> {
  const first = contentOf(1);
  // "There already" can be our own put, which a client below has sent twice: what counts is what is stored.
  await put(store, key, first, options);
  const secondCreated = await put(store, key, contentOf(2), options);
  const stored = await store.get(key, options);
  if (stored === null) throw refuse(store, 'an object could not be read right after it was written');
  if (secondCreated || !sameBytes(stored, first))
    throw refuse(store, 'it lets a second put of an object through that must be created once');
}

async function probeRace(store: ObjectStore, key: string, options: ProbeOptions | undefined): Promise<void> {
  const contents = Array.from({ length: RACERS }, (_, racer) => contentOf(racer));
  const created = await Promise.all(contents.map((content) => put(store, key, content, options)));
  const stored = await store.get(key, options);
  if (stored === null) throw refuse(store, 'an object could not be read right after it was written');
  const winners = contents.filter((_, racer) => created[racer]);
  // The winner itself may have been told "there already" for the same reason; two winners, or one whose bytes are not
  // there, are what must not be.
  const kept = winners.length <= 1 && winners.every((winner) => sameBytes(stored, winner));
  if (!kept) throw refuse(store, `of ${RACERS} puts at once that must create one object, ${winners.length} were told that they did`);
}

/** Puts an object if its name is free; false also where an earlier attempt, whose answer was lost, has put it. */
async function put(store: ObjectStore, key: string, content: Uint8Array, options: ProbeOptions | undefined): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await store.putIfAbsent(key, content, options);
    } catch (error) {
      const fault = storeFaultOf(error);
      if (fault?.transient !== true || attempt === ATTEMPTS) throw error;
      const pauseMs = Math.max(FIRST_PAUSE_MS * 2 ** (attempt - 1), fault.retryAfterMs ?? 0);
      await (options?.clock ?? systemClock).sleep(pauseMs, options?.signal);
    }
  }
}

function contentOf(racer: number): Uint8Array {
  return new TextEncoder().encode(`graphdb probe ${racer}\n`);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function refuse(store: ObjectStore, why: string): GraphDBError {
  const hint = 'conditional puts (If-None-Match: *) are required; use another store or a newer version of this one';
  return new GraphDBError('UNSUPPORTED', `${store.location} cannot hold a GraphDB namespace: ${why}; ${hint}`);
}

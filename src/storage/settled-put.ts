/**
 * Put-if-absent whose outcome is known when it returns (B5).
 *
 * The store's answer may be "created", "exists already" (perhaps from this very put, whose answer was lost), or a
 * failure that leaves the outcome open. In the last two cases the object is read back and compared: objects hold their
 * writer's id, so equal bytes are the writer's own. Cost: one request when all is well.
 */
import { type Clock, GraphDBError } from '../base/index.ts';
import { type ObjectStore, storeFaultOf } from '../object-store/index.ts';
import { isStoreUnavailable } from './faults.ts';

/** The outcome of a put. */
export type PutOutcome =
  | { readonly kind: 'created' }
  /** The key is taken by another writer's object, `existing`. */
  | { readonly kind: 'taken'; readonly existing: Uint8Array }
  /** The store said "exists already", and then the object was gone: it was removed between the two requests. */
  | { readonly kind: 'vanished' };

/** The options of a put. */
export interface SettledPutOptions {
  readonly clock: Clock;
  /** Ends the attempts to find out the outcome, which stays open then: STORE_UNAVAILABLE. */
  readonly signal: AbortSignal;
}

const ATTEMPTS = 4;
/** The attempts at a read that the store refuses for reasons which do not pass by themselves: some 20 seconds. */
const ATTEMPTS_REFUSED = 12;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 5_000;

const CREATED: PutOutcome = { kind: 'created' };

/**
 * Puts an object if its key is absent, and finds out the outcome.
 * @throws STORE_UNAVAILABLE when several attempts failed and the object is missing, or the store refuses to say; the
 * store may still create it later, until another object has its key
 */
export async function putSettled(store: ObjectStore, key: string, bytes: Uint8Array, options: SettledPutOptions): Promise<PutOutcome> {
  for (let attempt = 1; ; attempt++) {
    let failure: GraphDBError | null = null;
    try {
      if (await store.putIfAbsent(key, bytes)) return CREATED;
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      failure = error;
    }
    const existing = await insist(() => store.get(key), options);
    if (existing !== null) return Buffer.compare(existing, bytes) === 0 ? CREATED : { kind: 'taken', existing };
    if (failure === null) return { kind: 'vanished' };
    if (attempt >= ATTEMPTS) throw failure;
    await pause(attempt, options);
  }
}

/** Puts an object whose key nobody else can use (an SST): an existing object of equal length is ours, since a put is all or nothing. */
export async function putUnique(store: ObjectStore, key: string, bytes: Uint8Array, options: SettledPutOptions): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (await store.putIfAbsent(key, bytes)) return;
    } catch (error) {
      if (!isStoreUnavailable(error) || attempt >= ATTEMPTS) throw error;
    }
    const size = await insist(() => store.size(key), options);
    if (size === bytes.length) return;
    if (size !== null)
      throw new GraphDBError('CORRUPTION', `object ${key} exists with ${size} bytes; its writer has just made it with ${bytes.length}`);
    await pause(attempt, options);
  }
}

/**
 * Repeats a read until the store answers, however long it is down.
 * @throws STORE_UNAVAILABLE when the signal is aborted, or when the store goes on refusing: credentials may have expired
 */
export function insist<T>(read: () => Promise<T>, options: SettledPutOptions): Promise<T> {
  return repeat(read, options, Number.POSITIVE_INFINITY);
}

/** Repeats a read up to four times, as often as a put. @throws STORE_UNAVAILABLE when the store does not answer */
export function tryToRead<T>(read: () => Promise<T>, options: SettledPutOptions): Promise<T> {
  return repeat(read, options, ATTEMPTS);
}

async function repeat<T>(read: () => Promise<T>, options: SettledPutOptions, attempts: number): Promise<T> {
  let refusals = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!isStoreUnavailable(error) || options.signal.aborted || attempt >= attempts) throw error;
      if (storeFaultOf(error)?.transient === false && ++refusals >= ATTEMPTS_REFUSED) throw error;
    }
    await pause(attempt, options);
  }
}

async function pause(attempt: number, { clock, signal }: SettledPutOptions): Promise<void> {
  try {
    await clock.sleep(Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS), signal);
  } catch (error) {
    throw new GraphDBError('STORE_UNAVAILABLE', 'closed while the outcome of a write was not known', {
      cause: error,
      outcomeUnknown: true,
    });
  }
}

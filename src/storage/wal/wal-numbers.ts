/**
 * The WAL numbers of one writer: puts objects under them, and explains a number that is taken (B3, B5).
 *
 * A seal takes a number from a commit whose put failed, so that no store can create the object later. It stays for ever
 * (lasting-objects.ts).
 */
import { type Clock, GraphDBError } from '../../base/index.ts';
import type { ObjectStore } from '../../object-store/index.ts';
import { corruption, fenced, inDoubt } from '../faults.ts';
import { walKey } from '../keys.ts';
import { type PutOutcome, putSettled, tryToRead } from '../settled-put.ts';
import { decodeWalObject, encodeWalObject, type WalObject } from './wal-object.ts';

/** The options of WAL numbers. */
export interface WalNumbersOptions {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly epoch: number;
  readonly writerId: string;
  /** The numbers behind the epoch start that were given to seals when the namespace was opened. */
  readonly seals: ReadonlySet<number>;
  /** Returns the epoch of another writer that has taken over, by the manifests, or null. */
  readonly findSuccessor: () => Promise<number | null>;
  readonly onFenced: (error: GraphDBError) => void;
}

/** The WAL numbers of a writer. */
export class WalNumbers {
  readonly #options: WalNumbersOptions;
  readonly #seals: Set<number>;

  constructor(options: WalNumbersOptions) {
    this.#options = options;
    this.#seals = new Set(options.seals);
  }

  /** The numbers that this writer has given to seals. */
  get seals(): ReadonlySet<number> {
    return this.#seals;
  }

  encode(object: Omit<WalObject, 'epoch' | 'writerId'>): Uint8Array {
    const { epoch, writerId } = this.#options;
    return encodeWalObject({ ...object, epoch, writerId });
  }

  /** Puts an object. @throws STORE_UNAVAILABLE when the object is missing; the store may still create it later */
  put(number: number, bytes: Uint8Array): Promise<PutOutcome> {
    const { store, clock, signal } = this.#options;
    return putSettled(store, walKey(number), bytes, { clock, signal });
  }

  /** Puts the last object of the epoch, by one put that is not repeated; returns whether it was created. */
  putEnd(number: number, firstSequence: number, signal: AbortSignal): Promise<boolean> {
    const bytes = this.encode({ kind: 'epoch-end', number, depth: 0, firstSequence, commits: [] });
    return this.#options.store.putIfAbsent(walKey(number), bytes, { signal });
  }

  /** Gives the number to a seal, unless it is taken. @throws STORE_UNAVAILABLE when the outcome is unknown */
  async seal(number: number, firstSequence: number): Promise<PutOutcome> {
    const outcome = await this.put(number, this.encode({ kind: 'seal', number, depth: 0, firstSequence, commits: [] }));
    if (outcome.kind === 'created') this.#seals.add(number);
    return outcome;
  }

  /**
   * Returns the object under a number, which must be ours; null when the number is free.
   * @throws WRITER_FENCED and CORRUPTION as `explainTaken`, STORE_UNAVAILABLE
   */
  async look(number: number): Promise<WalObject | null> {
    const { store, clock, signal } = this.#options;
    const size = await tryToRead(() => store.size(walKey(number)), { clock, signal });
    if (size === null) return null;
    const existing = await tryToRead(() => store.get(walKey(number)), { clock, signal });
    if (existing === null) throw await this.contradiction(number);
    return this.explainTaken(number, existing);
  }

  /**
   * Returns the object under a number that is taken, if it is ours.
   * @throws WRITER_FENCED when it is a successor's, CORRUPTION when it is of a writer that cannot have put it
   */
  async explainTaken(number: number, existing: Uint8Array): Promise<WalObject> {
    const { epoch, writerId } = this.#options;
    const object = decodeWalObject(number, existing);
    if (object.epoch > epoch) await this.checkSuccessor();
    if (object.epoch !== epoch || object.writerId !== writerId)
      throw corruption(
        walKey(number),
        `an object of epoch ${object.epoch} was put by another writer, and no manifest knows an epoch after ${epoch} (B2)`,
      );
    if (object.kind === 'seal') this.#seals.add(number);
    return object;
  }

  /** Makes the error of an object that existed and then was missing: a successor may have read and removed ours. */
  async contradiction(number: number): Promise<GraphDBError> {
    await this.checkSuccessor().catch(throwInDoubt);
    return inDoubt(new GraphDBError('STORE_UNAVAILABLE', `${walKey(number)} was there and was not: the store contradicts itself`));
  }

  /** Returns the error to throw instead of CORRUPTION: WRITER_FENCED when a successor has taken over and removed numbers. */
  async explain(error: unknown): Promise<unknown> {
    if (!(error instanceof GraphDBError) || error.code !== 'CORRUPTION') return error;
    try {
      await this.checkSuccessor();
      return error;
    } catch (explanation) {
      return explanation;
    }
  }

  /** Returns the epoch of a writer that has taken over; null when there is none, or the store does not answer. */
  async askForSuccessor(): Promise<number | null> {
    return this.#options.findSuccessor().catch(() => null);
  }

  /** Checks the manifests for a later epoch. @throws WRITER_FENCED when there is one */
  async checkSuccessor(): Promise<void> {
    const successor = await this.#options.findSuccessor();
    if (successor !== null) throw this.becomeFenced(successor);
  }

  /** Reports to the writer that it is fenced. Returns the error to throw. */
  becomeFenced(successor: number): GraphDBError {
    const { epoch, onFenced } = this.#options;
    const error = fenced({ epochs: { own: epoch, successor } });
    onFenced(error);
    return error;
  }
}

/** Throws an error that occurred after the put of a commit, with `outcomeUnknown` set. */
export function throwInDoubt(error: unknown): never {
  throw error instanceof GraphDBError ? inDoubt(error, error) : error;
}

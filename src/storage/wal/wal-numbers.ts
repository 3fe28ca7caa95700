/**
 * The WAL numbers of one writer, and the meaning of a number that is taken (B3, B5).
 *
 * A seal takes a number from a commit whose put failed: then no store can make the object later. It stays for ever (lasting-objects.ts).
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
  /** Numbers behind the start of the epoch that were given to seals when the namespace was opened. */
  readonly seals: ReadonlySet<number>;
  /** Asks the manifests: the epoch of another writer that has taken over, or null. */
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

  /** Numbers that this writer has given to seals. */
  get seals(): ReadonlySet<number> {
    return this.#seals;
  }

  encode(object: Omit<WalObject, 'epoch' | 'writerId'>): Uint8Array {
    const { epoch, writerId } = this.#options;
    return encodeWalObject({ ...object, epoch, writerId });
  }

  /** STORE_UNAVAILABLE: the object is not there; the store may make it later. */
  put(number: number, bytes: Uint8Array): Promise<PutOutcome> {
    const { store, clock, signal } = this.#options;
    return putSettled(store, walKey(number), bytes, { clock, signal });
  }

  /** One put, which is not repeated: the last object of the epoch. */
  putEnd(number: number, firstSequence: number, signal: AbortSignal): Promise<boolean> {
    const bytes = this.encode({ kind: 'epoch-end', number, depth: 0, firstSequence, commits: [] });
    return this.#options.store.putIfAbsent(walKey(number), bytes, { signal });
  }

  /** Gives the number to a seal, unless it is taken. STORE_UNAVAILABLE: that cannot be told. */
  async seal(number: number, firstSequence: number): Promise<PutOutcome> {
    const outcome = await this.put(number, this.encode({ kind: 'seal', number, depth: 0, firstSequence, commits: [] }));
    if (outcome.kind === 'created') this.#seals.add(number);
    return outcome;
  }

  /** An object of ours, or null where there is none. What `explainTaken` throws, and STORE_UNAVAILABLE. */
  async look(number: number): Promise<WalObject | null> {
    const { store, clock, signal } = this.#options;
    const size = await tryToRead(() => store.size(walKey(number)), { clock, signal });
    if (size === null) return null;
    const existing = await tryToRead(() => store.get(walKey(number)), { clock, signal });
    if (existing === null) throw await this.contradiction(number);
    return this.explainTaken(number, existing);
  }

  /**
   * Returns the object under a number that is taken, if it is ours. WRITER_FENCED: it is a successor's; CORRUPTION: of
   * a writer who cannot have put it.
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

  /** The object was there and was not: it may have been ours, read by a successor and removed. */
  async contradiction(number: number): Promise<GraphDBError> {
    await this.checkSuccessor().catch(throwInDoubt);
    return inDoubt(new GraphDBError('STORE_UNAVAILABLE', `${walKey(number)} was there and was not: the store contradicts itself`));
  }

  /** Who comes so late that numbers have been removed finds objects that do not fit: no damage, where a successor has taken over. */
  async explain(error: unknown): Promise<unknown> {
    if (!(error instanceof GraphDBError) || error.code !== 'CORRUPTION') return error;
    try {
      await this.checkSuccessor();
      return error;
    } catch (explanation) {
      return explanation;
    }
  }

  /** The epoch of a writer that has taken over, by the manifests; null where there is none, or the store does not answer. */
  async askForSuccessor(): Promise<number | null> {
    return this.#options.findSuccessor().catch(() => null);
  }

  /** WRITER_FENCED: the manifests tell of a later epoch. */
  async checkSuccessor(): Promise<void> {
    const successor = await this.#options.findSuccessor();
    if (successor !== null) throw this.becomeFenced(successor);
  }

  /** Tells the rest of the writer that it is fenced. Returns what to throw. */
  becomeFenced(successor: number): GraphDBError {
    const { epoch, onFenced } = this.#options;
    const error = fenced({ epochs: { own: epoch, successor } });
    onFenced(error);
    return error;
  }
}

/** Throws an error that was found out after the put of a commit. */
export function throwInDoubt(error: unknown): never {
  throw error instanceof GraphDBError ? inDoubt(error, error) : error;
}

/**
 * Replays the WAL: finds the commits after those that are in the files. A state machine that takes objects in the order
 * of their numbers. It checks B2 (an epoch has one writer, who puts nothing after the end of the epoch) and that
 * sequences are dense, and remembers which object holds which sequences (for the WAL floor).
 *
 * An object does not count when its epoch is lower than one that was read before, or when it was put while an earlier
 * number was in flight that holds no commits that count.
 */
import type { Commit, EpochWriter } from '../api.ts';
import { corruption } from '../faults.ts';
import { walKey } from '../keys.ts';
import type { WalObject } from './wal-object.ts';

/** A WAL object that holds commits up to `lastSequence`. */
export interface WalSegment {
  readonly number: number;
  readonly lastSequence: number;
}

/** Reads the objects of the WAL in their order. */
export class WalReplay {
  /** The sequence of the last commit in the files; later commits are replayed. */
  readonly #filesSequence: number;
  #commits: Commit[] = [];
  #segments: WalSegment[] = [];
  #previous: WalObject | null = null;
  /** How many objects right before the next number hold commits that count. Those below the floor all do. */
  #run = Number.POSITIVE_INFINITY;
  /** The sequence that the next object must begin with; null before the first object, which may repeat commits in the files. */
  #nextSequence: number | null = null;
  /** Writer ids by epoch: those of the manifest, and for every other epoch the first that was read. */
  readonly #writers = new Map<number, string>();
  /** The lowest sequence that was read and then taken back by its writer; infinity when there is none. */
  #takenBackFrom = Number.POSITIVE_INFINITY;

  constructor(filesSequence: number, writers: readonly EpochWriter[]) {
    this.#filesSequence = filesSequence;
    for (const { epoch, writerId } of writers) this.#writers.set(epoch, writerId);
  }

  get commits(): readonly Commit[] {
    return this.#commits;
  }

  get segments(): readonly WalSegment[] {
    return this.#segments;
  }

  get lastSequence(): number {
    return Math.max(this.#filesSequence, (this.#nextSequence ?? 0) - 1);
  }

  get epoch(): number {
    return this.#previous?.epoch ?? 0;
  }

  /** Whether the last object that counts ends its epoch, so that its writer puts nothing more. */
  get isEpochEnded(): boolean {
    return this.#previous?.kind === 'epoch-end';
  }

  get takenBackFrom(): number {
    return this.#takenBackFrom;
  }

  add(object: WalObject): void {
    if (object.epoch < this.epoch) return;
    this.#checkWriter(object);
    const stands = object.depth <= this.#run;
    this.#run = stands && object.kind === 'commits' ? this.#run + 1 : 0;
    if (!stands) return;
    this.#checkSequence(object);
    for (const commit of object.commits) if (commit.sequence > this.#filesSequence) this.#commits.push(commit);
    this.#nextSequence = object.firstSequence + object.commits.length;
    if (object.commits.length > 0) this.#segments.push({ number: object.number, lastSequence: this.#nextSequence - 1 });
    this.#previous = object;
  }

  /** Returns the commits read since the last call, and forgets them. */
  takeCommits(): Commit[] {
    const commits = this.#commits;
    this.#commits = [];
    this.#takenBackFrom = Number.POSITIVE_INFINITY;
    return commits;
  }

  /** Forgets the segments below the floor. */
  forget(floor: number): void {
    this.#segments = this.#segments.filter((segment) => segment.number >= floor);
  }

  /** Checks the writers of a newer manifest. @throws CORRUPTION when an epoch of one of them has objects of another writer */
  checkWriters(writers: readonly EpochWriter[]): void {
    for (const { epoch, writerId } of writers) {
      const known = this.#writers.get(epoch);
      if (known !== undefined && known !== writerId) throw this.#foreign(this.#previous?.number ?? 0, { epoch, writerId: known }, writerId);
      this.#writers.set(epoch, writerId);
    }
  }

  #checkWriter(object: WalObject): void {
    const { number, epoch, writerId } = object;
    const known = this.#writers.get(epoch);
    if (known === undefined) this.#writers.set(epoch, writerId);
    else if (known !== writerId) throw this.#foreign(number, object, known);
    if (this.#previous?.kind === 'epoch-end' && this.epoch === epoch)
      throw corruption(walKey(number), `it is of epoch ${epoch}, which object ${this.#previous.number} ends (B2)`);
  }

  #foreign(number: number, { epoch, writerId }: EpochWriter, known: string): Error {
    return corruption(walKey(number), `it was put by writer ${writerId}, and epoch ${epoch} belongs to writer ${known} (B2)`);
  }

  #checkSequence(object: WalObject): void {
    const expected = this.#nextSequence ?? Math.min(object.firstSequence, this.#filesSequence + 1);
    if (object.firstSequence === expected) return;
    const repeats = object.firstSequence < expected && object.kind !== 'epoch-start' && object.writerId === this.#previous?.writerId;
    if (!repeats) throw corruption(walKey(object.number), `it begins with sequence ${object.firstSequence}, expected ${expected}`);
    this.#takeBack(object.firstSequence);
  }

  /** Takes back commits from `sequence` on: their writer never confirmed them, and writes this sequence again. */
  #takeBack(sequence: number): void {
    this.#takenBackFrom = Math.min(this.#takenBackFrom, sequence);
    this.#commits = this.#commits.filter((commit) => commit.sequence < sequence);
    this.#segments = this.#segments.map(({ number, lastSequence }) => ({ number, lastSequence: Math.min(lastSequence, sequence - 1) }));
  }
}

/**
 * Turns of a thread for long work of several owners: each turn of the event loop goes to one piece of work, to owners
 * in rotation, and to the work of one owner in the order in which it asked. So an owner with one piece of work waits
 * for one piece of each other owner, however many of them those have, and input and output are served between any two.
 */
import { monotonicMs } from './clock.ts';
import { onNextTurn } from './timers.ts';

/**
 * Milliseconds of a piece of work behind which the event loop comes round twice: whoever connects meanwhile is accepted
 * the first time, and what it sent is read and answered the second.
 */
const LONG_PIECE_MS = 8;

/** Gives turns of the event loop to owners of long work, one after the other. */
export class FairTurns<Owner> {
  /** In the order of their next turns; each has at least one piece of work that waits. */
  readonly #waiting = new Map<Owner, (() => void)[]>();
  #isDue = false;
  /** When the last piece of work began. */
  #beganMs = 0;

  /** Resolves when it is the turn of this work: when the event loop has come round, at the earliest. */
  next(owner: Owner): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = this.#waiting.get(owner);
    if (queue === undefined) this.#waiting.set(owner, [resolve]);
    else queue.push(resolve);
    this.#giveNextSoon();
    return promise;
  }

  #giveNextSoon(): void {
    if (this.#isDue || this.#waiting.size === 0) return;
    this.#isDue = true;
    onNextTurn(() => {
      if (monotonicMs() - this.#beganMs < LONG_PIECE_MS) this.#giveNext();
      else onNextTurn(() => this.#giveNext());
    });
  }

  #giveNext(): void {
    this.#isDue = false;
    this.#beganMs = monotonicMs();
    const [owner, queue] = this.#waiting.entries().next().value!; // Due only while somebody waits.
    this.#waiting.delete(owner);
    const resume = queue.shift()!;
    if (queue.length > 0) this.#waiting.set(owner, queue);
    resume();
    this.#giveNextSoon();
  }
}

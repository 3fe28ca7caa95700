/**
 * Turns of a thread for long work of several owners: each turn of the event loop goes to one piece of work, to owners
 * in rotation, and to the work of one owner in the order in which it asked. So an owner with one piece of work waits
 * for one piece of each other owner, however many of them those have, and input and output are served between any two.
 */
import { onNextTurn } from './timers.ts';

/** Gives turns of the event loop to owners of long work, one after the other. */
export class FairTurns<Owner> {
  /** In the order of their next turns; each has at least one piece of work that waits. */
  readonly #waiting = new Map<Owner, (() => void)[]>();
  #isDue = false;
  readonly #rounds: number;

  /**
   * @param rounds how often the event loop comes round before each piece of work. Behind long pieces that is twice: a
   * client that connects meanwhile is accepted the first time, and its request is read and answered the second.
   */
  constructor(rounds: 1 | 2 = 1) {
    this.#rounds = rounds;
  }

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
    if (this.#rounds === 1) onNextTurn(() => this.#giveNext());
    else onNextTurn(() => onNextTurn(() => this.#giveNext()));
  }

  #giveNext(): void {
    this.#isDue = false;
    const [owner, queue] = this.#waiting.entries().next().value!; // Due only while somebody waits.
    this.#waiting.delete(owner);
    const resume = queue.shift()!;
    if (queue.length > 0) this.#waiting.set(owner, queue);
    resume();
    this.#giveNextSoon();
  }
}

/** Work over the values of a batch that pauses every few thousand values, counting those inside lists, so that other work has its turn. */
export type Paced<T> = Generator<void, T, void>;

const VALUES_OF_STEP = 4_096;

/** Makes pauses in work over many values. */
export class Pace {
  #left = VALUES_OF_STEP;

  /** Counts values. Returns true when it is time to pause. */
  passed(values: number): boolean {
    this.#left -= values;
    if (this.#left > 0) return false;
    this.#left = VALUES_OF_STEP;
    return true;
  }
}

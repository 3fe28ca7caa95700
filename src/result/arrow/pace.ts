/** Work over the values of a batch stops every few thousand of them, wherever in lists they stand, so that others have their turn. */
export type Paced<T> = Generator<void, T, void>;

const VALUES_OF_STEP = 4_096;

/** Makes pauses in work over many values. */
export class Pace {
  #left = VALUES_OF_STEP;

  /** Counts values. True: it is time to stop. */
  passed(values: number): boolean {
    this.#left -= values;
    if (this.#left > 0) return false;
    this.#left = VALUES_OF_STEP;
    return true;
  }
}

/** The rows of a block that cannot be loaded, with the reasons for each. */

/** The most reasons that are kept for one row. */
const MOST_REASONS = 5;

/** The bad rows of a block. */
export class BadRows {
  readonly #reasons = new Map<number, string[]>();

  get size(): number {
    return this.#reasons.size;
  }

  add(row: number, reason: string): void {
    const reasons = this.#reasons.get(row);
    if (reasons === undefined) this.#reasons.set(row, [reason]);
    else if (reasons.length < MOST_REASONS && !reasons.includes(reason)) reasons.push(reason);
  }

  has(row: number): boolean {
    return this.#reasons.has(row);
  }

  /** Returns the bad rows, ascending, each with all of its reasons as one text. */
  entries(): [row: number, reason: string][] {
    return Array.from(this.#reasons, ([row, reasons]): [number, string] => [row, reasons.join('; ')]).sort(([a], [b]) => a - b);
  }
}

/** Rows of a block that cannot be loaded, each with the reasons found. */

/** More are not told of one row. */
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

  /** Ascending by row. */
  entries(): [row: number, reason: string][] {
    return Array.from(this.#reasons, ([row, reasons]): [number, string] => [row, reasons.join('; ')]).sort(([a], [b]) => a - b);
  }
}

/** Rows of a block that cannot be loaded, each with the first reason found. */

export class BadRows {
  readonly #reasons = new Map<number, string>();

  get size(): number {
    return this.#reasons.size;
  }

  add(row: number, reason: string): void {
    if (!this.#reasons.has(row)) this.#reasons.set(row, reason);
  }

  has(row: number): boolean {
    return this.#reasons.has(row);
  }

  /** Ascending by row. */
  entries(): [row: number, reason: string][] {
    return [...this.#reasons].sort(([a], [b]) => a - b);
  }
}

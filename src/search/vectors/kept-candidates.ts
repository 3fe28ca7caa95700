/** The best candidates so far, by key, up to a limit: a heap whose root is the worst of them. */
export class KeptCandidates {
  readonly #most: number;
  readonly #keys: Float64Array;
  readonly #sources: Uint32Array;
  readonly #positions: Uint32Array;
  count = 0;

  constructor(most: number) {
    this.#most = most;
    this.#keys = new Float64Array(most);
    this.#sources = new Uint32Array(most);
    this.#positions = new Uint32Array(most);
  }

  /** The key that a candidate must exceed to be kept; -∞ while there is room. */
  get threshold(): number {
    return this.count < this.#most ? Number.NEGATIVE_INFINITY : this.#keys[0]!;
  }

  /** Adds a candidate, whose key must exceed the threshold. */
  add(key: number, source: number, position: number): void {
    let at = 0;
    if (this.count < this.#most) {
      at = this.count++;
      for (; at > 0 && this.#keys[(at - 1) >> 1]! > key; at = (at - 1) >> 1) this.#move((at - 1) >> 1, at);
    } else at = this.#hole(key);
    this.#keys[at] = key;
    this.#sources[at] = source;
    this.#positions[at] = position;
  }

  /** Moves candidates up from below the root until the key fits. Returns the free place. */
  #hole(key: number): number {
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      if (child >= this.count) return at;
      if (child + 1 < this.count && this.#keys[child + 1]! < this.#keys[child]!) child++;
      if (this.#keys[child]! >= key) return at;
      this.#move(child, at);
      at = child;
    }
  }

  #move(from: number, to: number): void {
    this.#keys[to] = this.#keys[from]!;
    this.#sources[to] = this.#sources[from]!;
    this.#positions[to] = this.#positions[from]!;
  }

  /** Returns the key of the nth best candidate. At least n must be kept. */
  keyOf(n: number): number {
    return this.#keys.slice(0, this.count).sort()[this.count - n]!;
  }

  /** Returns the candidates, the best first; those with equal keys by source and position. */
  best(): { readonly source: number; readonly position: number }[] {
    const keys = this.#keys;
    const all = Array.from({ length: this.count }, (_, i) => i).sort(
      (a, b) => keys[b]! - keys[a]! || this.#sources[a]! - this.#sources[b]! || this.#positions[a]! - this.#positions[b]!,
    );
    return all.map((i) => ({ source: this.#sources[i]!, position: this.#positions[i]! }));
  }
}

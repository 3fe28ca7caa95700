/** The best so many of what is offered, by key, in a heap whose root is the worst of them. */
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

  /** The score that a candidate must exceed to be among the best. */
  get threshold(): number {
    return this.count < this.#most ? Number.NEGATIVE_INFINITY : this.#keys[0]!;
  }

  /** To be called with what exceeds the threshold. */
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

  /** Moves the root's followers up until the key fits. */
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

  /** The key of the nth best; there must be so many. */
  keyOf(n: number): number {
    return this.#keys.slice(0, this.count).sort()[this.count - n]!;
  }

  /** Best first; those of equal keys by source and position. */
  best(): { readonly source: number; readonly position: number }[] {
    const keys = this.#keys;
    const all = Array.from({ length: this.count }, (_, i) => i).sort(
      (a, b) => keys[b]! - keys[a]! || this.#sources[a]! - this.#sources[b]! || this.#positions[a]! - this.#positions[b]!,
    );
    return all.map((i) => ({ source: this.#sources[i]!, position: this.#positions[i]! }));
  }
}

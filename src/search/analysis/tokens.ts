/** Tokens on their way from a text to the terms of an index: a list in columns, which tokenizers fill and filters change in place. */

/** The script that a token is written in, for filters that treat scripts in different ways. */
export const TokenKind = { word: 0, ideograph: 1, hiragana: 2, katakana: 3, hangul: 4 } as const;

/** A kind of token. */
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

/** Tokens of a text, as columns. */
export class Tokens {
  readonly terms: string[] = [];
  /** The position of each term among all words of the text, words that were left out included; ascending. */
  readonly positions: number[] = [];
  /** Where each token begins in the text, in code units; `ends` has where it ends. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly kinds: TokenKind[] = [];
  /** The number of positions of the text, those of words that were left out included. */
  placeCount = 0;

  get length(): number {
    return this.terms.length;
  }

  /** Appends a token at the next position. */
  add(term: string, start: number, end: number, kind: TokenKind = TokenKind.word): void {
    this.positions.push(this.placeCount++);
    this.terms.push(term);
    this.starts.push(start);
    this.ends.push(end);
    this.kinds.push(kind);
  }

  /** Changes each term; a token whose term becomes empty is removed. */
  replace(change: (term: string) => string): void {
    let kept = 0;
    for (let i = 0; i < this.length; i++) {
      const term = change(this.terms[i] as string);
      if (term === '') continue;
      this.terms[kept] = term;
      if (kept !== i) {
        this.positions[kept] = this.positions[i] as number;
        this.starts[kept] = this.starts[i] as number;
        this.ends[kept] = this.ends[i] as number;
        this.kinds[kept] = this.kinds[i] as TokenKind;
      }
      kept++;
    }
    if (kept < this.length) this.#cut(kept);
  }

  #cut(length: number): void {
    for (const column of [this.terms, this.positions, this.starts, this.ends, this.kinds]) column.length = length;
  }
}

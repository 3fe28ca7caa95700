/** Creates automatic indexes of a store at random, fills each a part at a time, and drops some. */

import type { GraphStore } from '../graph-store.ts';
import type { AutomaticIndex } from '../indexes/automatic-indexes.ts';
import type { RandomSource } from './random-source.ts';
import { KEYS, LABELS } from './random-writer.ts';

export class RandomIndexes {
  /** How many indexes have been shown to views. */
  shown = 0;
  readonly #store: GraphStore;
  readonly #random: RandomSource;
  readonly #indexes: { readonly index: AutomaticIndex; isShown: boolean }[] = [];

  constructor(store: GraphStore, random: RandomSource) {
    this.#store = store;
    this.#random = random;
  }

  step(): void {
    const random = this.#random;
    if (this.#indexes.length < 4) {
      const index = this.#store.beginIndex(random.pick(LABELS), random.pick(KEYS), 1);
      if (index !== null) this.#indexes.push({ index, isShown: false });
    }
    for (const made of [...this.#indexes]) {
      if (!made.isShown && random.chance(0.5) && made.index.fill(1 + random.below(20))) {
        made.index.show();
        made.isShown = true;
        this.shown++;
      }
      if (random.chance(0.1) && made.index.drop()) this.#indexes.splice(this.#indexes.indexOf(made), 1);
    }
  }
}

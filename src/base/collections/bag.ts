/**
 * Things that are at work now, each of which may leave at any time; in no order.
 *
 * For what comes and goes with each request, where a Set would be the obvious choice: a Set replaces its table each few
 * deletions, and each replaced table still refers to its things and to the table that followed it. Once one of them has
 * become old, all that ever came after it stays until a full collection: 2 kB a request, and a minor collection that
 * took 10 ms for 0.6.
 */
import { assert } from '../errors.ts';

/** An element of a bag: it knows its place there, for the bag alone to write. */
export interface Bagged {
  /** NOT_IN_BAG while it is in none. */
  placeInBag: number;
}

/** The place of an element that is in no bag. */
export const NOT_IN_BAG = -1;

/** A collection without order, from which elements leave in O(1). */
export class Bag<T extends Bagged> implements Iterable<T> {
  readonly #things: T[] = [];

  add(thing: T): void {
    assert(thing.placeInBag === NOT_IN_BAG, 'what is added to a bag is in none');
    thing.placeInBag = this.#things.push(thing) - 1;
  }

  /** Does nothing for what has left already. */
  remove(thing: T): void {
    const place = thing.placeInBag;
    if (place === NOT_IN_BAG) return;
    thing.placeInBag = NOT_IN_BAG;
    const last = this.#things.pop()!;
    if (last === thing) return;
    this.#things[place] = last;
    last.placeInBag = place;
  }

  /** Goes through the elements that are in the bag when the first is asked for. */
  [Symbol.iterator](): ArrayIterator<T> {
    return [...this.#things].values();
  }
}

/**
 * Remembers large values that come again in later rows of one read, such as a parameter, or a list beside each of its
 * elements. Each value is sealed and built only once while it is remembered: by the sending thread in `SentValues`, by
 * the receiving one in `ReceivedValues`. Their places agree because values are received in the order in which they were
 * sent.
 */
import type { ResultValue, Value } from '../../value/index.ts';
import type { Sealed } from './sealed-values.ts';

/** The number of values that are remembered at a time, and the most sealed bytes of one of them. */
const REMEMBERED = 4;
const MOST_BYTES = 8 * 2 ** 20;

/** A large value of a row: sealed, with the place where it is remembered (-1: nowhere), or the place of a value sent before. */
export type SentValue = (Sealed & { readonly place: number }) | { readonly again: number };

/** Remembers large values that were sent. */
export class SentValues {
  readonly #values: unknown[] = [];
  #next = 0;

  /** Returns the place of a value that was sent before; -1 if it was not, or is forgotten. */
  placeOf(value: ResultValue | Value): number {
    return this.#values.indexOf(value);
  }

  /** Remembers a value that is sent. Returns its place; -1 if it is too long to be remembered. */
  remember(value: ResultValue | Value, { sealed }: Sealed): number {
    if (sealed.reduce((bytes, part) => bytes + part.byteLength, 0) > MOST_BYTES) return -1;
    const place = this.#next;
    this.#values[place] = value;
    this.#next = (place + 1) % REMEMBERED;
    return place;
  }
}

/** Remembers large values that were received. */
export class ReceivedValues {
  readonly #values: ResultValue[] = [];

  /** Returns the value that was last received for a place. */
  at(place: number): ResultValue {
    return this.#values[place] as ResultValue;
  }

  remember(place: number, value: ResultValue): void {
    if (place >= 0) this.#values[place] = value;
  }
}

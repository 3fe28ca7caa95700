/**
 * Large values that come again in later rows of one read: a parameter, a list that each of its elements stands beside.
 * Each is sealed and built once for as long as it is remembered: by the thread that sends in `SentValues`, by the one
 * that receives in `ReceivedValues`, whose places agree because values are received in the order in which they were
 * sent.
 */
import type { ResultValue, Value } from '../../value/index.ts';
import type { Sealed } from './sealed-values.ts';

/** Values that are remembered at a time, and the longest of them in sealed bytes. */
const REMEMBERED = 4;
const MOST_BYTES = 8 * 2 ** 20;

/** A large value of a row: sealed, with the place where it is to be remembered (-1: nowhere), or the place where it was. */
export type SentValue = (Sealed & { readonly place: number }) | { readonly again: number };

/** Remembers large values that were sent. */
export class SentValues {
  readonly #values: unknown[] = [];
  #next = 0;

  /** The place of a value that was sent before; -1: it was not, or is forgotten. */
  placeOf(value: ResultValue | Value): number {
    return this.#values.indexOf(value);
  }

  /** Where a value that is sent is to be remembered; -1: it is too long for that. */
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

  /** The value that was received for a place last. */
  at(place: number): ResultValue {
    return this.#values[place] as ResultValue;
  }

  remember(place: number, value: ResultValue): void {
    if (place >= 0) this.#values[place] = value;
  }
}

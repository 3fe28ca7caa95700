/** The sum of durations, exact part by part: that a part leaves its range on the way is no matter. */
import type { CypherDuration } from '../values.ts';
import { checked64, fromFractions, makeDuration } from './duration.ts';

const NANOS_PER_SECOND = 1_000_000_000n;

/** Adds durations. */
export class DurationSum {
  #months = 0n;
  #days = 0n;
  #seconds = 0n;
  #nanos = 0n;

  add({ months, days, seconds, nanos }: CypherDuration): void {
    this.#months += BigInt(months);
    this.#days += BigInt(days);
    this.#seconds += BigInt(seconds);
    this.#nanos += BigInt(nanos);
  }

  total(): CypherDuration {
    const { seconds, nanos } = this.#time();
    return makeDuration(Number(this.#months), Number(this.#days), checked64(seconds), nanos);
  }

  /** The sum over a count above 0; the sum itself may lie outside of what a duration can be. */
  mean(count: number): CypherDuration {
    const { seconds, nanos } = this.#time();
    const [whole, rest] = [seconds / BigInt(count), seconds % BigInt(count)];
    const small = fromFractions(Number(this.#months) / count, Number(this.#days) / count, Number(rest) / count, nanos / count);
    return makeDuration(small.months, small.days, checked64(whole + BigInt(small.seconds)), small.nanos);
  }

  /** With the nanoseconds below a second. */
  #time(): { readonly seconds: bigint; readonly nanos: number } {
    return { seconds: this.#seconds + this.#nanos / NANOS_PER_SECOND, nanos: Number(this.#nanos % NANOS_PER_SECOND) };
  }
}

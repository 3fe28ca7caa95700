/** The exact sum of durations, part by part: parts may leave their range while the sum is computed. */
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

  /** Returns the mean, for a count above 0. The sum itself may be out of the range of durations. */
  mean(count: number): CypherDuration {
    const { seconds, nanos } = this.#time();
    const [whole, rest] = [seconds / BigInt(count), seconds % BigInt(count)];
    const small = fromFractions(Number(this.#months) / count, Number(this.#days) / count, Number(rest) / count, nanos / count);
    return makeDuration(small.months, small.days, checked64(whole + BigInt(small.seconds)), small.nanos);
  }

  /** Returns the seconds, with whole seconds carried over from the nanoseconds, and the nanoseconds that are left. */
  #time(): { readonly seconds: bigint; readonly nanos: number } {
    return { seconds: this.#seconds + this.#nanos / NANOS_PER_SECOND, nanos: Number(this.#nanos % NANOS_PER_SECOND) };
  }
}

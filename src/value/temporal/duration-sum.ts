/** The sum of durations, exact part by part: that a part leaves its range on the way is no matter. */
import type { CypherDuration } from '../values.ts';
import { checked64, makeDuration } from './duration.ts';

const NANOS_PER_SECOND = 1_000_000_000n;

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
    const [carry, nanos] = [this.#nanos / NANOS_PER_SECOND, this.#nanos % NANOS_PER_SECOND];
    return makeDuration(Number(this.#months), Number(this.#days), checked64(this.#seconds + carry), Number(nanos));
  }
}

/** Seeded random numbers for algorithms: a seed gives one sequence, in every run and on every machine (sfc32, by Chris Doty-Humphrey). */

/** The seed that is used when none is given. */
const DEFAULT_SEED = 20_240_601;

/** A seeded generator of random numbers. */
export class SeededRandom {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;

  /** @param stream selects one of the sequences of a seed, for example that of a node or of a walk */
  constructor(seed: number | null, stream = 0) {
    this.reset(seed, stream);
  }

  reset(seed: number | null, stream: number): void {
    const whole = seed ?? DEFAULT_SEED;
    this.a = whole | 0;
    this.b = Math.floor(whole / 2 ** 32) | 0;
    this.c = stream | 0;
    this.counter = 1;
    for (let i = 0; i < 12; i++) this.bits();
  }

  /** Returns 32 random bits as a signed integer. */
  bits(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    return sum;
  }

  /** Returns a random number in [0, 1). */
  fraction(): number {
    return (this.bits() >>> 0) / 2 ** 32;
  }

  /** Returns a random integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** Returns a normally distributed random number with mean 0 and standard deviation 1 (Box and Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction());
  }
}

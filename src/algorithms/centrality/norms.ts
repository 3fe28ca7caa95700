/**
 * Euclidean norms and largest changes of vectors over nodes. Sums of ranges are added in the order of the ranges, so
 * that the result does not depend on which thread has computed them.
 */
import { sharedPhase } from '../threads/shared-phase.ts';
import { Arrays, elementsTogether, overRange, type Pieces, type Work } from '../work.ts';

interface Squares {
  readonly vector: Float64Array;
  /** The sum of the squares in each range. */
  readonly sums: Float64Array;
}

const RANGE = elementsTogether(1);

const addSquares = sharedPhase<Squares>('norms.addSquares', ({ vector, sums }, from, to) => {
  let sum = 0;
  for (let i = from; i < to; i++) sum += vector[i]! * vector[i]!;
  sums[Math.floor(from / RANGE)] = sum;
});

/** Computes norms of vectors over nodes, with the work shared by threads. */
export class Norms {
  private readonly work: Work;
  private readonly sums: Float64Array;

  /** @param count how many elements the vectors have */
  constructor(count: number, work: Work) {
    this.work = work;
    this.sums = new Arrays(work).float64(Math.ceil(count / RANGE));
  }

  /** Returns the Euclidean norm; 1 for a vector of zeros, so that the caller can divide by it. */
  *of(vector: Float64Array): Pieces<number> {
    yield* overRange(this.work, vector.length, addSquares, { vector, sums: this.sums });
    return Math.sqrt(this.sums.reduce((sum, each) => sum + each, 0)) || 1;
  }

  /** Sets `scores` to `values` divided by their norm. @returns the largest absolute change of a score */
  *normalize(scores: Float64Array, values: Float64Array): Pieces<number> {
    const norm = yield* this.of(values);
    yield* overRange(this.work, values.length, divide, { scores, values, norm, changes: this.sums });
    return this.sums.reduce((most, each) => Math.max(most, each), 0);
  }
}

interface Division {
  readonly scores: Float64Array;
  readonly values: Float64Array;
  readonly norm: number;
  /** The largest change in each range. */
  readonly changes: Float64Array;
}

const divide = sharedPhase<Division>('norms.divide', ({ scores, values, norm, changes }, from, to) => {
  let largest = 0;
  for (let node = from; node < to; node++) {
    const score = values[node]! / norm;
    const change = Math.abs(score - scores[node]!);
    if (change > largest) largest = change;
    scores[node] = score;
  }
  changes[Math.floor(from / RANGE)] = largest;
});

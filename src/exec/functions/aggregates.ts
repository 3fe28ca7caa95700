/**
 * Aggregating functions: `create()` makes an accumulator for one group of one statement. All of them except `count(*)`
 * ignore nulls. DISTINCT is a wrapper around any accumulator.
 */
import { type AggregateName, type aggregateFacts, describedAggregates } from '../../functions/index.ts';
import {
  argumentFault,
  CypherDuration,
  DurationSum,
  type HashKey,
  hashKey,
  INT64_MAX,
  INT64_MIN,
  isInteger,
  isNumber,
  makeFloat,
  makeInteger,
  order,
  overflowFault,
  toNumber,
  type Value,
} from '../../value/index.ts';
import { numberArgument, wrongArgument } from './arguments.ts';
import type { Accumulator, AccumulatorMakers, AggregateDefinition } from './definition.ts';
import { Deviation } from './deviation.ts';
import { projection } from './libraries/graph-projection.ts';
import { MEAN_SCALE, meanOf } from './mean.ts';

/** Wraps an accumulator so that it receives only the first of equivalent values. */
export function distinctAccumulator(inner: Accumulator): Accumulator {
  const seen = new Set<HashKey>();
  return {
    add(value, argument) {
      const key = hashKey(value);
      if (seen.has(key)) return;
      seen.add(key);
      inner.add(value, argument);
    },
    result: () => inner.result(),
  };
}

/** Returns the accumulator of `count(*)`, which counts rows. */
export function countRows(): Accumulator {
  let count = 0;
  return { add: () => void count++, result: () => count };
}

function count(): Accumulator {
  let total = 0;
  return {
    add(value) {
      if (value !== null) total++;
    },
    result: () => total,
  };
}

/**
 * Adds numbers or durations. Integers and the components of durations are added exactly, regardless of order, and their
 * ranges are checked at the end. The sum is a Float if one of the values is.
 */
class Sum {
  count = 0;
  #small = 0;
  #large = 0n;
  #float = 0;
  /** The scaled sum that `meanOf` needs. */
  #scaledFloat = 0;
  #hasFloat = false;
  #durations: DurationSum | null = null;
  readonly #name: AggregateName;

  constructor(name: AggregateName) {
    this.#name = name;
  }

  add(value: Value): void {
    if (value === null) return;
    if (value instanceof CypherDuration) this.#addDuration(value);
    else this.#addNumber(value);
    this.count++;
  }

  #addNumber(value: Value): void {
    if (!isNumber(value)) throw wrongArgument(this.#name, 'numbers or durations', value);
    if (this.#durations !== null) throw wrongArgument(this.#name, 'either numbers or durations', value);
    if (!isInteger(value)) {
      this.#hasFloat = true;
      this.#float += toNumber(value);
      this.#scaledFloat += toNumber(value) * MEAN_SCALE;
      return;
    }
    const sum = typeof value === 'number' ? this.#small + value : Number.NaN;
    if (Number.isSafeInteger(sum)) {
      this.#small = sum;
    } else {
      this.#large += BigInt(this.#small) + BigInt(value);
      this.#small = 0;
    }
  }

  #addDuration(value: CypherDuration): void {
    if (this.count > 0 && this.#durations === null) throw wrongArgument(this.#name, 'either numbers or durations', value);
    this.#durations ??= new DurationSum();
    this.#durations.add(value);
  }

  /** Returns the sum: an Integer unless there was a Float, or a Duration. @throws ARITHMETIC_ERROR beyond 64 bits */
  total(): Value {
    if (this.#durations !== null) return this.#durations.total();
    const integers = this.#large + BigInt(this.#small);
    if (this.#hasFloat) return makeFloat(this.#float + Number(integers));
    if (integers > INT64_MAX || integers < INT64_MIN) throw overflowFault(`${this.#name}()`);
    return makeInteger(integers);
  }

  mean(): Value {
    if (this.count === 0) return null;
    if (this.#durations !== null) return this.#durations.mean(this.count);
    const integers = Number(this.#large + BigInt(this.#small));
    return makeFloat(meanOf(this.#float + integers, this.#scaledFloat + integers * MEAN_SCALE, this.count));
  }
}

function sum(): Accumulator {
  const state = new Sum('sum');
  return { add: (value) => state.add(value), result: () => state.total() };
}

function avg(): Accumulator {
  const state = new Sum('avg');
  return { add: (value) => state.add(value), result: () => state.mean() };
}

/** Returns the accumulator of max() for the sign 1, of min() for -1. */
function extreme(sign: 1 | -1): Accumulator {
  let best: Value = null;
  return {
    add(value) {
      if (value !== null && (best === null || sign * order(value, best) > 0)) best = value;
    },
    result: () => best,
  };
}

function collect(): Accumulator {
  const list: Value[] = [];
  return {
    add(value) {
      if (value !== null) list.push(value);
    },
    result: () => list,
  };
}

/** Returns the accumulator of a standard deviation. @param sample whether to divide by one less than the count */
function deviation(name: AggregateName, sample: boolean): Accumulator {
  const state = new Deviation();
  return {
    add(value) {
      if (value !== null) state.add(numberArgument(name, value));
    },
    result: () => makeFloat(state.result(sample)),
  };
}

/** Returns the accumulator of a percentile. @param pick chooses from the sorted values, of which there is at least one */
function percentile(name: AggregateName, pick: (sorted: Value[], fraction: number) => Value): Accumulator {
  const values: Value[] = [];
  let fraction = 0;
  return {
    add(value, argument = null) {
      fraction = percentileFraction(name, argument);
      if (value === null) return;
      numberArgument(name, value);
      values.push(value);
    },
    unsorted: () => values,
    result() {
      return values.length === 0 ? null : pick(values, fraction);
    },
  };
}

function percentileFraction(name: AggregateName, argument: Value): number {
  const fraction = numberArgument(name, argument);
  if (fraction >= 0 && fraction <= 1) return fraction;
  throw argumentFault(`the percentile of ${name}() must lie in 0.0 to 1.0, but is ${fraction}`, 'NumberOutOfRange');
}

/** Interpolates linearly between the two values nearest to the fraction. */
function interpolated(sorted: Value[], fraction: number): Value {
  const index = fraction * (sorted.length - 1);
  const low = Math.floor(index);
  const below = numberArgument('percentileCont', sorted[low] as Value);
  const above = numberArgument('percentileCont', sorted[Math.ceil(index)] as Value);
  return makeFloat(low === index || below === above ? below : below * (low + 1 - index) + above * (index - low));
}

/** Returns the least value that at least this fraction of the values does not exceed. */
function nearest(sorted: Value[], fraction: number): Value {
  const index = fraction * sorted.length;
  const position = Number.isInteger(index) && index > 0 ? index - 1 : Math.floor(index);
  return sorted[position] as Value;
}

const MAKERS: AccumulatorMakers<typeof aggregateFacts> = {
  count,
  sum,
  avg,
  min: () => extreme(-1),
  max: () => extreme(1),
  collect,
  stDev: () => deviation('stDev', true),
  stDevP: () => deviation('stDevP', false),
  percentileCont: () => percentile('percentileCont', interpolated),
  percentileDisc: () => percentile('percentileDisc', nearest),
  'gds.graph.project': projection,
};

/** Aggregating functions by name. `count(*)` is not among them, since it takes no value: see `countRows`. */
export const aggregates = Object.fromEntries(
  describedAggregates.map((described) => [described.name, { ...described, create: MAKERS[described.name] }]),
) as unknown as Readonly<Record<AggregateName, AggregateDefinition>>; // as: each aggregate is described

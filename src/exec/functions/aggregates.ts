/**
 * Aggregating functions: `create()` gives an accumulator for one group; nulls are ignored by all of them but `count(*)`. DISTINCT is a
 * wrapper around any accumulator. An accumulator lives for one group of one statement.
 */
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
import type { TypeHint } from './definition.ts';
import { Deviation } from './deviation.ts';
import { MEAN_SCALE, meanOf } from './mean.ts';

export interface Accumulator {
  /** `argument` is the second argument of the function, the percentile. */
  add(value: Value, argument?: Value): void;
  result(): Value;
}

export interface AggregateDefinition {
  readonly name: string;
  readonly minArgs: number;
  readonly maxArgs: number;
  readonly argumentTypes: readonly (readonly TypeHint[])[];
  readonly returnType: TypeHint;
  readonly category: 'Aggregating';
  readonly description: string;
  readonly signature: string;
  create(): Accumulator;
}

/** Hands on the first of equivalent values only. */
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

/** Counts rows: what `count(*)` means. */
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
 * Adds numbers or durations. Integers and the parts of durations are added exactly, whatever their order, and their ranges are checked at the end; from the
 * first Float on the sum is one.
 */
class Sum {
  count = 0;
  #small = 0;
  #large = 0n;
  #float = 0;
  /** As `meanOf` wants it. */
  #scaledFloat = 0;
  #hasFloat = false;
  #durations: DurationSum | null = null;
  readonly #name: string;

  constructor(name: string) {
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

  /** Integer unless a Float was among the values. */
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

/** `sign` 1 keeps the largest value, -1 the smallest. */
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

/** `sample` divides by one less than the count. */
function deviation(name: string, sample: boolean): Accumulator {
  const state = new Deviation();
  return {
    add(value) {
      if (value !== null) state.add(numberArgument(name, value));
    },
    result: () => makeFloat(state.result(sample)),
  };
}

/** `pick` chooses from the sorted values; null without any. */
function percentile(name: string, pick: (sorted: Value[], fraction: number) => Value): Accumulator {
  const values: Value[] = [];
  let fraction = 0;
  return {
    add(value, argument = null) {
      fraction = percentileFraction(name, argument);
      if (value === null) return;
      numberArgument(name, value);
      values.push(value);
    },
    result() {
      if (values.length === 0) return null;
      return pick(values.sort(order), fraction);
    },
  };
}

function percentileFraction(name: string, argument: Value): number {
  const fraction = numberArgument(name, argument);
  if (fraction >= 0 && fraction <= 1) return fraction;
  throw argumentFault(`the percentile of ${name}() must lie in 0.0 to 1.0, but is ${fraction}`, 'NumberOutOfRange');
}

/** Between the two nearest values, in proportion. */
function interpolated(sorted: Value[], fraction: number): Value {
  const index = fraction * (sorted.length - 1);
  const low = Math.floor(index);
  const below = numberArgument('percentileCont', sorted[low] as Value);
  const above = numberArgument('percentileCont', sorted[Math.ceil(index)] as Value);
  return makeFloat(low === index || below === above ? below : below * (low + 1 - index) + above * (index - low));
}

/** The first value that so large a part of the values does not exceed. */
function nearest(sorted: Value[], fraction: number): Value {
  const index = fraction * sorted.length;
  const position = Number.isInteger(index) && index > 0 ? index - 1 : Math.floor(index);
  return sorted[position] as Value;
}

interface AggregateSpecification {
  readonly name: string;
  readonly parameters: readonly (readonly [name: string, types: readonly TypeHint[]])[];
  readonly returns: TypeHint;
  readonly description: string;
  readonly create: () => Accumulator;
}

function aggregate({ name, parameters, returns, description, create }: AggregateSpecification): AggregateDefinition {
  const shown = parameters.map(([parameter, types]) => `${parameter} :: ${types.join(' | ')}`);
  return {
    name,
    minArgs: parameters.length,
    maxArgs: parameters.length,
    argumentTypes: parameters.map(([, types]) => types),
    returnType: returns,
    category: 'Aggregating',
    description,
    signature: `${name}(${shown.join(', ')}) :: ${returns}`,
    create,
  };
}

const ANY = ['input', ['Any']] as const;
const NUMBERS = ['input', ['Number']] as const;
const SUMMABLE = ['input', ['Number', 'Duration']] as const;
const PERCENTILE = ['percentile', ['Number']] as const;

const definitions: readonly AggregateDefinition[] = [
  aggregate({
    name: 'count',
    parameters: [ANY],
    returns: 'Integer',
    description: 'The number of values that are not null.',
    create: count,
  }),
  aggregate({ name: 'sum', parameters: [SUMMABLE], returns: 'Any', description: 'The sum, 0 for none.', create: sum }),
  aggregate({ name: 'avg', parameters: [SUMMABLE], returns: 'Any', description: 'The mean, null for none.', create: avg }),
  aggregate({
    name: 'min',
    parameters: [ANY],
    returns: 'Any',
    description: 'The smallest value in the order of ORDER BY.',
    create: () => extreme(-1),
  }),
  aggregate({
    name: 'max',
    parameters: [ANY],
    returns: 'Any',
    description: 'The largest value in the order of ORDER BY.',
    create: () => extreme(1),
  }),
  aggregate({ name: 'collect', parameters: [ANY], returns: 'List', description: 'The values as a list.', create: collect }),
  aggregate({
    name: 'stDev',
    parameters: [NUMBERS],
    returns: 'Float',
    description: 'The standard deviation of a sample.',
    create: () => deviation('stDev', true),
  }),
  aggregate({
    name: 'stDevP',
    parameters: [NUMBERS],
    returns: 'Float',
    description: 'The standard deviation of a population.',
    create: () => deviation('stDevP', false),
  }),
  aggregate({
    name: 'percentileCont',
    parameters: [NUMBERS, PERCENTILE],
    returns: 'Float',
    description: 'The percentile, interpolated between values.',
    create: () => percentile('percentileCont', interpolated),
  }),
  aggregate({
    name: 'percentileDisc',
    parameters: [NUMBERS, PERCENTILE],
    returns: 'Number',
    description: 'The percentile, as one of the values.',
    create: () => percentile('percentileDisc', nearest),
  }),
];

/** By name in lower case. `count(*)` is no function of a value: see `countRows`. */
export const aggregates: ReadonlyMap<string, AggregateDefinition> = new Map(definitions.map((each) => [each.name.toLowerCase(), each]));

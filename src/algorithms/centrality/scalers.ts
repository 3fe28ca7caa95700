/** Scalers of scores and properties: each maps a column of numbers to numbers by statistics of the whole column. */
import { argumentFault, isNumber, makeFloat, toNumber, typeFault, type Value, type ValueMap } from '../../value/index.ts';
import type { Field } from '../configuration/fields.ts';
import { Arrays, overRange, type Phase, type Pieces, type Work } from '../work.ts';

/** Names of scalers, as configurations give them. */
export const SCALERS = ['NONE', 'MINMAX', 'MAX', 'MEAN', 'LOG', 'STDSCORE', 'CENTER', 'L1NORM', 'L2NORM'] as const;

/** A scaler of one column, as its configuration gives it. */
export interface Scaler {
  readonly type: (typeof SCALERS)[number];
  /** Added to each value before its logarithm is taken. */
  readonly offset: number;
}

interface Moments {
  min: number;
  max: number;
  sum: number;
  squares: number;
  greatest: number;
  absolute: number;
}

interface Measured {
  readonly values: ArrayLike<number>;
  /** The divisor of the values; `mean` and the moments are multiples of it. */
  readonly unit: number;
  readonly moments: Moments;
  readonly mean: number;
}

const measure: Phase<Measured> = ({ values, unit, moments, mean }, from, to) => {
  let { min, max, sum, squares, greatest, absolute } = moments;
  for (let i = from; i < to; i++) {
    const value = values[i]! / unit;
    if (Number.isNaN(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
    if (Math.abs(value) > greatest) greatest = Math.abs(value);
    sum += value;
    absolute += Math.abs(value);
    squares += (value - mean) * (value - mean);
  }
  Object.assign(moments, { min, max, sum, squares, greatest, absolute });
};

interface Applied {
  readonly values: ArrayLike<number>;
  readonly scaled: Float64Array;
  readonly unit: number;
  /** In units. */
  readonly shift: number;
  /** In units. */
  readonly by: number;
}

const apply: Phase<Applied> = ({ values, scaled, unit, shift, by }, from, to) => {
  for (let i = from; i < to; i++) scaled[i] = by === 0 ? 0 : (values[i]! / unit - shift) / by;
};

const takeLogarithm: Phase<{ readonly values: ArrayLike<number>; readonly scaled: Float64Array; readonly offset: number }> = (
  { values, scaled, offset },
  from,
  to,
) => {
  for (let i = from; i < to; i++) scaled[i] = Math.log(values[i]! + offset);
};

/** A scaled column with the statistics that it was scaled by. */
export interface Scaled {
  readonly values: Float64Array;
  /** Statistics of the column, by name. */
  readonly statistics: ValueMap;
}

/** A divisor below this counts as 0, and then every scaled value is 0. */
const SMALLEST_RANGE = 1e-15;

/** Sums and squares of as many values as there can be nodes stay finite below this. */
const LARGEST_PLAIN = 2 ** 480;

/**
 * Returns the divisor of values up to `greatest`, so that sums of them and of their squares are finite: a power of two,
 * which rounds nothing.
 */
function unitFor(greatest: number): number {
  return greatest > LARGEST_PLAIN && Number.isFinite(greatest) ? 2 ** Math.min(1023, Math.floor(Math.log2(greatest))) : 1;
}

/** Scales a column, or returns it where the scaler leaves numbers as they are. NaN stays NaN, and does not enter the statistics. */
export function* scaleColumn(values: ArrayLike<number>, { type, offset }: Scaler, work: Work): Pieces<Scaled> {
  if (type === 'NONE' && values instanceof Float64Array) return { values, statistics: new Map() };
  const scaled = new Arrays(work).float64(values.length);
  if (type === 'LOG') {
    yield* overRange(work, values.length, takeLogarithm, { values, scaled, offset }, 2);
    return { values: scaled, statistics: new Map() };
  }
  if (type === 'NONE') {
    yield* overRange(work, values.length, apply, { values, scaled, unit: 1, shift: 0, by: 1 });
    return { values: scaled, statistics: new Map() };
  }
  let count = 0;
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i])) count++;
  const plain = yield* momentsOf(values, { unit: 1, mean: 0 }, work);
  const unit = unitFor(plain.greatest);
  const moments = unit === 1 ? plain : yield* momentsOf(values, { unit, mean: 0 }, work);
  const mean = count === 0 ? 0 : moments.sum / count;
  const { min, max } = moments;
  const shiftAndRange = { shift: 0, by: 1 / unit };
  let facts: Record<string, number> = {};
  if (type === 'MINMAX') {
    facts = { min, max };
    Object.assign(shiftAndRange, { shift: min, by: max - min });
  } else if (type === 'MAX') {
    facts = { absMax: moments.greatest };
    shiftAndRange.by = moments.greatest;
  } else if (type === 'MEAN') {
    facts = { min, avg: mean, max };
    Object.assign(shiftAndRange, { shift: mean, by: max - min });
  } else if (type === 'CENTER') {
    facts = { avg: mean };
    shiftAndRange.shift = mean;
  } else if (type === 'L1NORM') shiftAndRange.by = moments.absolute;
  else if (type === 'L2NORM') shiftAndRange.by = Math.sqrt(moments.squares);
  else {
    const { squares } = yield* momentsOf(values, { unit, mean }, work);
    const std = Math.sqrt(squares / Math.max(1, count));
    facts = { avg: mean, std };
    Object.assign(shiftAndRange, { shift: mean, by: std });
  }
  if (Math.abs(shiftAndRange.by * unit) < SMALLEST_RANGE) shiftAndRange.by = 0;
  yield* overRange(work, values.length, apply, { values, scaled, unit, ...shiftAndRange });
  return { values: scaled, statistics: new Map(Object.entries(facts).map(([name, fact]) => [name, [makeFloat(fact * unit)]])) };
}

function* momentsOf(values: ArrayLike<number>, { unit, mean }: Pick<Measured, 'unit' | 'mean'>, work: Work): Pieces<Moments> {
  const moments: Moments = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0, squares: 0, greatest: 0, absolute: 0 };
  yield* overRange(work, values.length, measure, { values, unit, moments, mean });
  return moments;
}

/** A parameter that is a scaler: its name, or a map such as `{type: 'LOG', offset: 1}`. */
export function scaler(value: 'NONE' | undefined): Field<Scaler> {
  return {
    type: 'String or Map',
    default: value === undefined ? undefined : { type: 'NONE', offset: 0 },
    read: readScaler,
    show: ({ type }) => type,
  };
}

function readScaler(name: string, given: Value): Scaler {
  const isMap = given instanceof Map;
  const type = isMap ? (given.get('type') ?? null) : given;
  const offset = isMap ? (given.get('offset') ?? 0) : 0;
  if (typeof type !== 'string' || !isNumber(offset)) throw typeFault(`The value of \`${name}\` must be of type \`String\` or \`Map\`.`);
  const found = SCALERS.find((each) => each === type.toUpperCase());
  if (found === undefined)
    throw argumentFault(`Unrecognised scaler type specified for \`${name}\`: \`${type}\`. Scalers: ${SCALERS.join(', ')}.`);
  return { type: found, offset: toNumber(offset) };
}

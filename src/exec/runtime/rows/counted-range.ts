/** UNWIND and FOREACH of `range(…)` without its list: a loop counts through the numbers. */
import { assert } from '../../../base/index.ts';
import { isInteger, makeInteger, type Value } from '../../../value/index.ts';
import { type FunctionContext, functions } from '../../functions/index.ts';

interface CountedRange {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly at: ((index: number) => Value) | null;
}

const NO_ELEMENTS: CountedRange = { start: 1, end: 0, step: 1, at: null };

/** Bounds of `range(start, end, step)`, of numbers that a loop can count through. `at` null: these are its elements; else it tells them. */
export function countedRange(context: FunctionContext, start: Value, end: Value, step: Value = 1): CountedRange {
  if (start === null || end === null || step === null) return NO_ELEMENTS;
  const numbers = [start, end, step].every((one) => typeof one === 'number' && Number.isSafeInteger(one));
  if (numbers && step !== 0) return { start: start as number, end: end as number, step: step as number, at: null };
  if (!isInteger(start) || !isInteger(end) || !isInteger(step) || step === 0) {
    functions.get('range')!.evaluate(context, start, end, step);
    assert(false, 'a range of what is no Integer, or without a step');
  }
  const [from, by] = [BigInt(start), BigInt(step)];
  const last = (BigInt(end) - from) / by;
  // Towards zero: less than a step against the direction is no element either.
  const isEmpty = by > 0n ? from > BigInt(end) : from < BigInt(end);
  return isEmpty ? NO_ELEMENTS : { start: 0, end: Number(last), step: 1, at: (index) => makeInteger(from + BigInt(index) * by) };
}

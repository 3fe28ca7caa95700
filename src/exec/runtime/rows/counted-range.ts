/** Runs UNWIND and FOREACH over `range(…)` as a counting loop, without building the list. */
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

/**
 * Returns the bounds of a loop over `range(start, end, step)`. If `at` is null, the loop variable is the element;
 * otherwise `at` maps it to the element, because the elements are not safe integers. Null arguments give an empty loop.
 *
 * @throws ARGUMENT_ERROR or TYPE_ERROR, as range() does
 */
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
  // Division truncates towards zero, so a range in the wrong direction by less than a step must be recognized as empty.
  const isEmpty = by > 0n ? from > BigInt(end) : from < BigInt(end);
  return isEmpty ? NO_ELEMENTS : { start: 0, end: Number(last), step: 1, at: (index) => makeInteger(from + BigInt(index) * by) };
}

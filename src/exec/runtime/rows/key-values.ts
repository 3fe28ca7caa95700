/** Keys of values for Maps and Sets, as grouping, DISTINCT and joins ask for them. */
import type { HashKey, Value } from '../../../value/index.ts';

/** Makes keys of values, and counts the work. */
export interface KeyValues {
  hashKey(value: Value): HashKey;
  hashKeyOf(values: readonly Value[]): HashKey;
}

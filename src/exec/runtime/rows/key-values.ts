/** Makes the keys of values for Maps and Sets that grouping, DISTINCT and joins use. */
import type { HashKey, Value } from '../../../value/index.ts';

/** Makes keys of values, and counts the work. */
export interface KeyValues {
  hashKey(value: Value): HashKey;
  hashKeyOf(values: readonly Value[]): HashKey;
}

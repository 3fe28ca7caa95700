/** The parameters that every generated statement may use, and that every run of one is given. */
import type { Value } from '../../../src/value/index.ts';

export const PARAMETERS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['vector', new Float32Array([1, 2.5, -3])],
  ['single', 4],
]);

/** Tells aggregates from other functions. */
import { aggregateNamed } from '../functions/index.ts';

/** Tells whether a function of this name is an aggregate. */
export function isAggregate(name: string): boolean {
  return aggregateNamed(name) !== undefined;
}

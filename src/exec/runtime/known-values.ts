/**
 * Lists of values that are known before a statement runs (literals and parameters), built from a table instead of from
 * generated code for each value.
 */
import type { Value } from '../../value/index.ts';

/** A value that is known before the statement runs: a parameter, by its name, or a literal. */
export type KnownValue = { readonly parameter: string } | { readonly literal: Value };

/** Returns the values in order, with parameters replaced by their values. */
export function valuesOf(known: readonly KnownValue[], parameter: (name: string) => Value): Value[] {
  return known.map((value) => ('literal' in value ? value.literal : parameter(value.parameter)));
}

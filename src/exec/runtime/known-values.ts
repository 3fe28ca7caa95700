/** Values that stand in a statement or are its parameters, many of them together: told by a table, in place of generated code for each. */
import type { Value } from '../../value/index.ts';

/** A value that is known before the statement runs. */
export type KnownValue = { readonly parameter: string } | { readonly literal: Value };

/** Returns the values, with those of parameters. */
export function valuesOf(known: readonly KnownValue[], parameter: (name: string) => Value): Value[] {
  return known.map((value) => ('literal' in value ? value.literal : parameter(value.parameter)));
}

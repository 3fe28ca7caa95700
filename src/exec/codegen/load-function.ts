/**
 * The only place where text becomes code (Q1). The text was made by the compiler from its own words and numbers alone: names of the user, literals, labels
 * and property keys reach it through the `constants` array. `assertOwnWords` holds that against the text before it is compiled.
 */
import { assert } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Rows leave in batches; null is a point at which the statement offers to be interrupted. */
export type StatementFunction = (runtime: Runtime, constants: readonly unknown[]) => Generator<Value[][] | null, void, void>;

export interface RuntimeLibrary {
  readonly [name: string]: unknown;
}

/** Printable ASCII without quotes, backticks and backslashes: no string literal, comment trick or escape can stand in generated text. */
const OWN_WORDS = /^[A-Za-z0-9_$ \n.,;:?!(){}[\]<>=+\-*/%&|^~]*$/;

export function loadStatementFunction(source: string, library: RuntimeLibrary): StatementFunction {
  assert(OWN_WORDS.test(source), 'Q1: generated code holds a character that the compiler does not write');
  const names = Object.keys(library);
  const make = new Function(...names, source) as (...values: unknown[]) => StatementFunction;
  return make(...names.map((name) => library[name]));
}

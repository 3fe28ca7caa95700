/**
 * Loads generated code: the only place where text becomes code (Q1). The text was made by the compiler from its own
 * words and numbers alone: names of the user, literals, labels and property keys reach it through the `constants`
 * array. The text is tested against `OWN_WORDS` before it is compiled.
 */
import { assert } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import type { RuntimeLibrary } from '../runtime/library.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** A generated statement: yields batches of rows, and null wherever the statement offers to be interrupted. */
export type StatementFunction = (runtime: Runtime, constants: readonly unknown[]) => Generator<Value[][] | null, void, void>;

/** Printable ASCII without quotes, backticks and backslashes: no string literal, comment trick or escape can stand in generated text. */
const OWN_WORDS = /^[A-Za-z0-9_$ \n.,;:?!(){}[\]<>=+\-*/%&|^~]*$/;

/** Loads a generated function. */
export function loadStatementFunction(source: string, library: RuntimeLibrary): StatementFunction {
  assert(OWN_WORDS.test(source), 'Q1: generated code holds a character that the compiler does not write');
  const names = Object.keys(library);
  const make = new Function(...names, source) as (...values: unknown[]) => StatementFunction;
  return make(...names.map((name) => library[name]));
}

let rowFunctions = 0;

/**
 * Returns a function that makes an object of a row, with the names as keys, in their order. Each call makes a function
 * of its own, which costs some 50 µs: V8 then knows the shape of its objects, and makes one in some 50 ns instead of
 * 180.
 *
 * @param names preferably strings that were keys of an object already: V8 looks up any other string for each row
 * @param convert applied to each value that is neither a string nor a number; those stay as they are
 */
export function loadRowFunction<From, To>(
  names: readonly string[],
  convert: (value: From) => To,
): (row: readonly From[]) => { [name: string]: To } {
  const keys = names.map((_, i) => `k${i}`);
  const values = keys.map((_, i) => `const v${i} = row[${i}];`);
  // A call of `convert` for each string and number would cost as much as the rest.
  const members = keys.map((key, i) => `[${key}]: typeof v${i} === string || typeof v${i} === number ? v${i} : convert(v${i})`);
  // The number makes the text a new one: V8 would keep one record of shapes for all functions of the same text.
  const source = `const number${++rowFunctions} = 0; return (row) => { ${values.join(' ')} return { ${members.join(', ')} }; };`;
  assert(OWN_WORDS.test(source), 'Q1: generated code holds a character that the compiler does not write');
  const make = new Function('convert', 'string', 'number', ...keys, source) as (
    ...values: unknown[]
  ) => (row: readonly From[]) => { [name: string]: To };
  return make(convert, 'string', 'number', ...names);
}

/**
 * JSON whose numbers keep their text: a double has no room for Integers beyond 2^53, and does not tell 1.0 from 1. A
 * parsed number is an object that only `JSON.stringify` understands. Source: tc39.es/proposal-json-parse-with-source.
 */

/** The members of `JSON` that the types of the compiler do not have. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}

const { parse, rawJSON, isRawJSON } = JSON as unknown as ExactJson; // as: Node has them

/** Parses JSON; each number in it is one for `isExactNumber`. */
export function parseExactly(text: string): unknown {
  return parse(text, (_key, value, { source }) => (typeof value === 'number' && source !== undefined ? rawJSON(source) : value));
}

/** Returns whether a value is a number that `parseExactly` has kept. */
export function isExactNumber(value: unknown): boolean {
  return isRawJSON(value);
}

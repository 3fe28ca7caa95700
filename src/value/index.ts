/** The exports of the value layer: Cypher values, their semantics, and their binary, JSON and text forms. */

export * from './arithmetic.ts';
export * from './codec.ts';
export * from './collections.ts';
export * from './equality.ts';
export * from './faults.ts';
export * from './float-text.ts';
export { type JsonForm, writeJson } from './json.ts';
export * from './json-parser.ts';
export * from './json-parts.ts';
export * from './large-values.ts';
export * from './list-length.ts';
export * from './logic.ts';
export * from './number-text.ts';
export * from './numbers.ts';
export * from './order.ts';
export * from './spatial/index.ts';
export * from './strings.ts';
export * from './temporal/index.ts';
export * from './text.ts';
export * from './type-name.ts';
export * from './typed-json.ts';
export * from './value-type.ts';
export * from './values.ts';

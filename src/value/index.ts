/** The door of the value layer: Cypher values, their semantics, and their binary, JSON and text forms. */
export * from './values.ts';
export * from './equality.ts';
export * from './faults.ts';
export * from './logic.ts';
export * from './order.ts';
export * from './strings.ts';
export * from './codec.ts';
export * from './temporal/index.ts';
export * from './arithmetic.ts';
export * from './collections.ts';
export * from './text.ts';

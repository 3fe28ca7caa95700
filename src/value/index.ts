/** The door of the value layer: Cypher values, their semantics, and their binary, JSON and text forms. */
export * from './values.ts';

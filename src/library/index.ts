/** The door of the library, re-exported by the package. */
export * from './database.ts';
export { float, type GraphValue, Node, type Parameter, type Parameters, Path, type PlainObject, Relationship } from './values.ts';

/** The door of the Cypher layer: text → syntax tree → checked, bound tree. Pure: no storage, no input or output. */
export type * from './ast.ts';
export { parse } from './parser/parse.ts';

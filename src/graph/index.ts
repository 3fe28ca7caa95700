/** The door of the graph layer: the store in memory, its views and its transactions. */
export type * from './view.ts';
export { GraphStore, createGraphStore } from './graph-store.ts';

/** The door of the graph layer: the store in memory, its views and its transactions. */
export type * from './view.ts';
export { GraphStore, createGraphStore } from './graph-store.ts';
export { openGraphStore } from './open-graph-store.ts';
export type { Flush } from './flush.ts';
export { EVERYTHING, type Requirements } from './requirements.ts';

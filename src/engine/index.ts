export type * from './api.ts';
export { openEngine } from './open.ts';
export { ReadWorkers } from './workers/read-workers.ts';

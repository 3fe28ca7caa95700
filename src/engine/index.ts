export type * from './api.ts';
export { openEngine } from './open.ts';
export { readingEngine } from './reading-engine.ts';
export { sharedSstCache } from './sst-cache.ts';
export { ReadWorkers } from './workers/read-workers.ts';

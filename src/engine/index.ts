/** Exports of the engine for the layers above it. */
export type * from './api.ts';
export { engineFor } from './caller-engine.ts';
export { parseChangeId } from './changes/change-id.ts';
export { CHANGE_COLUMNS, type ChangesWanted, changeId, changesBehind } from './changes/follow-changes.ts';
export { type Databases, unsupportedAdministration } from './databases.ts';
export { openEngine } from './open.ts';
export type { EngineParts } from './parts.ts';
export { Planner } from './planning/planner.ts';
export type { EngineOptions } from './settings/engine-options.ts';
export { sharedPageCaches } from './settings/page-cache.ts';
export { ENGINE_SETTINGS } from './settings/setting-table.ts';
export { sharedSstCache } from './settings/sst-cache.ts';
export type { Termination, TransactionDescription, Transactions } from './transactions.ts';
export { ReadWorkers } from './workers/read-workers.ts';

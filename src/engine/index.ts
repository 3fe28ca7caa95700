export type * from './api.ts';
export { openEngine } from './open.ts';

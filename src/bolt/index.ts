/** Exports of the Bolt layer. */
export { type BoltServer, createBoltServer } from './server.ts';

/**
 * Puts the engine and the command line, without the server, into the Python package (bundle-whole.ts):
 * `clients/python/graphdb/_engine`. So a wheel needs nothing of npm where it is installed.
 */
import { join } from 'node:path';
import { ENGINE_THREADS } from './bundle.ts';
import { bundleWhole } from './bundle-whole.ts';

const ENGINE = join(import.meta.dirname, '../clients/python/graphdb/_engine');

await bundleWhole(['stdio/main', 'cli/main', 'import/threads/import-thread-entry', ...ENGINE_THREADS], ENGINE);

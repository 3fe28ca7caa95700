/**
 * The programs that tests start, and the library that programs of tests import: those of the package that `npm test` has
 * bundled, which start sooner, or those of the sources where a test is run by itself.
 */
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const BUNDLED = process.env['GRAPHDB_TEST_PROGRAMS'];
const FOLDER = BUNDLED ?? join(ROOT, 'bin');

/** The command line. */
export const CLI = join(FOLDER, 'graphdb');
/** The server. */
export const SERVER = join(FOLDER, 'graphdb-server');
/** The module of the library. */
export const LIBRARY = BUNDLED === undefined ? join(ROOT, 'src/index.ts') : join(BUNDLED, '../dist/index.js');

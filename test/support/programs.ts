/**
 * The programs that tests start: those of the package that `npm test` has bundled, which start sooner, or those
 * of the sources where a test is run by itself.
 */
import { join } from 'node:path';

const FOLDER = process.env['GRAPHDB_TEST_PROGRAMS'] ?? join(import.meta.dirname, '../../bin');

/** The command line. */
export const CLI = join(FOLDER, 'graphdb');
/** The server. */
export const SERVER = join(FOLDER, 'graphdb-server');

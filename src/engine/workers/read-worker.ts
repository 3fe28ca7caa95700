/** The entry point of a read worker: its program is compiled once for all threads and processes. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./worker-program.ts');

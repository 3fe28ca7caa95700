/** Where the thread that plans begins: its program is compiled once for all threads and processes. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./planner-program.ts');

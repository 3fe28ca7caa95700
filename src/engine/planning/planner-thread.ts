/** The entry point of the planner thread: its program is compiled once for all threads and processes. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./planner-program.ts');

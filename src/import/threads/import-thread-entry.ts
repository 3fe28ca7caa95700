/** Where a thread that helps an import begins (import-thread.ts): compiled code is kept between starts. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./import-jobs.ts');

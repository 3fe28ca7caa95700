/** Entry point of a thread that helps an import (import-thread.ts); its compiled code is kept between starts. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./import-jobs.ts');

/** The entry point of `bin/graphdb-server`: compiled code is kept between starts, then the process is loaded. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runServer } = await import('./process.ts');
await runServer(process.argv.slice(2));

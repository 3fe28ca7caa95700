/** Where `bin/graphdb` begins: compiled code is kept between starts, then the command is loaded. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runCli } = await import('./program.ts');
process.exitCode = await runCli(process.argv.slice(2), { input: process.stdin, output: process.stdout, errors: process.stderr });

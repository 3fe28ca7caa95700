/** Entry point of `bin/graphdb`: keeps compiled code between starts, then loads the command. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runCli } = await import('./program.ts');
process.exitCode = await runCli(process.argv.slice(2), { input: process.stdin, output: process.stdout, errors: process.stderr });

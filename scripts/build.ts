/** `npm run build`: `dist/` with the program (bundle.ts) and the types of every module. `--out <folder>` instead of `dist`. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { buildConsole } from './build-console.ts';
import { bundle, PROGRAM } from './bundle.ts';

const ROOT = join(import.meta.dirname, '..');
const { values: options } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist') } } });

await rm(options.out, { recursive: true, force: true });
const compiler = join(ROOT, 'node_modules/.bin/tsc');
await Promise.all([
  bundle(PROGRAM, options.out),
  buildConsole(join(options.out, 'console')),
  promisify(execFile)(compiler, ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', options.out]),
]);

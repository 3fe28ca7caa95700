/**
 * Puts the engine into the Python package, `clients/python/graphdb/_engine`:
 *
 *   dist/           the engine and the command line as `npm run build` makes them, without the server, with the libraries that they import
 *   node_modules/   the libraries that they require by name when they need them, each as one file
 *
 * So a wheel needs nothing of npm where it is installed.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundle, ENGINE_THREADS } from './bundle.ts';

const ROOT = join(import.meta.dirname, '..');
const ENGINE = join(ROOT, 'clients', 'python', 'graphdb', '_engine');
const { name, version, dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

await rm(ENGINE, { recursive: true, force: true });
await bundle(['stdio/main', 'cli/main', 'import/threads/import-thread-entry', ...ENGINE_THREADS], join(ENGINE, 'dist'), { isWhole: true });
await writeFile(join(ENGINE, 'package.json'), `${JSON.stringify({ name, version, type: 'module', private: true })}\n`);
for (const required of await requiredPackages()) await bundlePackage(required);

async function requiredPackages(): Promise<string[]> {
  const files = await readdir(join(ENGINE, 'dist'), { recursive: true });
  const texts = await Promise.all(files.filter((file) => file.endsWith('.js')).map((file) => readFile(join(ENGINE, 'dist', file), 'utf8')));
  return Object.keys(dependencies).filter((each) => texts.some((text) => text.includes(`(import.meta.url)("${each}")`)));
}

async function bundlePackage(required: string): Promise<void> {
  const folder = join(ENGINE, 'node_modules', required);
  await build({
    stdin: { contents: `module.exports = require(${JSON.stringify(required)});`, resolveDir: ROOT },
    outfile: join(folder, 'index.cjs'),
    bundle: true,
    legalComments: 'eof',
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'error',
  });
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ name: required, main: './index.cjs' })}\n`);
}

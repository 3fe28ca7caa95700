/**
 * The engine with all that it needs of npm, for where nothing is installed:
 *
 *   package.json    the name and the version
 *   dist/           the parts as `npm run build` makes them, with the libraries that they import
 *   node_modules/   the libraries that they require by name when they need them, each as one file
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundle } from './bundle.ts';

const ROOT = join(import.meta.dirname, '..');

/** Replaces the folder. `parts`: as for `bundle`. */
export async function bundleWhole(parts: readonly string[], folder: string): Promise<void> {
  const { name, version, dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  await rm(folder, { recursive: true, force: true });
  await bundle(parts, join(folder, 'dist'), { isWhole: true });
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ name, version, type: 'module', private: true })}\n`);
  for (const required of await requiredPackages(folder, Object.keys(dependencies))) await bundlePackage(folder, required);
}

async function requiredPackages(folder: string, dependencies: readonly string[]): Promise<string[]> {
  const files = await readdir(join(folder, 'dist'), { recursive: true });
  const texts = await Promise.all(files.filter((file) => file.endsWith('.js')).map((file) => readFile(join(folder, 'dist', file), 'utf8')));
  return dependencies.filter((each) => texts.some((text) => text.includes(`(import.meta.url)("${each}")`)));
}

async function bundlePackage(into: string, required: string): Promise<void> {
  const folder = join(into, 'node_modules', required);
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

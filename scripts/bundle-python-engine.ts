/**
 * Puts the engine into the Python package, `clients/python/graphdb/_engine`:
 *
 *   dist/           the engine and the command line as `npm run build` makes them, without the server
 *   node_modules/   each library that they import, bundled into one file with all that it needs
 *
 * So a wheel needs nothing of npm where it is installed.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundle, ENGINE_THREADS } from './bundle.ts';

const ROOT = join(import.meta.dirname, '..');
const ENGINE = join(ROOT, 'clients', 'python', 'graphdb', '_engine');

await rm(ENGINE, { recursive: true, force: true });
await bundle(['stdio/main', 'cli/main', 'import/threads/import-thread-entry', ...ENGINE_THREADS], join(ENGINE, 'dist'));
await writeFile(join(ENGINE, 'package.json'), '{ "type": "module", "private": true }\n');
const packages = await neededPackages();
for (const name of packages) await bundlePackage(name);
console.log(`the engine of the Python package: ${packages.join(', ')}`);

/** Those of the whole product that the engine asks for by name, at its start or later. */
async function neededPackages(): Promise<string[]> {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  const files = await readdir(join(ENGINE, 'dist'), { recursive: true });
  const texts = await Promise.all(files.filter((file) => file.endsWith('.js')).map((file) => readFile(join(ENGINE, 'dist', file), 'utf8')));
  return Object.keys(dependencies).filter((name) => texts.some((text) => text.includes(`("${name}")`) || text.includes(` from "${name}"`)));
}

async function bundlePackage(name: string): Promise<void> {
  const folder = join(ENGINE, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  await build({
    stdin: { contents: await reexport(name), resolveDir: ROOT },
    outfile: join(folder, 'index.js'),
    bundle: true,
    minify: true,
    keepNames: true,
    legalComments: 'eof',
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // A library written for CommonJS asks for Node's own modules by require.
    banner: { js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ name, type: 'module', exports: './index.js' })}\n`);
}

/** Names one by one: of a CommonJS module a bundle would know the default alone. */
async function reexport(name: string): Promise<string> {
  const names = Object.keys((await import(name)) as object).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default');
  const hasDefault = 'default' in ((await import(name)) as object);
  const named = `export { ${names.join(', ')} } from ${JSON.stringify(name)};`;
  return hasDefault ? `${named}\nexport { default } from ${JSON.stringify(name)};` : named;
}

/**
 * Puts the engine into the Python package, `clients/python/graphdb/_engine`:
 *
 *   dist/           the compiled sources that src/stdio/main.ts can reach, file by file, since threads start at files of their own
 *   node_modules/   each library that they import, bundled into one file with all that it needs
 *
 * So a wheel needs nothing of npm where it is installed.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const ENGINE = join(ROOT, 'clients', 'python', 'graphdb', '_engine');
const DIST = join(ENGINE, 'dist');
/** Layers that stand above src/stdio, or beside it. */
const UNREACHABLE = ['http', 'bolt', 'server', 'cli', 'library', 'index.js'];

await rm(ENGINE, { recursive: true, force: true });
await compile();
const packages = await importedPackages();
for (const name of packages) await bundlePackage(name);
console.log(`the engine of the Python package: ${packages.join(', ')}`);

async function compile(): Promise<void> {
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json'));
  const { bin } = JSON.parse(await readFile(compiler, 'utf8')) as { bin: { tsc: string } };
  const options = ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', DIST, '--declaration', 'false'];
  await promisify(execFile)(process.execPath, [join(dirname(compiler), bin.tsc), ...options]);
  await Promise.all(UNREACHABLE.map((layer) => rm(join(DIST, layer), { recursive: true, force: true })));
  await writeFile(join(ENGINE, 'package.json'), '{ "type": "module", "private": true }\n');
}

/** What the compiled files import that is neither theirs nor Node's. */
async function importedPackages(): Promise<string[]> {
  const found = new Set<string>();
  for (const entry of await readdir(DIST, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    for (const match of text.matchAll(/\b(?:from\s*|import\s*\(?\s*)['"]([^'".][^'"\s]*)['"]/g))
      if (!isBuiltin(match[1]!)) found.add(match[1]!);
  }
  return [...found].filter(isInstalled).sort();
}

/** The expression above finds words in comments and texts, too. */
function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
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

/**
 * The program as few files of JavaScript: each of its parts that is started or imported by name keeps its place,
 * `src/server/main.ts` becomes `server/main.js`; all code that they share, or load when they need it, is in `chunks/`.
 * Node takes about 0.7 ms for a module, whatever is in it, and the engine has 470: one file each, they took half a
 * second at every start.
 *
 * Libraries that package.json lists as dependencies are not among it. The clients of cloud stores are: installed, they
 * took 70 MB, of which the program uses 3; what they are licensed by lies beside. No name is shortened: stack traces
 * and what classes are called stay as in the sources.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src');

/** Threads of the engine begin at files of their own: see src/base/program-files.ts. */
export const ENGINE_THREADS = [
  'engine/workers/read-worker',
  'engine/planning/planner-thread',
  'storage/threads/file-thread-entry',
  'algorithms/threads/algorithm-thread',
] as const;
export const PROGRAM = [
  'index',
  'cli/main',
  'server/main',
  'stdio/main',
  'server/watchdog/watchdog-thread',
  'import/threads/import-thread-entry',
  ...ENGINE_THREADS,
] as const;

/** `parts`: below `src`, without their ending. `isWhole`: with all libraries in it. */
export async function bundle(parts: readonly string[], folder: string, { isWhole = false } = {}): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  const { metafile } = await build({
    entryPoints: parts.map((part) => join(SOURCES, `${part}.ts`)),
    outbase: SOURCES,
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    external: isWhole ? [] : Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
    // A library written for CommonJS asks for Node's own modules by require.
    banner: { js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);" },
    metafile: true,
    absWorkingDir: ROOT,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), await licensesOf(Object.keys(metafile.inputs)));
}

/** The licences of the packages that the files are of. */
async function licensesOf(files: readonly string[]): Promise<string> {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []));
  const texts = await Promise.all(
    [...folders].sort().map(async (folder) => {
      const place = join(ROOT, folder);
      const { name, version, license } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as Record<string, unknown>;
      const file = (await readdir(place)).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
      const text = file === undefined ? '' : `\n${(await readFile(join(place, file), 'utf8')).trim()}\n`;
      return `${name} ${version} (${JSON.stringify(license)})\n${text}`;
    }),
  );
  return texts.join(`\n${'-'.repeat(80)}\n`);
}

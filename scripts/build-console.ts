/**
 * `npm run build:console`: the console (`console/`) as a page, one script, one style sheet, and the worker with the
 * parser, in `dist/console`. The parser is that of `src/cypher`; what of the layers above it touches Node is not used
 * in a browser, and is left out.
 */
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'console');

/** Modules of Node, and libraries of the server, are empty here; modules of ours are left out where nothing of them is used. */
const forBrowser: Plugin = {
  name: 'for-browser',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^(node:|pino$)/ }, ({ path }) => ({ path, namespace: 'absent', sideEffects: false }));
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {}', loader: 'js' }));
    onResolve({ filter: /\.ts$/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === 'resolved') return undefined;
      const resolved = await resolve(path, { importer, resolveDir, kind, pluginData: 'resolved' });
      return kind === 'entry-point' ? resolved : { ...resolved, sideEffects: false };
    });
  },
};

export async function buildConsole(folder = join(ROOT, 'dist/console')): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const shared = {
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: folder,
    legalComments: 'none',
    logLevel: 'warning',
  } as const;
  await Promise.all([
    build({ ...shared, entryPoints: [join(SOURCES, 'main.tsx')], jsx: 'automatic', jsxImportSource: 'preact' }),
    build({ ...shared, entryPoints: [join(SOURCES, 'language-worker.ts')], plugins: [forBrowser] }),
    copyFile(join(SOURCES, 'index.html'), join(folder, 'index.html')),
  ]);
}

if (import.meta.main) await buildConsole();

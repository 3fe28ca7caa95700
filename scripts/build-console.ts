/**
 * `npm run build:console`: the console (`console/`) as a page, one script, one style sheet, and the workers of the parser and of the
 * layout, in `dist/console`. The parser is that of `src/cypher`; what of the layers above it touches Node is not used in a browser,
 * and is left out. esbuild puts each script together; terser, which takes longer, makes it 3 % smaller. Where the variable
 * MINIFIED_SCRIPTS names a folder, what terser has given is kept there for later builds.
 */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { type MinifyOptions, minify } from 'terser';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'console');

/**
 * Modules of Node, and libraries of the server, are empty here; modules of ours are left out where nothing of them is used. Of a
 * module of function facts that is used, so are the constants of which nothing is: calls at its top make values and do nothing else.
 */
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
    onLoad({ filter: /\/src\/functions\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/^((?:export )?const [^=\n]*= )(?=\w+[<(])/gm, '$1/* @__PURE__ */ '),
      loader: 'ts',
    }));
  },
};

/** The editor has no language of CodeMirror's: see console/plain-language.ts. */
const PLAIN_LANGUAGE = join(SOURCES, 'plain-language.ts');
const PAGE: BuildOptions = {
  entryPoints: [join(SOURCES, 'main.tsx')],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  alias: { '@codemirror/language': PLAIN_LANGUAGE, '@lezer/common': PLAIN_LANGUAGE },
};
const WORKERS: readonly BuildOptions[] = [
  { entryPoints: [join(SOURCES, 'language-worker.ts')], plugins: [forBrowser] },
  { entryPoints: [join(SOURCES, 'layout-worker.ts')] },
];
const SMALLER: MinifyOptions = { module: true, ecma: 2020, compress: { passes: 2 } };

export async function buildConsole(folder = join(ROOT, 'dist/console')): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all([
    ...[PAGE, ...WORKERS].map((options) => buildPart(folder, options)),
    copyFile(join(SOURCES, 'index.html'), join(folder, 'index.html')),
  ]);
}

async function buildPart(folder: string, options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({
    ...options,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    outdir: folder,
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) await writeFile(path, path.endsWith('.js') ? await minified(text) : text);
}

async function minified(script: string): Promise<string> {
  const folder = process.env['MINIFIED_SCRIPTS'];
  if (folder === undefined) return minifiedAnew(script);
  const kept = join(folder, `${createHash('sha256').update(JSON.stringify(SMALLER)).update(script).digest('hex')}.js`);
  const known = await readFile(kept, 'utf8').catch(() => undefined);
  if (known !== undefined) return known;
  const code = await minifiedAnew(script);
  await mkdir(folder, { recursive: true });
  // Another process that builds the console never reads half a script.
  await writeFile(`${kept}-${process.pid}`, code);
  await rename(`${kept}-${process.pid}`, kept);
  return code;
}

async function minifiedAnew(script: string): Promise<string> {
  // A clone: terser writes defaults into what it is given.
  const { code } = await minify(script, structuredClone(SMALLER));
  if (code === undefined) throw new Error('terser gave no script');
  return code;
}

if (import.meta.main) await buildConsole();

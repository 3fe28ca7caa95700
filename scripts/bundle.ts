/**
 * The program as few files of JavaScript: each of its parts that is started or imported by name keeps its place, `src/server/main.ts` becomes `server/main.js`; all code that they
 * share, or load when they need it, is in `chunks/`. Node takes about 0.7 ms for a module, whatever is in it, and the engine has 470: one file each, they took half a second at every start.
 *
 * Libraries are not among it, and no name is shortened: stack traces and what classes are called stay as in the sources.
 */
import { join } from 'node:path';
import { build } from 'esbuild';

const SOURCES = join(import.meta.dirname, '../src');

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

/** `parts`: below `src`, without their ending. */
export async function bundle(parts: readonly string[], folder: string): Promise<void> {
  await build({
    entryPoints: parts.map((part) => join(SOURCES, `${part}.ts`)),
    outbase: SOURCES,
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node24',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
}

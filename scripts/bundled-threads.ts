/**
 * A module that `npm test` has Node load first in each process and thread of the tests: threads of the engine begin at
 * the files of the package that was bundled, not at the sources. The code is the same; a thread that plans or reads
 * starts with 0.15 s of the processor instead of 0.38.
 */
import { registerHooks } from 'node:module';

const SOURCES = new URL('../src/', import.meta.url).href;
const BUNDLED = new URL('../node_modules/.cache/package/dist/', import.meta.url).href;
/** The entry points of threads, below `src` without their ending; scripts/bundle.ts bundles them. */
const ENTRIES: ReadonlySet<string> = new Set([
  'engine/workers/read-worker',
  'engine/planning/planner-thread',
  'storage/threads/file-thread-entry',
  'algorithms/threads/algorithm-thread',
  'import/threads/import-thread-entry',
  'server/watchdog/watchdog-thread',
]);

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith(SOURCES)) return next(specifier, context);
    const part = specifier.slice(SOURCES.length).replace(/\.ts$/, '');
    return ENTRIES.has(part) ? { url: `${BUNDLED}${part}.js`, format: 'module', shortCircuit: true } : next(specifier, context);
  },
});

/**
 * Files of this program that are started and not imported: the entry points of threads. In a checkout they are in
 * folders of `src`. In a build they are in the same folders of `dist`, while all other code is in chunks one folder
 * below `dist` (scripts/bundle.ts). So the folder above this module is the root in both.
 */
const ROOT = new URL('../', import.meta.url);
const ENDING = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/** Returns the URL of a file of the program. `path` is relative to `src`, without the ending. */
export function programFile(path: string): URL {
  return new URL(path + ENDING, ROOT);
}

/** The folder of the web console, `dist/console`, in a checkout and in a build. `npm ci` builds it in a checkout. */
export const CONSOLE_FOLDER = new URL(ENDING === '.ts' ? '../dist/console/' : 'console/', ROOT);

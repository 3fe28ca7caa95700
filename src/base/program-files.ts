/**
 * Files of this program that are started and not imported: threads begin at files of their own. As sources they lie in
 * folders of `src`; built, in the same folders of `dist`, whose other code is in chunks, all of them one folder below
 * `dist` (scripts/bundle.ts). So one step up from here is the root of all that runs, in both.
 */
const ROOT = new URL('../', import.meta.url);
const ENDING = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

/** `path`: from `src`, without its ending. */
export function programFile(path: string): URL {
  return new URL(path + ENDING, ROOT);
}

/** The folder of the console: `dist/console`, from wherever the program runs. `npm ci` builds it in a checkout. */
export const CONSOLE_FOLDER = new URL(ENDING === '.ts' ? '../dist/console/' : 'console/', ROOT);

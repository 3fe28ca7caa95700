/**
 * A module that Node loads first in processes and threads whose sources are to have a mistake: the file of the mistake
 * that PLANTED_MISTAKE holds, as JSON, changes as it is loaded. All other modules come from the cache of compiled modules.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Mistake, withMistake } from './planted.ts';

// as: planted.ts writes it
const mistake = JSON.parse(process.env['PLANTED_MISTAKE']!) as Mistake;
const changed = pathToFileURL(join(import.meta.dirname, '../..', mistake.file)).href;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url !== changed) return loaded;
    return { ...loaded, source: withMistake(String(loaded.source), mistake) };
  },
});

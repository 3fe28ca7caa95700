/** Stemmers of the Snowball project, by the names that it gives its algorithms. */
import { createRequire } from 'node:module';
import type snowballStemmers from 'snowball-stemmers';
import { LRUCache } from '../../base/index.ts';
import type { TokenFilter } from './filters.ts';

/** How many words are kept with their stems: words repeat, and a stem takes some microseconds to find. */
const WORDS_KEPT = 20_000;

/** Returns the filter that stems terms by an algorithm. */
export function stem(algorithm: string): TokenFilter {
  // Most processes never need it; by `require`, since this function cannot wait for an import.
  const snowball = createRequire(import.meta.url)('snowball-stemmers') as typeof snowballStemmers;
  const stemmer = snowball.newStemmer(algorithm);
  const known = new LRUCache<string, string>(WORDS_KEPT);
  const stemOf = (word: string): string => {
    let found = known.get(word);
    if (found === undefined) {
      found = stemmer.stem(word);
      known.set(word, found);
    }
    return found;
  };
  return (tokens) => {
    tokens.replace(stemOf);
    return tokens;
  };
}

/** `=~`: the whole string matches. RE2 syntax, in time linear in the text: no pattern of a user can hang the process. */

import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { LRUCache } from '../../base/index.ts';
import { argumentFault, type Value } from '../../value/index.ts';

/** A longer one is refused: it is compiled in one piece, in some 2 µs a character, and takes some 200 bytes for each. */
const MOST_CHARACTERS = 32_768;
/** Longer ones are kept apart, few of them. */
const LONG_PATTERN = 1_024;

const compiled = new LRUCache<string, RE2JS>(256);
const longCompiled = new LRUCache<string, RE2JS>(4);
let library: typeof import('re2js') | undefined;

/** Null unless both are strings. */
export function matchesRegularExpression(text: Value, pattern: Value): Value {
  if (typeof text !== 'string' || typeof pattern !== 'string') return null;
  return compileRegularExpression(pattern).matches(text);
}

/** @throws ARGUMENT_ERROR where the pattern cannot be read, or is too long */
export function compileRegularExpression(pattern: string): RE2JS {
  const cache = pattern.length > LONG_PATTERN ? longCompiled : compiled;
  let expression = cache.get(pattern);
  if (expression === undefined) {
    if (pattern.length > MOST_CHARACTERS)
      throw argumentFault(`the regular expression has ${pattern.length} characters: at most ${MOST_CHARACTERS} are allowed`);
    try {
      expression = loadLibrary().RE2JS.compile(pattern);
    } catch (cause) {
      throw argumentFault(`the regular expression cannot be read: ${(cause as Error).message}`, 'InvalidArgumentValue', cause);
    }
    cache.set(pattern, expression);
  }
  return expression;
}

/** A sixth of all code, which most processes never need. By `require`, since nobody can wait here. */
function loadLibrary(): typeof import('re2js') {
  library ??= createRequire(import.meta.url)('re2js') as typeof import('re2js');
  return library;
}

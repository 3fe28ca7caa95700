/** `=~`, which matches whole strings. Patterns have RE2 syntax and take time linear in the text, so none can block the process. */

import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { LRUCache } from '../../base/index.ts';
import { argumentFault, type Value } from '../../value/index.ts';

/** The most characters of a pattern: compiling takes about 2 µs and 200 bytes per character, and cannot be interrupted. */
const MOST_CHARACTERS = 32_768;
/** Patterns with more characters than this have a cache of their own, with few entries. */
const LONG_PATTERN = 1_024;
/** Instructions of a pattern that are tried on a character in the time of one step. */
const INSTRUCTIONS_PER_STEP = 8;
/** More steps than may ever pass between two checks of the clock. */
const MOST_STEPS = 2 ** 24;

const compiled = new LRUCache<string, RE2JS>(256);
const longCompiled = new LRUCache<string, RE2JS>(4);
let library: typeof import('re2js') | undefined;

/** Counts steps of work before they are done. */
interface Counter {
  count(steps: number): void;
}

/** Tells whether the whole text matches the pattern, after its work was counted; null unless both are Strings. */
export function matchesRegularExpression(limits: Counter, text: Value, pattern: Value): Value {
  if (typeof text !== 'string' || typeof pattern !== 'string') return null;
  limits.count(pattern.length);
  const expression = compileRegularExpression(pattern);
  limits.count(searchSteps(expression, text.length));
  return expression.matches(text);
}

/** Returns the steps of one search in a text, for each of whose characters each instruction of the pattern may be tried. */
export function searchSteps(expression: RE2JS, length: number): number {
  return Math.min(Math.ceil((length * expression.programSize()) / INSTRUCTIONS_PER_STEP), MOST_STEPS);
}

/** Compiles a pattern, or returns it from the cache. @throws ARGUMENT_ERROR if it is invalid, or too long */
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

/** Loads the library on first use: it is a sixth of all code, and most processes never need it. `require` is synchronous. */
function loadLibrary(): typeof import('re2js') {
  library ??= createRequire(import.meta.url)('re2js') as typeof import('re2js');
  return library;
}

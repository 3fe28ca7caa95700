/** `=~`, which matches whole strings. Patterns have RE2 syntax and take time linear in the text, so none can block the process. */

import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { LRUCache } from '../../base/index.ts';
import { argumentFault, type Value } from '../../value/index.ts';

/** The most characters of a pattern: compiling takes about 2 µs and 200 bytes per character, and cannot be interrupted. */
const MOST_CHARACTERS = 32_768;
/** Patterns of more instructions than this have a cache of their own, with few entries: counts such as {1000} multiply a pattern. */
const LONG_PATTERN = 4_096;
/** Steps for an instruction that is compiled. */
const STEPS_PER_INSTRUCTION = 8;
/** Instructions of a pattern that are tried on a character in the time of one step. */
const INSTRUCTIONS_PER_STEP = 8;
/** More steps than may ever pass between two checks of the clock. */
const MOST_STEPS = 2 ** 24;

/** Patterns that are remembered: each keeps some megabytes of states once it has been matched with enough texts. */
const REMEMBERED = 64;
const REMEMBERED_LONG = 2;

const compiled = new LRUCache<string, RE2JS>(REMEMBERED);
const longCompiled = new LRUCache<string, RE2JS>(REMEMBERED_LONG);
let library: typeof import('re2js') | undefined;

/** Counts steps of work before they are done. */
interface Counter {
  count(steps: number): void;
}

/** Tells whether the whole text matches the pattern, after its work was counted; null unless both are Strings. */
export function matchesRegularExpression(limits: Counter, text: Value, pattern: Value): Value {
  if (typeof text !== 'string' || typeof pattern !== 'string') return null;
  const expression = compileRegularExpression(pattern, limits);
  limits.count(searchSteps(expression, text.length));
  return expression.matches(text);
}

/** Returns the steps of one search in a text, for each of whose characters each instruction of the pattern may be tried. */
export function searchSteps(expression: RE2JS, length: number): number {
  return Math.min(Math.ceil((length * expression.programSize()) / INSTRUCTIONS_PER_STEP), MOST_STEPS);
}

/** Compiles a pattern, or returns it from the cache, and counts the work of it. @throws ARGUMENT_ERROR if it is invalid, or too long */
export function compileRegularExpression(pattern: string, limits: Counter): RE2JS {
  limits.count(pattern.length);
  let expression = compiled.get(pattern) ?? longCompiled.get(pattern);
  if (expression === undefined) {
    if (pattern.length > MOST_CHARACTERS)
      throw argumentFault(`the regular expression has ${pattern.length} characters: at most ${MOST_CHARACTERS} are allowed`);
    try {
      expression = loadLibrary().RE2JS.compile(pattern);
    } catch (cause) {
      throw argumentFault(`the regular expression cannot be read: ${(cause as Error).message}`, 'InvalidArgumentValue', cause);
    }
    const instructions = expression.programSize();
    (instructions > LONG_PATTERN ? longCompiled : compiled).set(pattern, expression);
    limits.count(instructions * STEPS_PER_INSTRUCTION);
  }
  return expression;
}

/** Loads the library on first use: it is a sixth of all code, and most processes never need it. `require` is synchronous. */
function loadLibrary(): typeof import('re2js') {
  library ??= createRequire(import.meta.url)('re2js') as typeof import('re2js');
  return library;
}

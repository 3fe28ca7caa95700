/** `apoc.text.*`, and the digests of `apoc.util.*`. */
import { createHash } from 'node:crypto';
import type { FunctionName, textFacts } from '../../../../functions/index.ts';
import { argumentFault, assertListLength, codePointLength, displayText, makeFloat, type Value } from '../../../../value/index.ts';
import { integerArgument, listArgument, stringArgument, wrongArgument } from '../../arguments.ts';
import type { Allowed, Evaluate, Implementations } from '../../definition.ts';
import { regexGroups, replace, split } from './patterns.ts';

const CHARACTERS_PER_STEP = 8;
const SPACE = 0x20;

/** Makes a function of one text. */
function ofText(name: FunctionName, change: (text: string) => string): Evaluate<unknown> {
  return (_, text) => change(stringArgument(name, text));
}

// ---------------------------------------------------------------- letters

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const decapitalize = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

function camelCase(text: string): string {
  let joined = '';
  for (const word of text.match(/[\p{L}0-9]+/gu) ?? []) joined += capitalize(word.toLowerCase());
  return decapitalize(joined);
}

const SPELLED: Readonly<Record<string, string>> = { Ä: 'Ae', Ü: 'Ue', Ö: 'Oe', ä: 'ae', ü: 'ue', ö: 'oe', ß: 'ss' };

function clean(text: string): string {
  const spelled = text.replace(/[ÄÜÖäüöß]/g, (letter) => SPELLED[letter]!);
  return spelled
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

function compareCleaned(text1: Value, text2: Value): boolean {
  if (text1 === null || text2 === null) return false;
  const name = 'apoc.text.compareCleaned';
  return clean(stringArgument(name, text1)) === clean(stringArgument(name, text2));
}

/** Removes spaces and control characters from both ends of a text. A regular expression would take quadratic time. */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) <= SPACE) from++;
  while (to > from && text.charCodeAt(to - 1) <= SPACE) to--;
  return text.slice(from, to);
}

const NO_WORD = /[^\p{L}0-9_]+/gu;

function slug(context: Allowed, text: Value, delimiter: Value): string {
  const name = 'apoc.text.slug';
  const between = stringArgument(name, delimiter);
  const original = trimmed(stringArgument(name, text));
  if (between.length > 1) {
    let times = 0;
    for (const _ of original.matchAll(NO_WORD)) times++;
    holdText(context, name, between.length * times);
  }
  return original.replace(NO_WORD, () => between);
}

/** Encodes a text for a URL; half of a surrogate pair becomes the replacement character. */
function urlencode(text: string): string {
  const code = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()~]/g, code)
    .replaceAll('%20', '+');
}

function urldecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw argumentFault('apoc.text.urldecode() expects text that is encoded for a URL', 'InvalidArgumentValue', cause);
  }
}

// ---------------------------------------------------------------- lengths

/** Returns the text, and what must be added to it for its length. Lengths count code points, so that no character is cut in half. */
function pad(
  { allowance }: Allowed,
  name: FunctionName,
  [text, count, delimiter]: readonly [Value, Value, Value],
): readonly [string, string] {
  const original = stringArgument(name, text);
  const [filling] = stringArgument(name, delimiter);
  if (filling === undefined) throw argumentFault(`${name}() expects a delimiter that is not empty`);
  const times = Math.max(0, Number(integerArgument(name, count)) - codePointLength(original));
  holdText({ allowance }, name, filling.length * times);
  return [original, filling.repeat(times)];
}

function holdText({ allowance }: Allowed, name: FunctionName, length: number): void {
  assertListLength(length, `${name}()`);
  allowance.count(Math.ceil(length / CHARACTERS_PER_STEP));
  allowance.hold(length);
}

function repeat(context: Allowed, item: Value, count: Value): string {
  const name = 'apoc.text.repeat';
  const text = stringArgument(name, item);
  const times = Number(integerArgument(name, count));
  if (times < 0) throw argumentFault(`${name}() expects no negative number, but got ${times}`, 'NumberOutOfRange');
  holdText(context, name, text.length * times);
  return text.repeat(times);
}

function indexOf(text: Value, lookup: Value, from: Value, to: Value): Value {
  const name = 'apoc.text.indexOf';
  if (text === null) return null;
  if (lookup === null) return -1;
  const original = stringArgument(name, text);
  const start = Number(integerArgument(name, from));
  const end = Number(integerArgument(name, to));
  const part = stringArgument(name, lookup);
  if (end === -1 || end > original.length) return original.indexOf(part, start);
  return end <= start ? -1 : original.slice(0, end).indexOf(part, start);
}

function join(context: Allowed, texts: Value, delimiter: Value): string {
  const name = 'apoc.text.join';
  const between = stringArgument(name, delimiter);
  const parts = listArgument(name, texts).map((text) => (text === null ? 'null' : stringArgument(name, text)));
  holdText(context, name, between.length * parts.length);
  return parts.join(between);
}

// ---------------------------------------------------------------- distances

/**
 * Computes the edit distance, keeping one row of the table at a time, which is as long as the shorter text. A text of
 * megabytes against a word thus takes linear work, and no extra memory.
 */
function levenshtein({ allowance }: Allowed, name: FunctionName, one: Value, other: Value): number {
  const texts = [stringArgument(name, one), stringArgument(name, other)] as const;
  const [short, long] = texts[0].length < texts[1].length ? texts : [texts[1], texts[0]];
  const distances = new Uint32Array(short.length + 1);
  for (let j = 1; j <= short.length; j++) distances[j] = j;
  for (let i = 1; i <= long.length; i++) {
    allowance.count(Math.ceil(short.length / CHARACTERS_PER_STEP));
    const character = long.charCodeAt(i - 1);
    let diagonal = distances[0]!;
    distances[0] = i;
    for (let j = 1; j <= short.length; j++) {
      const above = distances[j]!;
      const substituted = character === short.charCodeAt(j - 1) ? diagonal : diagonal + 1;
      distances[j] = Math.min(substituted, above + 1, distances[j - 1]! + 1);
      diagonal = above;
    }
  }
  return distances[short.length]!;
}

function similarity(context: Allowed, one: Value, other: Value): Value {
  const name = 'apoc.text.levenshteinSimilarity';
  const longer = Math.max(stringArgument(name, one).length, stringArgument(name, other).length);
  return makeFloat(longer === 0 ? 1 : (longer - levenshtein(context, name, one, other)) / longer);
}

// ---------------------------------------------------------------- digests

function digest(name: FunctionName, algorithm: string): Evaluate<unknown> {
  return (_, values) => {
    const hash = createHash(algorithm);
    for (const value of listArgument(name, values)) {
      if (value === null || typeof value === 'object') throw wrongArgument(name, 'a List of Strings, Integers and Booleans', value);
      hash.update(displayText(value));
    }
    return hash.digest('hex');
  };
}

/** The functions `apoc.text.*` and digests. */
export const textFunctions: Implementations<typeof textFacts> = {
  'apoc.text.base64Decode': ofText('apoc.text.base64Decode', (text) => Buffer.from(text, 'base64').toString()),
  'apoc.text.base64Encode': ofText('apoc.text.base64Encode', (text) => Buffer.from(text).toString('base64')),
  'apoc.text.camelCase': ofText('apoc.text.camelCase', camelCase),
  'apoc.text.capitalize': ofText('apoc.text.capitalize', capitalize),
  'apoc.text.clean': ofText('apoc.text.clean', clean),
  'apoc.text.compareCleaned': (_, text1, text2) => compareCleaned(text1, text2),
  'apoc.text.decapitalize': ofText('apoc.text.decapitalize', decapitalize),
  'apoc.text.distance': (context, one, other) => levenshtein(context, 'apoc.text.distance', one, other),
  'apoc.text.indexOf': (_, text, lookup, from = 0, to = -1) => indexOf(text, lookup, from, to),
  'apoc.text.join': (context, texts, delimiter) => join(context, texts, delimiter),
  'apoc.text.levenshteinDistance': (context, one, other) => levenshtein(context, 'apoc.text.levenshteinDistance', one, other),
  'apoc.text.levenshteinSimilarity': similarity,
  'apoc.text.lpad': (context, text, count, delimiter = ' ') =>
    pad(context, 'apoc.text.lpad', [text, count, delimiter]).toReversed().join(''),
  'apoc.text.regexGroups': { pieces: regexGroups },
  'apoc.text.repeat': repeat,
  'apoc.text.replace': { pieces: replace },
  'apoc.text.rpad': (context, text, count, delimiter = ' ') => pad(context, 'apoc.text.rpad', [text, count, delimiter]).join(''),
  'apoc.text.slug': (context, text, delimiter = '-') => slug(context, text, delimiter),
  'apoc.text.split': { pieces: (context, text, regex, limit = 0) => split(context, text, regex, limit) },
  'apoc.text.upperCamelCase': ofText('apoc.text.upperCamelCase', (text) => capitalize(camelCase(text))),
  'apoc.text.urldecode': ofText('apoc.text.urldecode', urldecode),
  'apoc.text.urlencode': ofText('apoc.text.urlencode', urlencode),
  'apoc.util.md5': digest('apoc.util.md5', 'md5'),
  'apoc.util.sha1': digest('apoc.util.sha1', 'sha1'),
  'apoc.util.sha256': digest('apoc.util.sha256', 'sha256'),
  'apoc.util.sha384': digest('apoc.util.sha384', 'sha384'),
  'apoc.util.sha512': digest('apoc.util.sha512', 'sha512'),
};

/**
 * String functions. Positions and lengths count code points, not UTF-16 units. A position or length of null is an
 * error, as in Neo4j, unless the text is null too.
 */
import type { FunctionName, stringFacts } from '../../functions/index.ts';
import { argumentFault, assertListLength, codePointLength, quoted, type Value } from '../../value/index.ts';
import { lengthArgument, stringArgument, wrongArgument } from './arguments.ts';
import type { Allowed, Evaluate, Implementations } from './definition.ts';

/** Results up to this many bytes are made without counting steps and holding memory. */
const LONG = 4096;
const CHARACTERS_PER_STEP = 8;
/** More steps than may ever pass between two checks of the clock. */
const MOST_STEPS = 2 ** 24;
/** Bytes for a part of a text: its place in a list, and a text that points into the whole. */
const BYTES_PER_PART = 40;
/** UTF-16 units that are reversed or taken apart at a time: an array of all characters would take eight times the memory of the text. */
const PIECE = 4096;

/** Returns the part from one code point to another (exclusive). */
function codePointSlice(text: string, from: number, to: number): string {
  if (codePointLength(text) === text.length) return text.slice(from, to);
  const start = unitOf(text, 0, from);
  return text.slice(start, unitOf(text, start, to - from));
}

/** Returns the index of the UTF-16 unit that is `points` code points after `from`. */
function unitOf(text: string, from: number, points: number): number {
  let at = from;
  for (let left = points; left > 0 && at < text.length; left--) at += widthAt(text, at);
  return at;
}

/** Returns the UTF-16 units of the code point at a position: 2 for a surrogate pair, else 1. */
function widthAt(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

/** Returns the UTF-16 units of the code point that ends at a position. */
function widthBefore(text: string, end: number): number {
  return end > 1 ? (widthAt(text, end - 2) === 2 ? 2 : 1) : 1;
}

function left(text: Value, length: Value): Value {
  return codePointSlice(stringArgument('left', text), 0, lengthArgument('left', length));
}

function right(text: Value, length: Value): Value {
  const original = stringArgument('right', text);
  const total = codePointLength(original);
  return codePointSlice(original, Math.max(0, total - lengthArgument('right', length)), total);
}

function substring(text: Value, start: Value, length: Value | undefined): Value {
  const original = stringArgument('substring', text);
  const from = lengthArgument('substring', start);
  return codePointSlice(original, from, length === undefined ? original.length : from + lengthArgument('substring', length));
}

type Side = 'both' | 'start' | 'end';

/** Removes characters, by default white space, from one or both ends of a text. */
function trimmed(name: FunctionName, side: Side, text: Value, characters: Value | undefined): string {
  const original = stringArgument(name, text);
  if (characters !== undefined) return trimCharacters(original, side, new Set(stringArgument(name, characters)));
  return side === 'both' ? original.trim() : side === 'start' ? original.trimStart() : original.trimEnd();
}

function trimCharacters(text: string, side: Side, characters: ReadonlySet<string>): string {
  let from = 0;
  let to = text.length;
  if (side !== 'end') {
    for (let width = widthAt(text, 0); from < to && characters.has(text.slice(from, from + width)); width = widthAt(text, from))
      from += width;
  }
  if (side !== 'start') {
    for (let width = widthBefore(text, to); to > from && characters.has(text.slice(to - width, to)); width = widthBefore(text, to))
      to -= width;
  }
  return text.slice(from, to);
}

function trimFunction(name: FunctionName, side: Side): Evaluate<unknown> {
  return (_, text, characters) => trimmed(name, side, text, characters);
}

function replace({ allowance }: Allowed, text: Value, search: Value, replacement: Value): Value {
  const original = stringArgument('replace', text);
  const found = stringArgument('replace', search);
  const instead = stringArgument('replace', replacement);
  const times = found === '' ? original.length + 1 : instead.length > found.length ? occurrences(original, found) : 0;
  const bytes = times * instead.length;
  if (bytes > LONG) {
    allowance.count(Math.min(bytes / CHARACTERS_PER_STEP, MOST_STEPS));
    allowance.hold(bytes);
  }
  if (found === '') return between(original, instead);
  return original.replaceAll(found, () => instead);
}

/** Puts a text before each code point, and at the end. */
function between(original: string, instead: string): string {
  const pieces: string[] = [];
  for (let from = 0; from < original.length; ) {
    const to = endOfPiece(original, from);
    pieces.push(Array.from(original.slice(from, to), (point) => instead + point).join(''));
    from = to;
  }
  return pieces.join('') + instead;
}

/** Returns the end of a piece of a text, which divides no surrogate pair. */
function endOfPiece(text: string, from: number): number {
  const end = Math.min(text.length, from + PIECE);
  return end < text.length && widthAt(text, end - 1) === 2 ? end + 1 : end;
}

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/** Splits by one delimiter or several; an empty one splits into code points. An empty text gives one empty part, as in Neo4j. */
function split({ allowance }: Allowed, text: Value, delimiter: Value): Value {
  const original = stringArgument('split', text);
  const delimiters = Array.isArray(delimiter)
    ? delimiter.map((each) => stringArgument('split', each))
    : [stringArgument('split', delimiter)];
  if (original === '') return [''];
  const isByPoints = delimiters.includes('');
  const shortest = Math.min(...delimiters.map((each) => each.length));
  const parts = isByPoints
    ? original.length
    : delimiters.length === 1
      ? occurrences(original, delimiters[0]!) + 1
      : original.length / shortest;
  assertListLength(parts, 'split()');
  if (parts * BYTES_PER_PART > LONG) {
    allowance.count(parts);
    allowance.hold(parts * BYTES_PER_PART);
  }
  if (isByPoints) return Array.from(original).filter((point) => !delimiters.includes(point));
  if (delimiters.length === 1) return original.split(delimiters[0] as string);
  const pattern = delimiters
    .sort((a, b) => b.length - a.length)
    .map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('|');
  return delimiters.length === 0 ? [original] : original.split(new RegExp(pattern, 'u'));
}

const NORMAL_FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'];

function normalize(text: Value, form: Value | undefined): Value {
  const name = form === undefined ? 'NFC' : stringArgument('normalize', form).toUpperCase();
  if (!NORMAL_FORMS.includes(name)) throw argumentFault(`normalize() knows the forms ${NORMAL_FORMS.join(', ')}, not ${quoted(name)}`);
  return stringArgument('normalize', text).normalize(name);
}

/** Makes a function from one string to a value. */
function ofText(name: FunctionName, compute: (text: string) => Value): Evaluate<unknown> {
  return (_, text: Value) => compute(stringArgument(name, text));
}

function reverse(input: Value): Value {
  if (Array.isArray(input)) return input.toReversed();
  if (typeof input !== 'string') throw wrongArgument('reverse', 'a String or a List', input);
  if (input.length <= PIECE) return reversed(input);
  const pieces: string[] = [];
  for (let end = input.length; end > 0; ) {
    let start = Math.max(0, end - PIECE);
    // The units of a surrogate pair stay together.
    if (start > 0 && widthAt(input, start - 1) === 2) start--;
    pieces.push(reversed(input.slice(start, end)));
    end = start;
  }
  return pieces.join('');
}

function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}

const toUpper = (text: string): string => text.toUpperCase();
const toLower = (text: string): string => text.toLowerCase();

/** The functions on strings. */
export const stringFunctions: Implementations<typeof stringFacts> = {
  left: (_, text, length) => (text === null ? null : left(text, length)),
  right: (_, text, length) => (text === null ? null : right(text, length)),
  substring: (_, text, start, length) => (text === null ? null : substring(text, start, length)),
  trim: trimFunction('trim', 'both'),
  btrim: trimFunction('btrim', 'both'),
  ltrim: trimFunction('ltrim', 'start'),
  rtrim: trimFunction('rtrim', 'end'),
  replace,
  split,
  reverse: (_, input) => reverse(input),
  toUpper: ofText('toUpper', toUpper),
  upper: ofText('upper', toUpper),
  toLower: ofText('toLower', toLower),
  lower: ofText('lower', toLower),
  char_length: ofText('char_length', codePointLength),
  character_length: ofText('character_length', codePointLength),
  normalize: (_, text, form) => normalize(text, form),
};

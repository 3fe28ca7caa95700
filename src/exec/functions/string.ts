/** String functions. Positions and lengths count code points, not UTF-16 units; null for one is a fault, as in Neo4j, unless the text is null too. */
import type { FunctionName, stringFacts } from '../../functions/index.ts';
import { argumentFault, assertListLength, codePointLength, quoted, type Value } from '../../value/index.ts';
import { lengthArgument, stringArgument, wrongArgument } from './arguments.ts';
import type { Evaluate, Implementations } from './definition.ts';

/** The part from one code point to another (exclusive). */
function codePointSlice(text: string, from: number, to: number): string {
  if (codePointLength(text) === text.length) return text.slice(from, to);
  return Array.from(text).slice(from, to).join('');
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

/** Without characters: white space. */
function trimmed(name: FunctionName, side: Side, text: Value, characters: Value | undefined): string {
  const original = stringArgument(name, text);
  if (characters !== undefined) return trimCharacters(original, side, new Set(stringArgument(name, characters)));
  return side === 'both' ? original.trim() : side === 'start' ? original.trimStart() : original.trimEnd();
}

function trimCharacters(text: string, side: Side, characters: ReadonlySet<string>): string {
  const points = Array.from(text);
  let from = 0;
  let to = points.length;
  if (side !== 'end') while (from < to && characters.has(points[from] as string)) from++;
  if (side !== 'start') while (to > from && characters.has(points[to - 1] as string)) to--;
  return points.slice(from, to).join('');
}

function trimFunction(name: FunctionName, side: Side): Evaluate<unknown> {
  return (_, text, characters) => trimmed(name, side, text, characters);
}

function replace(text: Value, search: Value, replacement: Value): Value {
  const original = stringArgument('replace', text);
  const found = stringArgument('replace', search);
  const instead = stringArgument('replace', replacement);
  if (found === '') return [...Array.from(original, (point) => instead + point), instead].join('');
  return original.replaceAll(found, () => instead);
}

/** One delimiter or several; an empty one splits into code points. What is empty is one empty part, as Neo4j has it. */
function split(text: Value, delimiter: Value): Value {
  const original = stringArgument('split', text);
  const delimiters = Array.isArray(delimiter)
    ? delimiter.map((each) => stringArgument('split', each))
    : [stringArgument('split', delimiter)];
  if (original === '') return [''];
  // So many are possible, and to count them first would cost as much.
  assertListLength(original.length, 'split()');
  if (delimiters.includes('')) return Array.from(original).filter((point) => !delimiters.includes(point));
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

/** A function from one string to a value. */
function ofText(name: FunctionName, compute: (text: string) => Value): Evaluate<unknown> {
  return (_, text: Value) => compute(stringArgument(name, text));
}

function reverse(input: Value): Value {
  if (Array.isArray(input)) return input.toReversed();
  if (typeof input !== 'string') throw wrongArgument('reverse', 'a String or a List', input);
  return Array.from(input).reverse().join('');
}

const toUpper = (text: string): string => text.toUpperCase();
const toLower = (text: string): string => text.toLowerCase();

export const stringFunctions: Implementations<typeof stringFacts> = {
  left: (_, text, length) => (text === null ? null : left(text, length)),
  right: (_, text, length) => (text === null ? null : right(text, length)),
  substring: (_, text, start, length) => (text === null ? null : substring(text, start, length)),
  trim: trimFunction('trim', 'both'),
  btrim: trimFunction('btrim', 'both'),
  ltrim: trimFunction('ltrim', 'start'),
  rtrim: trimFunction('rtrim', 'end'),
  replace: (_, text, search, replacement) => replace(text, search, replacement),
  split: (_, text, delimiter) => split(text, delimiter),
  reverse: (_, input) => reverse(input),
  toUpper: ofText('toUpper', toUpper),
  upper: ofText('upper', toUpper),
  toLower: ofText('toLower', toLower),
  lower: ofText('lower', toLower),
  char_length: ofText('char_length', codePointLength),
  character_length: ofText('character_length', codePointLength),
  normalize: (_, text, form) => normalize(text, form),
};

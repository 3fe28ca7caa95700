/** String functions. Positions and lengths count code points, not UTF-16 units; null for one is a fault, as in Neo4j, unless the text is null too. */
import { argumentFault, assertListLength, codePointLength, quoted, type Value } from '../../value/index.ts';
import { lengthArgument, stringArgument, wrongArgument } from './arguments.ts';
import { define, optional, parameter } from './define.ts';
import type { FunctionDefinition, TypeHint } from './definition.ts';

const TEXT = parameter('original', 'String');

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
function trimmed(name: string, side: Side, text: Value, characters: Value | undefined): string {
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

function trimFunction(name: string, side: Side, description: string): FunctionDefinition {
  return define({
    name,
    parameters: [TEXT, optional('characters', 'String')],
    returns: 'String',
    category: 'String',
    description,
    evaluate: (_, text, characters) => trimmed(name, side, text, characters),
  });
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
function ofText(name: string, description: string, returns: TypeHint, compute: (text: string) => Value): FunctionDefinition {
  const evaluate = (_: unknown, text: Value): Value => compute(stringArgument(name, text));
  return define({ name, parameters: [TEXT], returns, category: 'String', description, evaluate });
}

function reverse(input: Value): Value {
  if (Array.isArray(input)) return input.toReversed();
  if (typeof input !== 'string') throw wrongArgument('reverse', 'a String or a List', input);
  return Array.from(input).reverse().join('');
}

const toUpper = (text: string): string => text.toUpperCase();
const toLower = (text: string): string => text.toLowerCase();

export const stringFunctions: readonly FunctionDefinition[] = [
  define({
    name: 'left',
    parameters: [TEXT, parameter('length', 'Integer')],
    returns: 'String',
    category: 'String',
    description: 'The first so many characters.',
    takesNulls: true,
    evaluate: (_, text, length) => (text === null ? null : left(text, length)),
  }),
  define({
    name: 'right',
    parameters: [TEXT, parameter('length', 'Integer')],
    returns: 'String',
    category: 'String',
    description: 'The last so many characters.',
    takesNulls: true,
    evaluate: (_, text, length) => (text === null ? null : right(text, length)),
  }),
  define({
    name: 'substring',
    parameters: [TEXT, parameter('start', 'Integer'), optional('length', 'Integer')],
    returns: 'String',
    category: 'String',
    description: 'The characters from a position on (the first is 0), up to a length.',
    takesNulls: true,
    evaluate: (_, text, start, length) => (text === null ? null : substring(text, start, length)),
  }),
  trimFunction('trim', 'both', 'Without white space, or the given characters, at both ends.'),
  trimFunction('btrim', 'both', 'Without white space, or the given characters, at both ends.'),
  trimFunction('ltrim', 'start', 'Without white space, or the given characters, at the start.'),
  trimFunction('rtrim', 'end', 'Without white space, or the given characters, at the end.'),
  define({
    name: 'replace',
    parameters: [TEXT, parameter('search', 'String'), parameter('replacement', 'String')],
    returns: 'String',
    category: 'String',
    description: 'With every occurrence of the search text replaced.',
    evaluate: (_, text, search, replacement) => replace(text, search, replacement),
  }),
  define({
    name: 'split',
    parameters: [TEXT, parameter('delimiter', 'String', 'List')],
    returns: 'List',
    category: 'String',
    description: 'The parts between the delimiters.',
    evaluate: (_, text, delimiter) => split(text, delimiter),
  }),
  define({
    name: 'reverse',
    parameters: [parameter('input', 'String', 'List')],
    returns: 'Any',
    category: 'List',
    description: 'The characters or elements in reverse order.',
    evaluate: (_, input) => reverse(input),
  }),
  ofText('toUpper', 'In upper case.', 'String', toUpper),
  ofText('upper', 'In upper case.', 'String', toUpper),
  ofText('toLower', 'In lower case.', 'String', toLower),
  ofText('lower', 'In lower case.', 'String', toLower),
  ofText('char_length', 'The number of characters.', 'Integer', codePointLength),
  ofText('character_length', 'The number of characters.', 'Integer', codePointLength),
  define({
    name: 'normalize',
    parameters: [TEXT, optional('form', 'String')],
    returns: 'String',
    category: 'String',
    description: 'In a Unicode normal form: NFC (the default), NFD, NFKC or NFKD.',
    evaluate: (_, text, form) => normalize(text, form),
  }),
];

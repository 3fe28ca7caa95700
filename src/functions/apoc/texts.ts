/**
 * Facts of `apoc.text.*` and the digests of `apoc.util.*`. Positions in a text count UTF-16 units, as in APOC; the
 * lengths of padded texts count code points, as those of `size`.
 */
import type { FunctionTable } from '../facts.ts';
import { optional, parameter } from '../parameters.ts';
import { propagating, takingNulls } from './rows.ts';

const row = takingNulls('String');
const strict = propagating('String');
const text = parameter('text', 'String');
const text1 = parameter('text1', 'String');
const text2 = parameter('text2', 'String');
const regex = parameter('regex', 'String');
const count = parameter('count', 'Integer');
const delimiter = optional('delimiter', 'String');
const values = parameter('values', 'List');
const ofText = { linearIn: ['text'] } as const;
const ofBoth = { linearIn: ['text1', 'text2'] } as const;
const ofPattern = { linearIn: ['text', 'regex'] } as const;
const ofValues = { deepIn: ['values'] } as const;

/** The facts of `apoc.text.*` and digests. */
export const textFacts = {
  'apoc.text.base64Decode': strict([text], 'String', ofText, 'The text that was encoded by Base64.'),
  'apoc.text.base64Encode': strict([text], 'String', ofText, 'The text encoded by Base64.'),
  'apoc.text.camelCase': strict([text], 'String', ofText, 'The words of the text in camelCase.'),
  'apoc.text.capitalize': strict([text], 'String', ofText, 'The text with its first letter in upper case.'),
  'apoc.text.clean': strict([text], 'String', ofText, 'The letters and digits of the text in lower case, without accents.'),
  'apoc.text.compareCleaned': row([text1, text2], 'Boolean', ofBoth, 'Whether two texts are the same once they are cleaned.'),
  'apoc.text.decapitalize': strict([text], 'String', ofText, 'The text with its first letter in lower case.'),
  'apoc.text.distance': strict([text1, text2], 'Integer', ofBoth, 'The Levenshtein distance of two texts.'),
  'apoc.text.indexOf': row(
    [text, parameter('lookup', 'String'), optional('from', 'Integer'), optional('to', 'Integer')],
    'Integer',
    { linearIn: ['text', 'lookup'] },
    'The first place of a text in another one between two places, -1 for none.',
  ),
  'apoc.text.join': strict(
    [parameter('texts', 'List'), parameter('delimiter', 'String')],
    'String',
    { productOf: ['texts', 'delimiter'] },
    'The texts of the list with the delimiter between them.',
  ),
  'apoc.text.levenshteinDistance': strict([text1, text2], 'Integer', ofBoth, 'The Levenshtein distance of two texts.'),
  'apoc.text.levenshteinSimilarity': strict([text1, text2], 'Float', ofBoth, 'How similar two texts are, from 0 to 1, by their distance.'),
  'apoc.text.lpad': strict(
    [text, count, delimiter],
    'String',
    ofText,
    'The text with spaces, or the delimiter, before it, up to a length.',
  ),
  'apoc.text.regexGroups': row([text, regex], 'List', ofPattern, 'For each match of a pattern, the match and its groups.'),
  'apoc.text.repeat': strict([parameter('item', 'String'), count], 'String', 'answer', 'The text so many times.'),
  'apoc.text.replace': strict(
    [text, regex, parameter('replacement', 'String')],
    'String',
    ofPattern,
    'The text with each match of a pattern replaced; $1 is the first group of the match.',
  ),
  'apoc.text.rpad': strict([text, count, delimiter], 'String', ofText, 'The text with spaces, or the delimiter, after it, up to a length.'),
  'apoc.text.slug': strict([text, delimiter], 'String', ofText, 'The words of the text with a hyphen, or the delimiter, between them.'),
  'apoc.text.split': strict(
    [text, regex, optional('limit', 'Integer')],
    'List',
    ofPattern,
    'The parts between matches of a pattern; at most so many if a limit above 0 is given.',
  ),
  'apoc.text.upperCamelCase': strict([text], 'String', ofText, 'The words of the text in UpperCamelCase.'),
  'apoc.text.urldecode': strict([text], 'String', ofText, 'The text that was encoded for a URL.'),
  'apoc.text.urlencode': strict([text], 'String', ofText, 'The text encoded for a URL.'),
  'apoc.util.md5': strict(
    [values],
    'String',
    ofValues,
    'The MD5 digest of the values as texts one after the other, in hexadecimal digits.',
  ),
  'apoc.util.sha1': strict([values], 'String', ofValues, 'The SHA-1 digest of the values as texts one after the other.'),
  'apoc.util.sha256': strict([values], 'String', ofValues, 'The SHA-256 digest of the values as texts one after the other.'),
  'apoc.util.sha384': strict([values], 'String', ofValues, 'The SHA-384 digest of the values as texts one after the other.'),
  'apoc.util.sha512': strict([values], 'String', ofValues, 'The SHA-512 digest of the values as texts one after the other.'),
} as const satisfies FunctionTable;

/**
 * The rules by which CSV is split into rows and fields; all readers share them:
 * - A field that begins with the quote ends with the next quote that is not doubled. It may contain delimiters, line
 *   ends and doubled quotes. A quote elsewhere is text.
 * - LF, CRLF and CR end a line, for LOAD CSV as for an import, since Neo4j reads both with one reader that does so. A
 *   line without any text is no row.
 * - A field without quotes and without text is no value, and two quotes are the empty string.
 * - Text after a closing quote, and a quote that is not closed, make the row malformed.
 *
 * The delimiter and the quote are options, and so is whether rows may differ in length (see CsvScanner).
 */
import { GraphDBError } from '../../base/index.ts';

/** The delimiter and the quote of CSV. */
export interface CsvDialect {
  /** The delimiter, one character in UTF-8. */
  readonly delimiter: Uint8Array;
  /** The quote, an ASCII character. */
  readonly quote: number;
}

/** The dialect of an import. */
export interface ImportDialect extends CsvDialect {
  /** The delimiter between the elements of a list and between labels, an ASCII character. */
  readonly arrayDelimiter: number;
}

const QUOTE = 34;
const NAMED = new Map([
  ['TAB', '\t'],
  ['\\t', '\t'],
]);

/** Matches a character that numbers, Booleans and the identifiers of nodes consist of, which an export writes without quotes. */
const UNQUOTED_CHARACTER = /^[A-Za-z0-9.+-]$/;

/** The rule that `mayDelimit` checks, for messages. */
export const DELIMITER_RULE = 'must not be a letter, a digit, a point or a sign, which stand within values';

/** Tells whether a character may stand between the fields of exports and imports. */
export function mayDelimit(character: string): boolean {
  return !UNQUOTED_CHARACTER.test(character);
}

/** Returns the dialect of LOAD CSV. The delimiter must be one character that is neither a quote nor a line end. */
export function dialectOf(delimiter: string): CsvDialect {
  return { delimiter: Buffer.from(delimiter), quote: QUOTE };
}

/** Parses the settings of an import. @throws ARGUMENT_ERROR, which names the setting */
export function parseDialect(settings: { delimiter?: string; arrayDelimiter?: string; quote?: string }): ImportDialect {
  const delimiter = parseCharacter(settings.delimiter ?? ',', 'the delimiter');
  if (!mayDelimit(delimiter))
    throw new GraphDBError('ARGUMENT_ERROR', `the delimiter ${DELIMITER_RULE}, but is ${JSON.stringify(delimiter)}`);
  const arrayDelimiter = parseAscii(settings.arrayDelimiter ?? ';', 'the array delimiter');
  const quote = parseAscii(settings.quote ?? '"', 'the quote');
  if (new Set([delimiter, arrayDelimiter, quote]).size < 3) {
    throw new GraphDBError('ARGUMENT_ERROR', 'delimiter, array delimiter and quote must be three different characters');
  }
  return { delimiter: Buffer.from(delimiter), arrayDelimiter: arrayDelimiter.charCodeAt(0), quote: quote.charCodeAt(0) };
}

function parseAscii(text: string, what: string): string {
  const character = parseCharacter(text, what);
  if (character > '\x7f') throw new GraphDBError('ARGUMENT_ERROR', `${what} must be an ASCII character, but is ${JSON.stringify(text)}`);
  return character;
}

function parseCharacter(text: string, what: string): string {
  const character = NAMED.get(text) ?? text;
  const isOne = [...character].length === 1 && character.isWellFormed();
  if (!isOne || ['\0', '\n', '\r'].includes(character)) {
    throw new GraphDBError('ARGUMENT_ERROR', `${what} must be one character, \\t or TAB, but is ${JSON.stringify(text)}`);
  }
  return character;
}

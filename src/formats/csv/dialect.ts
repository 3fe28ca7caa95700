/** The three bytes that a CSV dialect is made of. */
import { GraphDBError } from '../../base/index.ts';

export interface CsvDialect {
  readonly delimiter: number;
  /** Between the elements of a list and between labels. */
  readonly arrayDelimiter: number;
  readonly quote: number;
}

export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;

const NAMED = new Map([
  ['TAB', '\t'],
  ['\\t', '\t'],
]);

/** ARGUMENT_ERROR names the setting. */
export function parseDialect(settings: { delimiter?: string; arrayDelimiter?: string; quote?: string }): CsvDialect {
  const dialect: CsvDialect = {
    delimiter: parseByte(settings.delimiter ?? ',', 'the delimiter'),
    arrayDelimiter: parseByte(settings.arrayDelimiter ?? ';', 'the array delimiter'),
    quote: parseByte(settings.quote ?? '"', 'the quote'),
  };
  if (new Set(Object.values(dialect)).size < 3) {
    throw new GraphDBError('ARGUMENT_ERROR', 'delimiter, array delimiter and quote must be three different characters');
  }
  return dialect;
}

function parseByte(text: string, what: string): number {
  const character = NAMED.get(text) ?? text;
  const byte = character.charCodeAt(0);
  if (character.length !== 1 || byte > 0x7f || byte === 0 || byte === LINE_FEED || byte === CARRIAGE_RETURN) {
    throw new GraphDBError('ARGUMENT_ERROR', `${what} must be one ASCII character, \\t or TAB, but is ${JSON.stringify(text)}`);
  }
  return byte;
}

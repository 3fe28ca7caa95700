/** Where a piece of CSV can be cut so that its rows stay whole; by the rules of the scanner, and some times faster. */
import { type CsvDialect, LINE_FEED } from './dialect.ts';

/** The end of the last complete row; `from`, where a row begins, when there is none. */
export function lastRowEnd(bytes: Buffer, from: number, to: number, { delimiter, quote }: CsvDialect): number {
  const firstQuote = bytes.subarray(from, to).indexOf(quote);
  if (firstQuote < 0) return from + bytes.subarray(from, to).lastIndexOf(LINE_FEED) + 1;
  let end = from;
  let isFieldStart = true;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === LINE_FEED) {
      end = at + 1;
      isFieldStart = true;
    } else if (byte === delimiter) isFieldStart = true;
    else if (byte === quote && isFieldStart) {
      at = closingQuote(bytes, at, to, quote);
      isFieldStart = false;
    } else isFieldStart = false;
  }
  return end;
}

/** `to`: it is not there. */
function closingQuote(bytes: Buffer, open: number, to: number, quote: number): number {
  let at = open + 1;
  for (; at < to; at++) {
    if (bytes[at] !== quote) continue;
    if (bytes[at + 1] !== quote) break;
    at++;
  }
  return at;
}

/** The position at which a piece of CSV can be cut so that rows stay whole, by the rules of the scanner, and some times faster. */
import { holdsBytesAt } from '../../base/index.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../source/text-lines.ts';
import type { CsvDialect } from './dialect.ts';

/** Returns the position after the last complete row; `from`, where a row must begin, if there is none. */
export function lastRowEnd(bytes: Buffer, from: number, to: number, { delimiter, quote }: CsvDialect): number {
  const text = bytes.subarray(from, to);
  if (!text.includes(quote)) return from + lastLineEnd(text);
  const [firstOfDelimiter] = delimiter;
  const width = delimiter.length;
  let end = from;
  let isFieldStart = true;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === LINE_FEED || (byte === CARRIAGE_RETURN && at + 1 < to && bytes[at + 1] !== LINE_FEED)) {
      end = at + 1;
      isFieldStart = true;
    } else if (byte === firstOfDelimiter && (width === 1 || holdsBytesAt(bytes, at, delimiter))) {
      at += width - 1;
      isFieldStart = true;
    } else if (byte === quote && isFieldStart) {
      at = closingQuote(bytes, at, to, quote);
      isFieldStart = false;
    } else isFieldStart = false;
  }
  return end;
}

/** Returns the position after the last line end of text without quotes. A carriage return as the last byte may belong to a CRLF. */
function lastLineEnd(text: Buffer): number {
  const end = text.lastIndexOf(LINE_FEED) + 1;
  return end + text.subarray(end, Math.max(end, text.length - 1)).lastIndexOf(CARRIAGE_RETURN) + 1;
}

/** Returns the position of the closing quote; `to` if there is none. */
function closingQuote(bytes: Buffer, open: number, to: number, quote: number): number {
  let at = open + 1;
  for (; at < to; at++) {
    if (bytes[at] !== quote) continue;
    if (bytes[at + 1] !== quote) break;
    at++;
  }
  return at;
}

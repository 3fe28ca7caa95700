/**
 * Writes fields of CSV (RFC 4180) that csv-scanner.ts reads back. An empty field without quotes is no value. The empty
 * string is quoted, and so is text that begins or ends with a blank or a control character, begins with a byte order
 * mark, or contains a delimiter, a quote or a line end.
 */
import { holdsBytesAt } from '../../base/index.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../source/text-lines.ts';
import type { TextBuffer } from '../text-buffer.ts';

const QUOTE = 34;
const SPACE = 32;
/** The byte order mark, which readers skip at the beginning of a file. */
const MARK = 0xfeff;
const MARK_BYTES = Buffer.from([0xef, 0xbb, 0xbf]);

/** Returns the field that holds a text, quoted if necessary. */
export function csvField(text: string, delimiter: string): string {
  const first = text.charCodeAt(0);
  const isPlain =
    first > SPACE && first !== MARK && text.charCodeAt(text.length - 1) > SPACE && !text.includes(delimiter) && !/["\r\n]/.test(text);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

/** Writes the field that holds the UTF-8 text `bytes[from] … bytes[to - 1]`, without making a string. `delimiter` is a byte. */
export function writeCsvField(out: TextBuffer, delimiter: number, bytes: Uint8Array, from: number, to: number): void {
  let quotes = 0;
  let special = from === to || bytes[from]! <= SPACE || bytes[to - 1]! <= SPACE || holdsBytesAt(bytes, from, MARK_BYTES);
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) quotes++;
    else if (byte === delimiter || byte === LINE_FEED || byte === CARRIAGE_RETURN) special = true;
  }
  if (quotes === 0 && !special) return out.raw(bytes, from, to);
  out.reserve(to - from + quotes + 2);
  const target = out.bytes;
  let end = out.length;
  target[end++] = QUOTE;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) target[end++] = QUOTE;
    target[end++] = byte;
  }
  target[end++] = QUOTE;
  out.length = end;
}

/**
 * Writes fields of CSV (RFC 4180). A field without quotes and without text is no value; the empty string is quoted, and so is text that begins or ends with a blank, or
 * holds what separates fields and rows. The readers beside this module take it back.
 */
import type { TextBuffer } from '../text-buffer.ts';

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;

/** The field that holds the text, quoted where it must be. */
export function csvField(text: string, delimiter: string): string {
  return text === '' || text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes the field that holds the UTF-8 text `bytes[from] … bytes[to - 1]`, without making a string of it. `delimiter`: its byte. */
export function writeCsvField(out: TextBuffer, delimiter: number, bytes: Uint8Array, from: number, to: number): void {
  let quotes = 0;
  let special = from === to || bytes[from]! <= SPACE || bytes[to - 1]! <= SPACE;
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

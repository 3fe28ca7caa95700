/** Writes strings of JSON from UTF-8. */
import type { TextBuffer } from '../text-buffer.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;

/**
 * Writes `bytes[from] … bytes[to - 1]` as a string of JSON: UTF-8 stands there as it is, but for quotes, backslashes
 * and control characters.
 */
export function writeJsonString(out: TextBuffer, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) continue;
    return out.text(JSON.stringify(Buffer.from(bytes.subarray(from, to)).toString('utf8')));
  }
  out.byte(QUOTE);
  out.raw(bytes, from, to);
  out.byte(QUOTE);
}

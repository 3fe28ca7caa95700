/** JSON strings from UTF-8 bytes. */
import type { TextBuffer } from '../text-buffer.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;

/**
 * Writes `bytes[from] … bytes[to - 1]` as a JSON string. UTF-8 is copied, except for quotes, backslashes and control
 * characters, which are escaped.
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

/** Strings by code point: their order, which is that of their UTF-8 bytes, and the check that refuses lone surrogates. */
import { argumentFault } from './faults.ts';

/**
 * Compares by code points: negative, zero or positive as `a` sorts before, with or after `b`. The order by UTF-16 units
 * differs only where one string has a surrogate and the other a unit in U+E000 … U+FFFF.
 */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? byCodePoint(x) - byCodePoint(y) : x - y;
  }
  return a.length - b.length;
}

/** Maps a UTF-16 unit that is a surrogate or greater to a number, so that surrogates sort above all other units. */
function byCodePoint(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** Checks that UTF-8 can encode a text; `what` names it in the message (`the parameter "name"`). @throws ARGUMENT_ERROR */
export function assertWellFormed(text: string, what = 'a string'): void {
  if (!text.isWellFormed()) throw argumentFault(`${what} holds half of a surrogate pair, which no Unicode text may`);
}

/** Returns the number of code points of a string, which is what `size()` and `substring()` count. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) length--;
  }
  return length;
}

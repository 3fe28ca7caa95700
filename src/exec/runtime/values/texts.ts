/** Compares strings of a UTF-8 column without decoding them. */

/** Returns a text as UTF-8. */
export function utf8Of(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** Tells whether the bytes right before `end` are the wanted ones. Compares backwards, because names differ more at their ends. */
export function sameBytesBefore(heap: Uint8Array, end: number, wanted: Uint8Array): boolean {
  for (let i = 1; i <= wanted.length; i++) if (heap[end - i] !== wanted[wanted.length - i]) return false;
  return true;
}

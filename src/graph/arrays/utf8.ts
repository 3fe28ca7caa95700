/** UTF-8 text in shared bytes: decoding, comparing, hashing. */

interface Utf8Slicer {
  utf8Slice(start: number, end: number): string;
}

/** Up to this many bytes, decoding in a loop is faster than a call out of JavaScript. */
const SHORT_TEXT_BYTES = 8;
const utf8Slice = (Buffer.prototype as unknown as Utf8Slicer).utf8Slice;

/** Decodes the UTF-8 bytes from `start` to below `end`. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= SHORT_TEXT_BYTES) {
    let text = '';
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte > 0x7f) break;
      text += String.fromCharCode(byte);
    }
    if (at === end) return text;
  }
  return utf8Slice.call(bytes as unknown as Utf8Slicer, start, end);
}

/** Scratch bytes of at most this size are kept for later texts; larger ones serve a single text. */
const KEPT_BYTES = 1 << 20;
const SMALLEST_BYTES = 256;

/** Encodes a text into reusable bytes, to store it in a heap or to look it up. */
export class Utf8Scratch {
  bytes: Buffer = Buffer.allocUnsafeSlow(SMALLEST_BYTES);
  length = 0;

  encode(text: string): void {
    this.#makeRoom(text);
    const bytes = this.bytes;
    const length = text.length;
    if (length <= 32) {
      let at = 0;
      for (; at < length; at++) {
        const unit = text.charCodeAt(at);
        if (unit > 0x7f) break;
        bytes[at] = unit;
      }
      if (at === length) {
        this.length = length;
        return;
      }
    }
    this.length = bytes.write(text, 0, 'utf8');
  }

  #makeRoom(text: string): void {
    const most = text.length * 3;
    const { length } = this.bytes;
    if (most <= length && length <= KEPT_BYTES) return;
    this.bytes = Buffer.allocUnsafeSlow(
      most > KEPT_BYTES ? Buffer.byteLength(text) : Math.min(KEPT_BYTES, Math.max(SMALLEST_BYTES, 2 * most)),
    );
  }

  hash(): number {
    return hashBytes(this.bytes, 0, this.length);
  }

  equals(bytes: Uint8Array, start: number, end: number): boolean {
    const length = this.length;
    if (end - start !== length) return false;
    const own = this.bytes;
    for (let i = 0; i < length; i++) if (own[i] !== bytes[start + i]) return false;
    return true;
  }
}

const SHORT_COPY_BYTES = 32;

/** Copies a range of bytes to position `at` of `to`; short ranges in a loop, which is faster than a view and a call. */
export function copyBytes(bytes: Uint8Array, range: { readonly from: number; readonly count: number }, to: Uint8Array, at: number): void {
  const { from, count } = range;
  if (count > SHORT_COPY_BYTES) to.set(bytes.subarray(from, from + count), at);
  else for (let i = 0; i < count; i++) to[at + i] = bytes[from + i] as number;
}

/** Returns an unsigned 32-bit hash of a range of bytes; reads four bytes a step, with the finalizer of MurmurHash3. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x9747b28c ^ (end - start);
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word =
      (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
    hash = Math.imul(hash ^ Math.imul(word, 0xcc9e2d51), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const scratch = new Utf8Scratch();

/** Returns `hashBytes` of the UTF-8 encoding of a string. */
export function hashText(text: string): number {
  scratch.encode(text);
  return scratch.hash();
}

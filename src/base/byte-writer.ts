/**
 * A growing buffer of bytes, with the primitive encodings that all binary formats of GraphDB share: little-endian fixed
 * widths, LEB128 varints, zigzag varints, UTF-8 text and byte strings behind their length. `ByteReader` reads them
 * back. Amortised O(1) per byte.
 */
import { assert } from './errors.ts';

const INITIAL_CAPACITY_BYTES = 256;
/** Up to this length a loop over ASCII characters is faster than a call into the UTF-8 encoder. */
const SHORT_TEXT_LENGTH = 48;

/** A growing buffer of bytes. */
export class ByteWriter {
  /** Bytes written so far; also the position of the next one. */
  length = 0;
  #buffer: Buffer;
  #view: DataView;

  constructor(capacityBytes: number = INITIAL_CAPACITY_BYTES) {
    this.#buffer = Buffer.allocUnsafe(Math.max(capacityBytes, 16));
    this.#view = viewOf(this.#buffer);
  }

  /** Forgets what was written and keeps the memory. */
  reset(): void {
    this.length = 0;
  }

  /** Discards everything from `length` on. */
  truncate(length: number): void {
    assert(length >= 0 && length <= this.length, 'truncate beyond what was written');
    this.length = length;
  }

  /** Returns a view of what was written, valid until the next write. */
  view(): Uint8Array {
    return this.#buffer.subarray(0, this.length);
  }

  /** Returns a copy of what was written, in memory of its own. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(this.length);
    copy.set(this.#buffer.subarray(0, this.length));
    return copy;
  }

  byte(value: number): void {
    if (this.length === this.#buffer.length) this.#grow(1);
    this.#buffer[this.length++] = value;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.length, value, true);
    this.length += 4;
  }

  /** Overwrites the four bytes at `position`, which must have been written: for a length or a checksum that is known only later. */
  setU32(position: number, value: number): void {
    assert(position >= 0 && position + 4 <= this.length, 'setU32 outside what was written');
    this.#view.setUint32(position, value, true);
  }

  i64(value: bigint): void {
    this.#reserve(8);
    this.#view.setBigInt64(this.length, value, true);
    this.length += 8;
  }

  f64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  f32(value: number): void {
    this.#reserve(4);
    this.#view.setFloat32(this.length, value, true);
    this.length += 4;
  }

  /** Writes a non-negative safe integer, 7 bits a byte, low bits first: 1 byte below 128, at most 8. */
  varint(value: number): void {
    this.#reserve(8);
    const buffer = this.#buffer;
    let at = this.length;
    while (value > 0x7fffffff) {
      buffer[at++] = (value % 128) | 0x80;
      value = Math.floor(value / 128);
    }
    while (value > 0x7f) {
      buffer[at++] = (value & 0x7f) | 0x80;
      value >>>= 7;
    }
    buffer[at++] = value;
    this.length = at;
  }

  /** Writes a safe integer of either sign, as the varint of 2x, or of -2x - 1 when negative: 1 byte for -64 … 63, at most 8. */
  zigzag(value: number): void {
    const sign = value < 0 ? 1 : 0;
    const magnitude = sign === 1 ? -value - 1 : value;
    if (magnitude < 64) {
      this.byte((magnitude << 1) | sign);
      return;
    }
    this.byte(((magnitude % 64) << 1) | sign | 0x80);
    this.varint(Math.floor(magnitude / 64));
  }

  /** Writes text as UTF-8 behind its length in bytes. The text must be well-formed UTF-16. */
  utf8(text: string): void {
    if (text.length <= SHORT_TEXT_LENGTH && this.shortAscii(text.length, text)) return;
    const byteLength = Buffer.byteLength(text);
    this.varint(byteLength);
    this.rawUtf8(text, byteLength);
  }

  /** Writes text as UTF-8 without its length. `byteLength` must be `Buffer.byteLength(text)`. */
  rawUtf8(text: string, byteLength: number = Buffer.byteLength(text)): void {
    this.#reserve(byteLength);
    this.#buffer.write(text, this.length, 'utf8');
    this.length += byteLength;
  }

  /** Writes bytes behind their length. */
  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** Writes bytes without their length. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /**
   * Writes one byte, `head`, and the text behind it. Returns false, and writes nothing, when the text is not ASCII.
   * Meant for short text, where a loop is faster than a call into the UTF-8 encoder.
   */
  shortAscii(head: number, text: string): boolean {
    const length = text.length;
    this.#reserve(length + 1);
    const buffer = this.#buffer;
    const at = this.length + 1;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return false;
      buffer[at + i] = unit;
    }
    buffer[at - 1] = head;
    this.length = at + length;
    return true;
  }

  #reserve(count: number): void {
    if (this.length + count > this.#buffer.length) this.#grow(count);
  }

  #grow(count: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.length + count));
    larger.set(this.#buffer.subarray(0, this.length));
    this.#buffer = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/**
 * Writes PackStream, the binary form of values in Bolt, into a growing buffer: each value with the shortest marker that
 * holds it. Big-endian.
 *
 * - C0 null · C2 false · C3 true · C1 float · 00–7F and F0–FF small integers, C8 CA CB CD… wider ones · 8x D0 D1 D2
 *   strings
 * - 9x D4 D5 D6 lists · Ax D8 D9 DA maps · CC CD CE bytes · Bx structures (a tag byte, then up to 15 fields)
 *
 * A list, map or structure is a header and as many items as it says, written by the caller. Amortised O(1) per byte.
 */
import { assert } from '../../base/index.ts';

const INITIAL_CAPACITY_BYTES = 1_024;
/** Up to this length a loop over ASCII characters is faster than a call into the UTF-8 encoder. */
const SHORT_TEXT_LENGTH = 40;

/** Long texts and long byte arrays are written in pieces of this many bytes; the writer can stop between two of them. */
const PIECE_BYTES = 32 * 1_024;

/** Writes values of PackStream. */
export class PackStreamWriter {
  /** Bytes written so far; also the position of the next one. */
  length = 0;
  #buffer = Buffer.allocUnsafeSlow(INITIAL_CAPACITY_BYTES);

  /** Forgets everything from `length` on. */
  truncate(length: number): void {
    assert(length >= 0 && length <= this.length, 'truncate beyond what was written');
    this.length = length;
  }

  /** Returns the bytes written, for the caller to keep; the writer goes on with memory of its own. */
  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.length);
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(INITIAL_CAPACITY_BYTES, Math.min(this.#buffer.length, 128 * 1_024)));
    this.length = 0;
    return taken;
  }

  null(): void {
    this.byte(0xc0);
  }

  boolean(value: boolean): void {
    this.byte(value ? 0xc3 : 0xc2);
  }

  float(value: number): void {
    this.#reserve(9);
    this.#buffer[this.length] = 0xc1;
    this.#buffer.writeDoubleBE(value, this.length + 1);
    this.length += 9;
  }

  /** Writes an integer of up to 64 bits, signed, in the shortest form. */
  integer(value: number | bigint): void {
    if (typeof value === 'bigint') return this.#int64(value);
    this.#reserve(9);
    const buffer = this.#buffer;
    const at = this.length;
    if (value >= -16 && value <= 127) {
      buffer[at] = value & 0xff;
      this.length = at + 1;
    } else if (value >= -128 && value <= 127) {
      buffer[at] = 0xc8;
      buffer[at + 1] = value & 0xff;
      this.length = at + 2;
    } else if (value >= -32_768 && value <= 32_767) {
      buffer[at] = 0xc9;
      buffer.writeInt16BE(value, at + 1);
      this.length = at + 3;
    } else if (value >= -2_147_483_648 && value <= 2_147_483_647) {
      buffer[at] = 0xca;
      buffer.writeInt32BE(value, at + 1);
      this.length = at + 5;
    } else {
      buffer[at] = 0xcb;
      buffer.writeInt32BE(Math.floor(value / 4_294_967_296), at + 1);
      buffer.writeUInt32BE(value - Math.floor(value / 4_294_967_296) * 4_294_967_296, at + 5);
      this.length = at + 9;
    }
  }

  string(text: string): void {
    if (text.length <= SHORT_TEXT_LENGTH && this.#shortAscii(text)) return;
    const byteLength = Buffer.byteLength(text);
    if (byteLength < 16) this.byte(0x80 | byteLength);
    else this.#sized(byteLength, 0xd0);
    this.#reserve(byteLength);
    this.#buffer.write(text, this.length, 'utf8');
    this.length += byteLength;
  }

  /** Writes text as `string` does, and yields after each piece, none of which ends within a surrogate pair. */
  *stringInParts(text: string): Generator<void, void, void> {
    this.#sized(Buffer.byteLength(text), 0xd0);
    for (let start = 0; start < text.length; ) {
      let end = start + PIECE_BYTES;
      if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
      const piece = Buffer.from(text.slice(start, end));
      this.#raw(piece);
      start = end;
      yield;
    }
  }

  bytes(bytes: Uint8Array): void {
    this.#sized(bytes.length, 0xcc);
    this.#raw(bytes);
  }

  /** Writes bytes as `bytes` does, and yields after each piece. */
  *bytesInParts(bytes: Uint8Array): Generator<void, void, void> {
    this.#sized(bytes.length, 0xcc);
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      this.#raw(bytes.subarray(start, start + PIECE_BYTES));
      yield;
    }
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  listHeader(count: number): void {
    if (count < 16) this.byte(0x90 | count);
    else this.#sized(count, 0xd4);
  }

  mapHeader(count: number): void {
    if (count < 16) this.byte(0xa0 | count);
    else this.#sized(count, 0xd8);
  }

  structureHeader(fields: number, tag: number): void {
    assert(fields < 16, 'a structure has at most 15 fields');
    this.#reserve(2);
    this.#buffer[this.length++] = 0xb0 | fields;
    this.#buffer[this.length++] = tag;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.length++] = value;
  }

  u16(value: number): void {
    this.#reserve(2);
    this.length = this.#buffer.writeUInt16BE(value, this.length);
  }

  setU16(position: number, value: number): void {
    this.#buffer.writeUInt16BE(value, position);
  }

  /** Copies `count` bytes within what was written, up to the present end. */
  move(from: number, to: number, count: number): void {
    this.#buffer.copyWithin(to, from, from + count);
  }

  /** Makes what was written longer by `count` bytes of any content. */
  extend(count: number): void {
    this.#reserve(count);
    this.length += count;
  }

  #int64(value: bigint): void {
    this.#reserve(9);
    this.#buffer[this.length] = 0xcb;
    this.#buffer.writeBigInt64BE(value, this.length + 1);
    this.length += 9;
  }

  /** Writes a length of 8, 16 or 32 bits behind one of three consecutive markers, of which `marker` is the first. */
  #sized(size: number, marker: number): void {
    this.#reserve(5);
    const buffer = this.#buffer;
    if (size < 0x100) {
      buffer[this.length++] = marker;
      buffer[this.length++] = size;
    } else if (size < 0x10000) {
      buffer[this.length++] = marker + 1;
      this.length = buffer.writeUInt16BE(size, this.length);
    } else {
      buffer[this.length++] = marker + 2;
      this.length = buffer.writeUInt32BE(size, this.length);
    }
  }

  /** Writes a short text and returns true; returns false, with nothing written, if the text is not ASCII. */
  #shortAscii(text: string): boolean {
    const { length } = text;
    this.#reserve(length + 2);
    const buffer = this.#buffer;
    const start = this.length + (length < 16 ? 1 : 2);
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return false;
      buffer[start + i] = unit;
    }
    if (length < 16) buffer[this.length] = 0x80 | length;
    else {
      buffer[this.length] = 0xd0;
      buffer[this.length + 1] = length;
    }
    this.length = start + length;
    return true;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.length + count));
    larger.set(this.#buffer.subarray(0, this.length));
    this.#buffer = larger;
  }
}

/** A growing buffer for keys: big-endian numbers and escaped text, so that the order of bytes is that of values. */
const FIRST_CAPACITY = 4_096;
/** Bytes below this one are escaped as two bytes, since zero ends a text. */
const FIRST_PLAIN = 2;

/** A growing buffer of keys. */
export class KeyBytes {
  bytes = new Uint8Array(FIRST_CAPACITY);
  length = 0;
  #view = new DataView(this.bytes.buffer);

  /** Returns a view of the bytes from `from` on, valid until the next write. */
  since(from: number): Uint8Array {
    return this.bytes.subarray(from, this.length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.bytes[this.length++] = value;
  }

  u16(value: number): void {
    this.#reserve(2);
    this.#view.setUint16(this.length, value);
    this.length += 2;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.length, value);
    this.length += 4;
  }

  /** Writes a safe integer of either sign, in 8 bytes. */
  integer(value: number): void {
    const high = Math.floor(value / 2 ** 32);
    this.u32((high + 2 ** 31) >>> 0);
    this.u32(value - high * 2 ** 32);
  }

  /** Writes an integer of less than 127 bits and a sign, in 16 bytes. */
  wide(value: bigint): void {
    const biased = value + (1n << 127n);
    for (let shift = 96n; shift >= 0n; shift -= 32n) this.u32(Number((biased >> shift) & 0xffff_ffffn));
  }

  /** Writes a double in 8 bytes, so that order is kept: −0 as 0, NaN behind all others. */
  float(value: number): void {
    this.#reserve(8);
    const view = this.#view;
    const at = this.length;
    view.setFloat64(at, value === 0 ? 0 : value);
    if (value !== value) {
      view.setUint32(at, 0xffff_ffff);
      view.setUint32(at + 4, 0xffff_ffff);
    } else if (value < 0) {
      view.setUint32(at, ~view.getUint32(at) >>> 0);
      view.setUint32(at + 4, ~view.getUint32(at + 4) >>> 0);
    } else view.setUint32(at, (view.getUint32(at) | 0x8000_0000) >>> 0);
    this.length += 8;
  }

  /** Writes a 32-bit float in 4 bytes, as `float` does a double; for components of vectors. */
  smallFloat(value: number): void {
    this.#reserve(4);
    const view = this.#view;
    const at = this.length;
    view.setFloat32(at, value === 0 ? 0 : value);
    if (value !== value) view.setUint32(at, 0xffff_ffff);
    else view.setUint32(at, value < 0 ? ~view.getUint32(at) >>> 0 : (view.getUint32(at) | 0x8000_0000) >>> 0);
    this.length += 4;
  }

  /** Writes the first `most` of some bytes, escaped so that none of them is zero, which ends a text. */
  escaped(bytes: Uint8Array, most: number): void {
    const count = Math.min(bytes.length, most);
    this.#reserve(2 * count);
    const target = this.bytes;
    let at = this.length;
    for (let i = 0; i < count; i++) {
      const byte = bytes[i]!;
      if (byte >= FIRST_PLAIN) target[at++] = byte;
      else {
        target[at++] = 1;
        target[at++] = byte + 1;
      }
    }
    this.length = at;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Removes the bytes from `length` on. */
  truncate(length: number): void {
    this.length = length;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + count));
    larger.set(this.bytes);
    this.bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

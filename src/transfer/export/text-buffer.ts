/** Bytes of text on their way to a file. Grows as needed; `take` hands out what has gathered. */
const FIRST_BYTES = 512 * 1024;

export class TextBuffer {
  bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  length = 0;

  /** Room for so many more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.length + count));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  text(text: string): void {
    this.reserve(3 * text.length);
    this.length += this.bytes.write(text, this.length, 'utf8');
  }

  raw(source: Uint8Array, from = 0, to: number = source.length): void {
    const count = to - from;
    this.reserve(count);
    const { bytes } = this;
    let at = this.length;
    if (count > 64) bytes.set(source.subarray(from, to), at);
    else for (let i = from; i < to; i++) bytes[at++] = source[i]!;
    this.length += count;
  }

  /** A safe integer in decimal digits. */
  integer(value: number): void {
    if (value < 0) {
      if (value < -0x7fff_ffff) return this.text(String(value));
      this.byte(45);
      value = -value;
    } else if (value > 0xffff_ffff) return this.text(String(value));
    let digits = 1;
    for (let limit = 10; value >= limit; limit *= 10) digits++;
    this.reserve(digits);
    const { bytes } = this;
    const end = this.length + digits;
    let rest = value;
    for (let at = end - 1; at >= this.length; at--) {
      const shorter = Math.floor(rest / 10);
      bytes[at] = 48 + rest - shorter * 10;
      rest = shorter;
    }
    this.length = end;
  }

  /** What has gathered; it belongs to the caller. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length);
    this.bytes = Buffer.allocUnsafe(Math.max(FIRST_BYTES, this.length));
    this.length = 0;
    return taken;
  }
}

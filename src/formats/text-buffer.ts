/** A buffer for text on its way to a file. `take` hands out the bytes that have gathered; a full buffer that is not taken grows. */
const FIRST_BYTES = 512 * 1024;
/** Bytes that are kept free for the row that is being written. */
const ROOM_BYTES = 16 * 1024;
/** The most decimal digits of an integer of 31 bits. */
const MOST_DIGITS = 10;
const DIGIT_0 = 48;
/** The pairs of digits 00, 01, … 99. */
const PAIRS = Buffer.from(Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0')).join(''));

/** A growing buffer of text. */
export class TextBuffer {
  bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  length = 0;

  /** Makes room for `count` more bytes. */
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

  /** Writes a safe integer in decimal digits. */
  integer(value: number): void {
    if (value < 0 || value > 0x7fff_ffff) return this.text(String(value));
    this.reserve(MOST_DIGITS);
    const { bytes } = this;
    let rest = value | 0; // Small integers divide without floating point.
    let at = this.length + digitsOf(rest);
    this.length = at;
    while (rest >= 100) {
      const shorter = (rest / 100) | 0;
      const pair = (rest - shorter * 100) << 1;
      bytes[--at] = PAIRS[pair + 1]!;
      bytes[--at] = PAIRS[pair]!;
      rest = shorter;
    }
    if (rest >= 10) {
      bytes[--at] = PAIRS[2 * rest + 1]!;
      bytes[--at] = PAIRS[2 * rest]!;
    } else bytes[--at] = DIGIT_0 + rest;
  }

  /** True once the buffer holds enough to be taken. */
  get isFull(): boolean {
    return this.length >= FIRST_BYTES - ROOM_BYTES;
  }

  /** Takes the bytes that have gathered, and begins a new buffer; the bytes belong to the caller. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length);
    this.bytes = Buffer.allocUnsafe(FIRST_BYTES);
    this.length = 0;
    return taken;
  }
}

function digitsOf(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4;
  if (value < 100_000_000) return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : value < 10_000_000 ? 7 : 8;
  return value < 1_000_000_000 ? 9 : 10;
}

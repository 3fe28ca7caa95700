/**
 * Reads what `ByteWriter` wrote. The bytes are not trusted: every read is checked against the end, every varint against
 * its range, every text against UTF-8. A failed check is a CORRUPTION error that names the source and the position.
 */
import { GraphDBError } from './errors.ts';

/** Up to this length a loop over ASCII bytes is faster than a call into the UTF-8 decoder. */
const SHORT_TEXT_LENGTH = 24;
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads primitive values from bytes, checking each against their end. */
export class ByteReader {
  /** Position of the next byte, counted in `bytes`. */
  position: number;
  readonly end: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #source: string;

  /** Reads `bytes` from `start` to `end`; `source` names them in errors (`wal/00000000000000000012.wal`). */
  constructor(bytes: Uint8Array, source = 'encoded bytes', start = 0, end: number = bytes.length) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#source = source;
    this.position = start;
    this.end = end;
    if (start < 0 || start > end || end > bytes.length) throw this.corrupt('the range to read lies outside of the bytes');
  }

  get remaining(): number {
    return this.end - this.position;
  }

  get atEnd(): boolean {
    return this.position >= this.end;
  }

  /** Returns the error for damage at the present position, for formats that are built on this reader. */
  corrupt(problem: string): GraphDBError {
    return new GraphDBError('CORRUPTION', `${this.#source} is damaged: ${problem} (at byte ${this.position})`);
  }

  byte(): number {
    if (this.position >= this.end) throw this.#tooShort(1);
    return this.#bytes[this.position++] as number;
  }

  u32(): number {
    const value = this.#view.getUint32(this.#take(4), true);
    return value;
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  f32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 8; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      scale *= 128;
    }
    throw this.corrupt('a variable-length integer is too long');
  }

  zigzag(): number {
    const first = this.byte();
    let magnitude = (first & 0x7f) >> 1;
    if (first >= 0x80) {
      magnitude += this.varint() * 64;
      if (magnitude > Number.MAX_SAFE_INTEGER) throw this.corrupt('a variable-length integer is too large');
    }
    return (first & 1) === 1 ? -magnitude - 1 : magnitude;
  }

  utf8(): string {
    return this.rawUtf8(this.varint());
  }

  /** Reads text of `byteLength` bytes of UTF-8. */
  rawUtf8(byteLength: number): string {
    const start = this.#take(byteLength);
    if (byteLength <= SHORT_TEXT_LENGTH) {
      const text = this.#shortAscii(start, byteLength);
      if (text !== null) return text;
    }
    try {
      return DECODER.decode(this.#bytes.subarray(start, start + byteLength));
    } catch {
      throw this.corrupt('text is not UTF-8');
    }
  }

  /** Reads a length and as many bytes, and returns a copy of them. */
  bytes(): Uint8Array<ArrayBuffer> {
    const view = this.raw(this.varint());
    const copy = new Uint8Array(view.length);
    copy.set(view);
    return copy;
  }

  /** Reads `count` bytes, and returns a view of them instead of a copy. */
  raw(count: number): Uint8Array {
    const start = this.#take(count);
    return this.#bytes.subarray(start, start + count);
  }

  #shortAscii(start: number, byteLength: number): string | null {
    const bytes = this.#bytes;
    let text = '';
    for (let i = start; i < start + byteLength; i++) {
      const byte = bytes[i] as number;
      if (byte > 0x7f) return null;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  #take(count: number): number {
    const start = this.position;
    if (start + count > this.end) throw this.#tooShort(count);
    this.position = start + count;
    return start;
  }

  #tooShort(count: number): GraphDBError {
    return this.corrupt(`${count} more bytes expected, ${this.end - this.position} are left`);
  }
}

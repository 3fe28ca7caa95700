/**
 * Reads PackStream. Nothing is believed: a count may not ask for more items than bytes are left, text must be UTF-8, nesting is bounded, a
 * map names each key once. What does not fit is a `MalformedMessage`, after which nothing that follows in the message can be told apart.
 *
 * Structures are made into values by whoever knows the protocol's version.
 */
import { CypherFloat, type Integer, makeFloat, makeInteger, type Value } from '../../value/index.ts';

const MAX_DEPTH = 500;
/** Up to this length a loop over ASCII bytes is faster than a call into the UTF-8 decoder. */
const SHORT_TEXT_LENGTH = 24;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A message that is no PackStream, or not what the protocol says: the connection cannot go on. */
export class MalformedMessage extends Error {}

/** Makes a value of the fields of a structure; throws GraphDBError for what no statement can use. */
export type StructureReader = (tag: number, fields: readonly Value[]) => Value;

export class PackStreamReader {
  #position = 0;
  #depth = 0;
  readonly #bytes: Buffer;
  readonly #structure: StructureReader;

  constructor(bytes: Buffer, structure: StructureReader) {
    this.#bytes = bytes;
    this.#structure = structure;
  }

  get atEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  /** The header of a structure that must come next. */
  structureHeader(): { readonly fields: number; readonly tag: number } {
    const marker = this.#byte();
    if ((marker & 0xf0) !== 0xb0) throw new MalformedMessage(`a message must be a structure, not ${hex(marker)}`);
    return { fields: marker & 0x0f, tag: this.#byte() };
  }

  value(): Value {
    const marker = this.#byte();
    if (marker < 0x80) return marker;
    if (marker >= 0xf0) return marker - 0x100;
    const size = marker & 0x0f;
    switch (marker & 0xf0) {
      case 0x80:
        return this.#text(size);
      case 0x90:
        return this.#list(size);
      case 0xa0:
        return this.#map(size);
      case 0xb0:
        return this.#fields(size);
      default:
        return this.#marked(marker);
    }
  }

  #marked(marker: number): Value {
    switch (marker) {
      case 0xc0:
        return null;
      case 0xc1:
        return this.#float();
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc8:
        return this.#bytes.readInt8(this.#take(1));
      case 0xc9:
        return this.#bytes.readInt16BE(this.#take(2));
      case 0xca:
        return this.#bytes.readInt32BE(this.#take(4));
      case 0xcb:
        return this.#int64();
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#byteString(this.#size(marker - 0xcc));
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return this.#text(this.#size(marker - 0xd0));
      case 0xd4:
      case 0xd5:
      case 0xd6:
        return this.#list(this.#size(marker - 0xd4));
      case 0xd8:
      case 0xd9:
      case 0xda:
        return this.#map(this.#size(marker - 0xd8));
      default:
        throw new MalformedMessage(`no value begins with ${hex(marker)}`);
    }
  }

  /** A size of 1, 2 or 4 bytes. */
  #size(width: number): number {
    if (width === 0) return this.#byte();
    return width === 1 ? this.#bytes.readUInt16BE(this.#take(2)) : this.#bytes.readUInt32BE(this.#take(4));
  }

  #float(): number | CypherFloat {
    const value = this.#bytes.readDoubleBE(this.#take(8));
    return Object.is(value, -0) ? new CypherFloat(value) : makeFloat(value);
  }

  #int64(): Integer {
    const at = this.#take(8);
    const high = this.#bytes.readInt32BE(at);
    if (high >= -0x20_0000 + 1 && high < 0x20_0000) return high * 4_294_967_296 + this.#bytes.readUInt32BE(at + 4);
    return makeInteger(this.#bytes.readBigInt64BE(at));
  }

  #byteString(size: number): Uint8Array {
    const start = this.#take(size);
    return new Uint8Array(this.#bytes.subarray(start, start + size));
  }

  #text(size: number): string {
    const start = this.#take(size);
    if (size <= SHORT_TEXT_LENGTH) {
      const text = this.#shortAscii(start, size);
      if (text !== null) return text;
    }
    try {
      return UTF8.decode(this.#bytes.subarray(start, start + size));
    } catch {
      throw new MalformedMessage('text that is not UTF-8');
    }
  }

  #shortAscii(start: number, size: number): string | null {
    let text = '';
    for (let i = start; i < start + size; i++) {
      const byte = this.#bytes[i] as number;
      if (byte > 0x7f) return null;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  #list(count: number): Value[] {
    this.#open(count);
    const items: Value[] = [];
    for (let i = 0; i < count; i++) items.push(this.value());
    this.#depth--;
    return items;
  }

  #map(count: number): Map<string, Value> {
    this.#open(count * 2);
    const map = new Map<string, Value>();
    for (let i = 0; i < count; i++) {
      const key = this.value();
      if (typeof key !== 'string') throw new MalformedMessage('a key of a map that is no string');
      if (map.has(key)) throw new MalformedMessage('a map that names a key twice');
      map.set(key, this.value());
    }
    this.#depth--;
    return map;
  }

  #fields(count: number): Value {
    const tag = this.#byte();
    return this.#structure(tag, this.#list(count));
  }

  #open(items: number): void {
    if (items > this.#bytes.length - this.#position)
      throw new MalformedMessage('a list or map that says it has more than the message holds');
    if (++this.#depth > MAX_DEPTH) throw new MalformedMessage(`values nested more than ${MAX_DEPTH} deep`);
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  #take(count: number): number {
    const start = this.#position;
    if (start + count > this.#bytes.length) throw new MalformedMessage('a message that ends in the middle of a value');
    this.#position = start + count;
    return start;
  }
}

function hex(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}

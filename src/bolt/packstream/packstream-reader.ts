/**
 * Reads PackStream and trusts nothing: a count may not exceed the bytes that are left, text must be UTF-8, nesting is
 * bounded, a map names each key once. A violation is a `MalformedMessage`; the rest of the message is lost.
 *
 * Structures are made into values by the caller, which knows the protocol's version.
 *
 * The reader keeps its own stack, so that it can stop after so many values and go on later: a large message is read in
 * time slices, a short one at once, by the same code.
 */
import { GraphDBError } from '../../base/index.ts';
import { CHARGED_BYTES, CypherFloat, type Integer, listWithRoom, makeFloat, makeInteger, type Value } from '../../value/index.ts';

const MAX_DEPTH = 500;
/** Up to this length a loop over ASCII bytes is faster than a call into the UTF-8 decoder. */
const SHORT_TEXT_LENGTH = 24;
/** A longer text is decoded in parts of this many bytes, each as much work as `VALUES_OF_PART` values. */
const TEXT_PART_BYTES = 256 * 1_024;
const VALUES_OF_PART = 1_024;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The error of a message that is no PackStream, or not what the protocol says: the connection cannot go on. */
export class MalformedMessage extends Error {}

/** Makes a value of the fields of a structure; throws GraphDBError for what no statement can use. */
export type StructureReader = (tag: number, fields: readonly Value[]) => Value;

/** A list, map or structure that is being read. */
interface Open {
  readonly kind: 'list' | 'map' | 'structure';
  /** The items of a list or structure; empty for a map. */
  readonly items: Value[];
  /** The entries of a map; null for a list or structure. */
  readonly entries: Map<string, Value> | null;
  /** The key whose value is read; null if a key comes next. */
  key: string | null;
  readonly count: number;
  /** The number of items or entries still to come. */
  left: number;
  readonly tag: number;
}

/** A text that is decoded in parts. */
interface LongText {
  readonly decoder: InstanceType<typeof TextDecoder>;
  readonly parts: string[];
  readonly end: number;
}

/** Marks a value that has begun and is not complete: it is on the stack. */
const BEGUN = Symbol('begun');

const NO_ITEMS: Value[] = [];

/** Reads values of PackStream. */
export class PackStreamReader {
  /** The value that `read` has completed; it is set when `read` returns true. */
  result: Value = null;
  #position = 0;
  #bytesCharged = 0;
  #longText: LongText | null = null;
  readonly #open: Open[] = [];
  readonly #bytes: Buffer;
  readonly #structure: StructureReader;
  readonly #maxBytes: number;

  /** @param maxBytes the most bytes that the values may be charged (`CHARGED_BYTES`), beyond which reading throws MEMORY_LIMIT */
  constructor(bytes: Buffer, structure: StructureReader, maxBytes: number = Number.POSITIVE_INFINITY) {
    this.#bytes = bytes;
    this.#structure = structure;
    this.#maxBytes = maxBytes;
  }

  get atEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  /** Reads the header of a structure, which must come next. */
  structureHeader(): { readonly fields: number; readonly tag: number } {
    const marker = this.#byte();
    if ((marker & 0xf0) !== 0xb0) throw new MalformedMessage(`a message must be a structure, not ${hex(marker)}`);
    return { fields: marker & 0x0f, tag: this.#byte() };
  }

  /** Reads the next value. */
  value(): Value {
    this.read(Number.POSITIVE_INFINITY);
    return this.result;
  }

  /** Reads about so many more values of the current or next one. Returns true once that is complete, and then in `result`. */
  read(values: number): boolean {
    for (let left = values; left > 0; left--) {
      const isText = this.#longText !== null;
      const value = isText ? this.#textPart() : this.#begin();
      if (isText) left -= VALUES_OF_PART;
      if (value !== BEGUN && this.#put(value)) return true;
      if (this.#bytesCharged > this.#maxBytes)
        throw new GraphDBError('MEMORY_LIMIT', 'the parameters take more memory than a statement may use');
    }
    return false;
  }

  /** Puts a value into its container, and each container that it completes into its own. True if the outermost one is complete. */
  #put(part: Value): boolean {
    let value = part;
    for (;;) {
      const open = this.#open.at(-1);
      if (open === undefined) {
        this.result = value;
        return true;
      }
      if (open.entries === null) {
        open.items[open.count - open.left] = value;
        open.left--;
      } else if (open.key === null) {
        if (typeof value !== 'string') throw new MalformedMessage('a key of a map that is no string');
        if (open.entries.has(value)) throw new MalformedMessage('a map that names a key twice');
        open.key = value;
        return false;
      } else {
        open.entries.set(open.key, value);
        open.key = null;
        open.left--;
      }
      if (open.left > 0) return false;
      this.#open.pop();
      value = this.#whole(open);
    }
  }

  #whole({ kind, items, entries, tag }: Open): Value {
    switch (kind) {
      case 'list':
        return items;
      case 'map':
        return entries;
      case 'structure':
        return this.#structure(tag, items);
    }
  }

  /** Reads the next value; `BEGUN` if that is not complete at once. */
  #begin(): Value | typeof BEGUN {
    const marker = this.#byte();
    if (marker < 0x80) return marker;
    if (marker >= 0xf0) return marker - 0x100;
    const size = marker & 0x0f;
    switch (marker & 0xf0) {
      case 0x80:
        return this.#text(size);
      case 0x90:
        return this.#container('list', size);
      case 0xa0:
        return this.#container('map', size);
      case 0xb0:
        return this.#container('structure', size, this.#byte());
      default:
        return this.#marked(marker);
    }
  }

  #marked(marker: number): Value | typeof BEGUN {
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
        return this.#container('list', this.#size(marker - 0xd4));
      case 0xd8:
      case 0xd9:
      case 0xda:
        return this.#container('map', this.#size(marker - 0xd8));
      default:
        throw new MalformedMessage(`no value begins with ${hex(marker)}`);
    }
  }

  /** Reads a size of 1, 2 or 4 bytes, for the widths 0, 1 and 2. */
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

  #text(size: number): string | typeof BEGUN {
    this.#bytesCharged += CHARGED_BYTES.text + size;
    const start = this.#take(size);
    if (size <= SHORT_TEXT_LENGTH) {
      const text = this.#shortAscii(start, size);
      if (text !== null) return text;
    }
    if (size <= TEXT_PART_BYTES) return decodedBy(UTF8, this.#bytes.subarray(start, start + size), false);
    this.#longText = { decoder: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), parts: [], end: start + size };
    this.#position = start;
    return BEGUN;
  }

  /** Decodes the next part of a long text. Returns the text after its last part, else `BEGUN`. */
  #textPart(): string | typeof BEGUN {
    const { decoder, parts, end } = this.#longText!;
    const partEnd = Math.min(end, this.#position + TEXT_PART_BYTES);
    parts.push(decodedBy(decoder, this.#bytes.subarray(this.#position, partEnd), partEnd < end));
    this.#position = partEnd;
    if (partEnd < end) return BEGUN;
    this.#longText = null;
    return parts.join('');
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

  /** Begins a list, map or structure; one without items is complete at once. */
  #container(kind: Open['kind'], count: number, tag = 0): Value | typeof BEGUN {
    const items = kind === 'map' ? count * 2 : count;
    if (items > this.#bytes.length - this.#position)
      throw new MalformedMessage('a list or map that says it has more than the message holds');
    if (this.#open.length === MAX_DEPTH) throw new MalformedMessage(`values nested more than ${MAX_DEPTH} deep`);
    this.#bytesCharged += CHARGED_BYTES.container + count * (kind === 'map' ? CHARGED_BYTES.entry : CHARGED_BYTES.item);
    const open: Open = {
      kind,
      items: kind === 'map' ? NO_ITEMS : listWithRoom(count),
      entries: kind === 'map' ? new Map() : null,
      key: null,
      count,
      left: count,
      tag,
    };
    if (count === 0) return this.#whole(open);
    this.#open.push(open);
    return BEGUN;
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

function decodedBy(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new MalformedMessage('text that is not UTF-8');
  }
}

function hex(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}

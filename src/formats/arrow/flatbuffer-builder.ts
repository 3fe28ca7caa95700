/**
 * The part of FlatBuffers that Arrow's metadata needs (https://flatbuffers.dev/internals): tables, vectors of offsets
 * and of structs, strings. A buffer is built from its end towards its start: children before parents. Positions are
 * counted from the end, so that they stay valid while the buffer grows.
 */
export type FlatOffset = number;

/** Builds a flatbuffer from its end to its beginning. */
export class FlatbufferBuilder {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #start = this.#bytes.length;
  #alignment = 1;
  /** The positions of the fields of the table that is being built, by slot; 0 for an absent field. */
  #slots: number[] | null = null;
  #tableEnd = 0;

  /** Writes a string, which may be empty. @returns its position */
  string(text: string): FlatOffset {
    const utf8 = Buffer.from(text, 'utf8');
    this.#prepare(4, utf8.length + 1);
    this.#start--;
    this.#bytes[this.#start] = 0;
    this.#start -= utf8.length;
    this.#bytes.set(utf8, this.#start);
    return this.#int32(utf8.length);
  }

  offsets(items: readonly FlatOffset[]): FlatOffset {
    this.#prepare(4, 4 * items.length);
    for (const item of items.toReversed()) this.#offset(item);
    return this.#int32(items.length);
  }

  /** Writes a vector of structs of 64-bit numbers; `longs` holds the numbers of all structs in order. */
  structs(count: number, longs: readonly number[]): FlatOffset {
    this.#prepare(4, 8 * longs.length);
    this.#prepare(8, 8 * longs.length);
    for (const value of longs.toReversed()) this.#int64(value);
    return this.#int32(count);
  }

  startTable(slots: number): void {
    this.#slots = new Array<number>(slots).fill(0);
    this.#tableEnd = this.#position;
  }

  int8(slot: number, value: number): void {
    this.#prepare(1, 0);
    this.#start--;
    this.#view.setInt8(this.#start, value);
    this.#mark(slot);
  }

  int16(slot: number, value: number): void {
    this.#prepare(2, 0);
    this.#start -= 2;
    this.#view.setInt16(this.#start, value, true);
    this.#mark(slot);
  }

  int32(slot: number, value: number): void {
    this.#prepare(4, 0);
    this.#int32(value);
    this.#mark(slot);
  }

  int64(slot: number, value: number): void {
    this.#prepare(8, 0);
    this.#int64(value);
    this.#mark(slot);
  }

  reference(slot: number, target: FlatOffset): void {
    this.#prepare(4, 0);
    this.#offset(target);
    this.#mark(slot);
  }

  endTable(): FlatOffset {
    const slots = this.#slots!;
    this.#prepare(4, 0);
    this.#int32(0); // Filled below: the distance to the vtable.
    const table = this.#position;
    for (const position of slots.toReversed()) this.#uint16(position === 0 ? 0 : table - position);
    this.#uint16(table - this.#tableEnd);
    this.#uint16(2 * (slots.length + 2));
    this.#view.setInt32(this.#bytes.length - table, this.#position - table, true);
    this.#slots = null;
    return table;
  }

  /** Ends the buffer with the position of its root table. @returns the finished bytes, a multiple of eight */
  finish(root: FlatOffset): Uint8Array {
    this.#prepare(Math.max(this.#alignment, 8), 4);
    this.#offset(root);
    return this.#bytes.slice(this.#start);
  }

  get #position(): number {
    return this.#bytes.length - this.#start;
  }

  #mark(slot: number): void {
    this.#slots![slot] = this.#position;
  }

  #uint16(value: number): void {
    this.#prepare(2, 0);
    this.#start -= 2;
    this.#view.setUint16(this.#start, value, true);
  }

  #int32(value: number): FlatOffset {
    this.#start -= 4;
    this.#view.setInt32(this.#start, value, true);
    return this.#position;
  }

  #int64(value: number): void {
    this.#start -= 8;
    this.#view.setUint32(this.#start, value >>> 0, true);
    this.#view.setInt32(this.#start + 4, Math.floor(value / 2 ** 32), true);
  }

  #offset(target: FlatOffset): void {
    this.#int32(this.#position + 4 - target);
  }

  /** Makes room, with padding so that an item of `size` bytes is aligned once `additional` bytes have been written. */
  #prepare(size: number, additional: number): void {
    this.#alignment = Math.max(this.#alignment, size);
    const padding = -(this.#position + additional) & (size - 1);
    const needed = padding + additional + size;
    while (this.#start < needed) this.#grow();
    this.#bytes.fill(0, this.#start - padding, this.#start);
    this.#start -= padding;
  }

  #grow(): void {
    const grown = new Uint8Array(2 * this.#bytes.length);
    grown.set(this.#bytes, this.#bytes.length);
    this.#start += this.#bytes.length;
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

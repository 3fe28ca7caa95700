/** A forward walk over the documents that have a term; it can skip whole blocks of documents. */

/** Stands for a document after the last one: the walk is over. */
export const NO_MORE = 0x7fffffff;

/** How many documents a block has; cursors skip full blocks. */
export const BLOCK_DOCUMENTS = 128;

/** The bounds of each full block of a list, one element per block. */
export interface Blocks {
  readonly lastDocuments: number[];
  /** Where each block ends, in bytes from the beginning of the list. */
  readonly ends: number[];
  readonly mostFrequent: number[];
  /** The lowest code of a field's length in each block. */
  readonly shortest: number[];
}

interface List {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly blocks: Blocks | null;
  /** The bounds of the documents after the last full block. */
  readonly rest: { readonly mostFrequent: number; readonly shortest: number };
}

/** A walk over the documents that have a term. */
export class PostingsCursor {
  readonly count: number;
  /** The present document; -1 before the first `next`, NO_MORE at the end. */
  document = -1;
  frequency = 0;
  /** How many documents have been read. */
  steps = 0;
  readonly #bytes: Uint8Array;
  readonly #list: List;
  #at: number;
  #last = 0;
  #placesAt = 0;
  /** The full block that `#at` is in or after; the number of full blocks once all are passed. */
  #block = 0;
  /** The full block that `blockEnd` was last asked about. */
  #bounded = 0;

  constructor(bytes: Uint8Array, list: List) {
    this.#bytes = bytes;
    this.#list = list;
    this.#at = list.start;
    this.count = list.count;
  }

  #read(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++] as number;
    if (byte < 0x80) return byte;
    let number = byte & 0x7f;
    for (let shift = 7; ; shift += 7) {
      byte = bytes[this.#at++] as number;
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number >>> 0;
    }
  }

  next(): number {
    if (this.#at >= this.#list.end) {
      this.document = NO_MORE;
      return NO_MORE;
    }
    this.steps++;
    const head = this.#read();
    this.#last += head >>> 1;
    this.document = this.#last;
    if ((head & 1) === 1) {
      this.frequency = 1;
      this.#placesAt = this.#at;
      while ((this.#bytes[this.#at++] as number) > 0x7f);
    } else {
      this.frequency = this.#read();
      const bytes = this.#read();
      this.#placesAt = this.#at;
      this.#at += bytes;
    }
    return this.#last;
  }

  /** Moves to the first document from `target` on, and returns it; it never moves back. NO_MORE: there is none. */
  advance(target: number): number {
    if (this.document >= target) return this.document;
    this.#skipTo(target);
    let document = this.document;
    while (document < target) document = this.next();
    return document;
  }

  /** Skips full blocks whose documents are all below the target. */
  #skipTo(target: number): void {
    const { blocks, start } = this.#list;
    if (blocks === null) return;
    const { lastDocuments, ends } = blocks;
    let block = this.#block;
    if (block >= lastDocuments.length || (lastDocuments[block] as number) >= target) return;
    let step = 1;
    while (block + step < lastDocuments.length && (lastDocuments[block + step] as number) < target) {
      block += step;
      step *= 2;
    }
    for (; step >= 1; step = step >> 1) {
      if (block + step < lastDocuments.length && (lastDocuments[block + step] as number) < target) block += step;
    }
    this.#block = block + 1;
    const end = start + (ends[block] as number);
    if (end <= this.#at) return;
    this.#at = end;
    this.#last = lastDocuments[block] as number;
  }

  /** Returns the last document of the block that would hold the target, up to which `blockBounds` holds. */
  blockEnd(target: number): number {
    const { blocks } = this.#list;
    if (blocks === null) return NO_MORE;
    const { lastDocuments } = blocks;
    while (this.#bounded < lastDocuments.length && (lastDocuments[this.#bounded] as number) < target) this.#bounded++;
    return this.#bounded < lastDocuments.length ? (lastDocuments[this.#bounded] as number) : NO_MORE;
  }

  /** Returns the highest frequency and the lowest length code of the block that `blockEnd` was asked about. */
  blockBounds(): { readonly mostFrequent: number; readonly shortest: number } {
    const { blocks, rest } = this.#list;
    if (blocks === null || this.#bounded >= blocks.lastDocuments.length) return rest;
    return { mostFrequent: blocks.mostFrequent[this.#bounded] as number, shortest: blocks.shortest[this.#bounded] as number };
  }

  /** Returns the highest frequency and the lowest length code of the whole list. */
  bounds(): { readonly mostFrequent: number; readonly shortest: number } {
    const { blocks, rest } = this.#list;
    if (blocks === null) return rest;
    const hasRest = this.count > blocks.lastDocuments.length * BLOCK_DOCUMENTS;
    let { mostFrequent, shortest } = hasRest ? rest : { mostFrequent: 1, shortest: 255 };
    for (let i = 0; i < blocks.ends.length; i++) {
      mostFrequent = Math.max(mostFrequent, blocks.mostFrequent[i] as number);
      shortest = Math.min(shortest, blocks.shortest[i] as number);
    }
    return { mostFrequent, shortest };
  }

  /** Returns the places of the term in the present document, ascending. */
  places(): number[] {
    const places: number[] = [];
    const back = this.#at;
    this.#at = this.#placesAt;
    for (let i = 0, last = 0; i < this.frequency; i++) {
      last += this.#read();
      places.push(last);
    }
    this.#at = back;
    return places;
  }
}

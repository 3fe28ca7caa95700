/**
 * Postings in memory: for each term the documents that have it, ascending, and its places in each of them. All lists
 * stand in one array of bytes. A list that outgrows its room moves to a room of twice the size, so it is always in one
 * piece.
 *
 * A posting is the distance from the document before it, shifted by one (the lowest bit says that the term occurs
 * once), and then the places as distances. Several places are preceded by their number and their length in bytes.
 */
import { BLOCK_DOCUMENTS, type Blocks, PostingsCursor } from './postings-cursor.ts';

const LEAST_PLACE = 8;
const LONGEST_NUMBER = 5;

/** The postings of terms in memory. */
export class PostingsPool {
  #bytes = new Uint8Array(1024);
  #used = 0;
  /** The start of each term's list. */
  #starts = new Uint32Array(64);
  #lengths = new Uint32Array(64);
  #rooms = new Uint32Array(64);
  #counts = new Uint32Array(64);
  #lastDocuments = new Uint32Array(64);
  #mostFrequent = new Uint32Array(64);
  #shortest = new Uint8Array(64);
  readonly #blocks = new Map<number, Blocks>();
  #termCount = 0;
  /** The byte at which the next number is written. */
  #at = 0;

  get byteLength(): number {
    return this.#bytes.length + this.#starts.length * 25;
  }

  addTerm(): number {
    const term = this.#termCount++;
    if (term >= this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#lengths = doubled(this.#lengths);
      this.#rooms = doubled(this.#rooms);
      this.#counts = doubled(this.#counts);
      this.#lastDocuments = doubled(this.#lastDocuments);
      this.#mostFrequent = doubled(this.#mostFrequent);
      const shortest = new Uint8Array(this.#shortest.length * 2);
      shortest.set(this.#shortest);
      this.#shortest = shortest;
    }
    return term;
  }

  /** Returns how many documents have the term. */
  countOf(term: number): number {
    return this.#counts[term] as number;
  }

  /**
   * Adds a document to the list of a term; it must be higher than those before it.
   *
   * @param places where the term stands in the document, ascending
   * @param lengthCode the code of the field's length
   */
  add(term: number, document: number, places: readonly number[], lengthCode: number): void {
    const count = this.#counts[term] as number;
    const bytes = bytesOf(places);
    this.#makeRoom(term, 3 * LONGEST_NUMBER + bytes);
    this.#at = (this.#starts[term] as number) + (this.#lengths[term] as number);
    const distance = count === 0 ? document : document - (this.#lastDocuments[term] as number);
    this.#write(distance * 2 + (places.length === 1 ? 1 : 0));
    if (places.length > 1) {
      this.#write(places.length);
      this.#write(bytes);
    }
    for (let i = 0, last = 0; i < places.length; i++) {
      this.#write((places[i] as number) - last);
      last = places[i] as number;
    }
    this.#lengths[term] = this.#at - (this.#starts[term] as number);
    this.#counts[term] = count + 1;
    this.#lastDocuments[term] = document;
    this.#noteBlock(term, places.length, lengthCode);
  }

  #noteBlock(term: number, frequency: number, lengthCode: number): void {
    const inBlock = (this.#counts[term] as number) % BLOCK_DOCUMENTS;
    if (inBlock === 1) {
      this.#mostFrequent[term] = frequency;
      this.#shortest[term] = lengthCode;
    } else {
      this.#mostFrequent[term] = Math.max(this.#mostFrequent[term] as number, frequency);
      this.#shortest[term] = Math.min(this.#shortest[term] as number, lengthCode);
    }
    if (inBlock !== 0) return;
    let blocks = this.#blocks.get(term);
    if (blocks === undefined) {
      blocks = { lastDocuments: [], ends: [], mostFrequent: [], shortest: [] };
      this.#blocks.set(term, blocks);
    }
    blocks.lastDocuments.push(this.#lastDocuments[term] as number);
    blocks.ends.push(this.#lengths[term] as number);
    blocks.mostFrequent.push(this.#mostFrequent[term] as number);
    blocks.shortest.push(this.#shortest[term] as number);
  }

  #makeRoom(term: number, bytes: number): void {
    const needed = (this.#lengths[term] as number) + bytes;
    if (needed <= (this.#rooms[term] as number)) return;
    let room = Math.max(LEAST_PLACE, (this.#rooms[term] as number) * 2);
    while (room < needed) room *= 2;
    if (this.#used + room > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + room));
      grown.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = grown;
    }
    const start = this.#starts[term] as number;
    this.#bytes.copyWithin(this.#used, start, start + (this.#lengths[term] as number));
    this.#starts[term] = this.#used;
    this.#rooms[term] = room;
    this.#used += room;
  }

  #write(number: number): void {
    let left = number;
    while (left > 0x7f) {
      this.#bytes[this.#at++] = (left & 0x7f) | 0x80;
      left >>>= 7;
    }
    this.#bytes[this.#at++] = left;
  }

  /** Returns a cursor over the documents of a term, which is valid until the next document is added. */
  cursor(term: number): PostingsCursor {
    const start = this.#starts[term] as number;
    const blocks = this.#blocks.get(term) ?? null;
    const rest = { mostFrequent: this.#mostFrequent[term] as number, shortest: this.#shortest[term] as number };
    return new PostingsCursor(this.#bytes, {
      start,
      end: start + (this.#lengths[term] as number),
      count: this.countOf(term),
      blocks,
      rest,
    });
  }
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(array.length * 2);
  grown.set(array);
  return grown;
}

/** Returns how many bytes ascending places take when they are encoded as distances. */
function bytesOf(places: readonly number[]): number {
  let bytes = 0;
  for (let i = 0, last = 0; i < places.length; i++) {
    bytes += lengthOf((places[i] as number) - last);
    last = places[i] as number;
  }
  return bytes;
}

function lengthOf(number: number): number {
  let bytes = 1;
  for (let left = number >>> 7; left > 0; left >>>= 7) bytes++;
  return bytes;
}

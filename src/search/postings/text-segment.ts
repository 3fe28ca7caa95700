/** Documents as terms, in memory: what a full-text index knows of the rows of one table. Documents are numbered in the order in which they come. */
import type { Analyzer } from '../analysis/analyzers.ts';
import { lengthCode } from './field-length.ts';
import type { PostingsCursor } from './postings-cursor.ts';
import { PostingsPool } from './postings-pool.ts';

class Field {
  readonly terms = new Map<string, number>();
  /** By document: how many terms; 0: it has none. */
  lengths = new Uint32Array(64);
  codes = new Uint8Array(64);
  documents = 0;
  totalLength = 0;

  setLength(document: number, length: number): void {
    if (document >= this.lengths.length) {
      const size = Math.max(document + 1, this.lengths.length * 2);
      const [lengths, codes] = [new Uint32Array(size), new Uint8Array(size)];
      lengths.set(this.lengths);
      codes.set(this.codes);
      this.lengths = lengths;
      this.codes = codes;
    }
    this.lengths[document] = length;
    this.codes[document] = lengthCode(length);
    this.documents++;
    this.totalLength += length;
  }
}

export class TextSegment {
  /** Documents that were added, those without any term included. */
  documentCount = 0;
  readonly #analyzer: Analyzer;
  readonly #fields: readonly Field[];
  readonly #pool = new PostingsPool();

  constructor(analyzer: Analyzer, fieldCount: number) {
    this.#analyzer = analyzer;
    this.#fields = Array.from({ length: fieldCount }, () => new Field());
  }

  get byteLength(): number {
    let bytes = this.#pool.byteLength;
    for (const { terms, lengths } of this.#fields) bytes += terms.size * 64 + lengths.length * 5;
    return bytes;
  }

  /**
   * Adds a document.
   *
   * @param values by field: its texts, one after the other
   * @returns its number; -1: it has no text, and is not kept
   */
  add(values: readonly (readonly string[])[]): number {
    const document = this.documentCount;
    if (values.every((texts) => texts.length === 0)) return -1;
    for (const [i, texts] of values.entries()) this.#addField(this.#fields[i] as Field, document, texts);
    this.documentCount++;
    return document;
  }

  #addField(field: Field, document: number, texts: readonly string[]): void {
    const places = new Map<string, number[]>();
    let [length, first] = [0, 0];
    for (const text of texts) {
      const { terms, positions } = this.#analyzer.analyze(text);
      for (let i = 0; i < terms.length; i++) {
        const place = first + (positions[i] as number);
        const known = places.get(terms[i] as string);
        if (known === undefined) places.set(terms[i] as string, [place]);
        else known.push(place);
      }
      length += terms.length;
      if (terms.length > 0) first += (positions[terms.length - 1] as number) + 1;
    }
    if (length === 0) return;
    field.setLength(document, length);
    const code = field.codes[document] as number;
    for (const [term, found] of places) {
      let id = field.terms.get(term);
      if (id === undefined) {
        id = this.#pool.addTerm();
        field.terms.set(term, id);
      }
      this.#pool.add(id, document, found, code);
    }
  }

  /** Null: no document has the term. */
  cursor(field: number, term: string): PostingsCursor | null {
    const id = (this.#fields[field] as Field).terms.get(term);
    return id === undefined ? null : this.#pool.cursor(id);
  }

  /** All terms of a field, in no order. */
  terms(field: number): Iterable<string> {
    return (this.#fields[field] as Field).terms.keys();
  }

  termCount(field: number): number {
    return (this.#fields[field] as Field).terms.size;
  }

  /** By document. */
  lengthCodes(field: number): Uint8Array {
    return (this.#fields[field] as Field).codes;
  }

  /** By document: 0 where the field has no term. It may be shorter than there are documents. */
  lengths(field: number): Uint32Array {
    return (this.#fields[field] as Field).lengths;
  }

  /** Of all documents that were added. */
  totals(field: number): { readonly documents: number; readonly totalLength: number } {
    const { documents, totalLength } = this.#fields[field] as Field;
    return { documents, totalLength };
  }
}

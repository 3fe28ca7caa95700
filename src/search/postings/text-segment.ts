/**
 * The documents of one table as terms, in memory: what a full-text index knows of the table's rows. Documents are
 * numbered in the order in which they are added.
 */
import { finish } from '../../base/index.ts';
import type { Analyzer } from '../analysis/analyzers.ts';
import { pieceEnds } from '../analysis/pieces.ts';
import { lengthCode } from './field-length.ts';
import type { PostingsCursor } from './postings-cursor.ts';
import { PostingsPool } from './postings-pool.ts';

/** Characters of text that are analysed in one step. */
const CHARACTERS_PER_STEP = 2;
const STEPS_PER_TERM = 4;
/** Terms are entered in pieces of about this many steps; other statements may run between two pieces. */
const STEPS_TOGETHER = 4_096;

/** The terms of one field of a document, each with its places in ascending order. */
interface FieldTerms {
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** The number of words, repeated ones included. */
  readonly length: number;
}

class Field {
  readonly terms = new Map<string, number>();
  /** For each document the number of its terms in this field; 0: it has none. */
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

/** The documents of a table as terms. */
export class TextSegment {
  /** Documents that were added, those without any term included. */
  documentCount = 0;
  readonly #analyzer: Analyzer;
  readonly #fields: readonly Field[];
  readonly #pool = new PostingsPool();
  #isAdding = false;

  constructor(analyzer: Analyzer, fieldCount: number) {
    this.#analyzer = analyzer;
    this.#fields = Array.from({ length: fieldCount }, () => new Field());
  }

  get byteLength(): number {
    let bytes = this.#pool.byteLength;
    for (const { terms, lengths } of this.#fields) bytes += terms.size * 64 + lengths.length * 5;
    return bytes;
  }

  /** True while a document is being added: some of its terms may be entered, and its number is `documentCount`. */
  get isAdding(): boolean {
    return this.#isAdding;
  }

  /**
   * Adds a document in one go.
   *
   * @param values the texts of each field, in their order
   * @returns the number of the document; -1: it has no text, and is not kept
   */
  add(values: readonly (readonly string[])[]): number {
    return finish(this.adding(values));
  }

  /**
   * Adds a document in pieces; yields how many steps come next. Only one document is added at a time. When the
   * generator is ended early, either nothing was added, or a document without any length, which readers must not see.
   *
   * @param values the texts of each field, in their order
   * @returns the number of the document; -1: it has no text, and is not kept
   */
  *adding(values: readonly (readonly string[])[]): Generator<number, number, void> {
    if (values.every((texts) => texts.length === 0)) return -1;
    const analyzed: FieldTerms[] = [];
    for (const texts of values) analyzed.push(yield* this.#analyzed(texts));
    const document = this.documentCount;
    this.#isAdding = true;
    try {
      for (const [i, terms] of analyzed.entries()) yield* this.#enter(this.#fields[i] as Field, document, terms);
      for (const [i, { length }] of analyzed.entries()) if (length > 0) (this.#fields[i] as Field).setLength(document, length);
    } finally {
      this.#isAdding = false;
      this.documentCount++;
    }
    return document;
  }

  *#analyzed(texts: readonly string[]): Generator<number, FieldTerms, void> {
    const places = new Map<string, number[]>();
    let [length, first] = [0, 0];
    for (const text of texts) {
      let [from, start] = [0, first];
      for (const end of pieceEnds(text, this.#analyzer)) {
        yield 1 + Math.ceil((end - from) / CHARACTERS_PER_STEP);
        const { terms, positions, placeCount } = this.#analyzer.analyze(from === 0 && end === text.length ? text : text.slice(from, end));
        for (let i = 0; i < terms.length; i++) {
          const place = start + (positions[i] as number);
          const known = places.get(terms[i] as string);
          if (known === undefined) places.set(terms[i] as string, [place]);
          else known.push(place);
        }
        length += terms.length;
        if (terms.length > 0) first = start + (positions[terms.length - 1] as number) + 1;
        start += placeCount;
        from = end;
      }
    }
    return { places, length };
  }

  *#enter(field: Field, document: number, { places, length }: FieldTerms): Generator<number, void, void> {
    const code = lengthCode(length);
    let steps = 0;
    for (const [term, found] of places) {
      steps += STEPS_PER_TERM + (found.length >>> 5);
      if (steps > STEPS_TOGETHER) {
        yield steps;
        steps = 0;
      }
      let id = field.terms.get(term);
      if (id === undefined) {
        id = this.#pool.addTerm();
        field.terms.set(term, id);
      }
      this.#pool.add(id, document, found, code);
    }
  }

  /** Returns a cursor over the documents that have a term; null: there are none. */
  cursor(field: number, term: string): PostingsCursor | null {
    const id = (this.#fields[field] as Field).terms.get(term);
    return id === undefined ? null : this.#pool.cursor(id);
  }

  /** Returns all terms of a field, in no particular order. */
  terms(field: number): Iterable<string> {
    return (this.#fields[field] as Field).terms.keys();
  }

  termCount(field: number): number {
    return (this.#fields[field] as Field).terms.size;
  }

  /** Returns the code of each document's length. */
  lengthCodes(field: number): Uint8Array {
    return (this.#fields[field] as Field).codes;
  }

  /** Returns the length of each document, 0 where the field has no term. Documents beyond the end of the array have none either. */
  lengths(field: number): Uint32Array {
    return (this.#fields[field] as Field).lengths;
  }

  /** Returns how many documents have the field, and their total length in terms. */
  totals(field: number): { readonly documents: number; readonly totalLength: number } {
    const { documents, totalLength } = this.#fields[field] as Field;
    return { documents, totalLength };
  }
}

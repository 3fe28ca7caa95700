/** Indexes as seen through one view. */
import type { AreaCover, Value } from '../../value/index.ts';
import type { NodeReader } from '../tables/node-reader.ts';
import type { IndexView, RelationshipIndexView } from '../view/view.ts';
import type { PropertyIndex } from './property-index.ts';
import type { RelationshipIndex, RelationshipReader } from './relationship-index.ts';

/** A view that an index is seen through. */
export interface IndexReader extends NodeReader {
  /** As long as it is the same, no row comes to the view; -1: rows may come at any time. */
  readonly rowsRevision: number;
}

export class IndexSnapshot implements IndexView {
  readonly source: PropertyIndex;
  readonly #reader: IndexReader;
  /** The rows of the view as of this revision are in the hash table. */
  #hashedRevision = -1;

  constructor(source: PropertyIndex, reader: IndexReader) {
    this.source = source;
    this.#reader = reader;
  }

  get name(): string {
    return this.source.properties.name;
  }

  get label(): number {
    return this.source.properties.label;
  }

  get keys(): readonly number[] {
    return this.source.properties.keys;
  }

  get unique(): boolean {
    return this.source.properties.unique;
  }

  get automatic(): boolean {
    return this.source.properties.automatic;
  }

  find(values: readonly Value[]): readonly number[] {
    if (values.length === 1) return this.findValue(values[0] as Value);
    const { rowsRevision, tables } = this.#reader;
    if (rowsRevision < 0 || rowsRevision !== this.#hashedRevision) {
      this.source.catchUp(tables);
      this.#hashedRevision = rowsRevision;
    }
    return this.source.find(values, this.#reader);
  }

  findValue(value: Value): readonly number[] {
    const { rowsRevision, tables } = this.#reader;
    if (rowsRevision < 0 || rowsRevision !== this.#hashedRevision) {
      if (!this.source.catchUpFor(value, tables)) return this.source.search(value, this.#reader);
      this.#hashedRevision = rowsRevision;
    }
    return this.source.findValue(value, this.#reader);
  }

  range(low: Value, lowInclusive: boolean, high: Value, highInclusive: boolean): Uint32Array {
    return this.source.range({ low, lowInclusive, high, highInclusive }, this.#reader);
  }

  area(cover: AreaCover): readonly number[] {
    return this.source.area(cover, this.#reader);
  }
}

const NOTHING = new Uint32Array(0);

export class RelationshipIndexSnapshot implements RelationshipIndexView {
  readonly source: RelationshipIndex;
  readonly #readerOf: (type: number) => RelationshipReader | null;

  /** @param readerOf null: there are none of the type */
  constructor(source: RelationshipIndex, readerOf: (type: number) => RelationshipReader | null) {
    this.source = source;
    this.#readerOf = readerOf;
  }

  get name(): string {
    return this.source.properties.name;
  }

  get type(): number {
    return this.source.properties.type;
  }

  get keys(): readonly number[] {
    return this.source.properties.keys;
  }

  get unique(): boolean {
    return this.source.properties.unique;
  }

  find(values: readonly Value[]): readonly number[] {
    const reader = this.#readerOf(this.type);
    return reader === null ? [] : this.source.find(values, reader);
  }

  range(low: Value, lowInclusive: boolean, high: Value, highInclusive: boolean): Uint32Array {
    const reader = this.#readerOf(this.type);
    return reader === null ? NOTHING : this.source.range({ low, lowInclusive, high, highInclusive }, reader);
  }

  area(cover: AreaCover): readonly number[] {
    const reader = this.#readerOf(this.type);
    return reader === null ? [] : this.source.area(cover, reader);
  }
}

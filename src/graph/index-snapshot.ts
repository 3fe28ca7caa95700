/** An index as seen through one view. */
import type { Value } from '../value/index.ts';
import type { NodeReader } from './node-reader.ts';
import type { PropertyIndex } from './property-index.ts';
import type { IndexView } from './view.ts';

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

  find(values: readonly Value[]): readonly number[] {
    this.#catchUp();
    return this.source.find(values, this.#reader);
  }

  findValue(value: Value): readonly number[] {
    this.#catchUp();
    return this.source.findValue(value, this.#reader);
  }

  #catchUp(): void {
    const { rowsRevision, tables } = this.#reader;
    if (rowsRevision >= 0 && rowsRevision === this.#hashedRevision) return;
    this.source.catchUp(tables);
    this.#hashedRevision = rowsRevision;
  }

  range(low: Value, lowInclusive: boolean, high: Value, highInclusive: boolean): Uint32Array {
    return this.source.range({ low, lowInclusive, high, highInclusive }, this.#reader);
  }
}

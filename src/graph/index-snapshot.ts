/** An index as seen through one view. */
import type { Value } from '../value/index.ts';
import type { NodeReader } from './node-reader.ts';
import type { PropertyIndex } from './property-index.ts';
import type { IndexView } from './view.ts';

export class IndexSnapshot implements IndexView {
  readonly source: PropertyIndex;
  readonly #reader: NodeReader;

  constructor(source: PropertyIndex, reader: NodeReader) {
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

  find(values: readonly Value[]): Uint32Array {
    return this.source.find(values, this.#reader);
  }

  range(low: Value, lowInclusive: boolean, high: Value, highInclusive: boolean): Uint32Array {
    return this.source.range({ low, lowInclusive, high, highInclusive }, this.#reader);
  }
}

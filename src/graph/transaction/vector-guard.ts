/**
 * Rejects vectors whose number of dimensions differs from that of a vector index on them. Vectors that were written before
 * the index existed stay as they are, and the index does not find them.
 */
import { argumentFault, isNumber, type Value } from '../../value/index.ts';
import type { GraphData } from '../data/graph-data.ts';
import type { GraphIndex } from '../indexes/graph-index.ts';

interface Guarded {
  readonly name: string;
  readonly entity: 'node' | 'relationship';
  readonly labelsOrTypes: readonly number[];
  readonly key: number;
  readonly dimensions: number;
}

const NONE: readonly Guarded[] = [];

/** Rejects vectors that a vector index cannot hold. */
export class VectorGuard {
  readonly #data: GraphData;
  #indexes: readonly GraphIndex[] | null = null;
  #guarded: readonly Guarded[] = NONE;

  constructor(data: GraphData) {
    this.#data = data;
  }

  /** Returns the vector indexes with a fixed number of dimensions; made again when the indexes have changed. */
  #current(): readonly Guarded[] {
    const { indexes } = this.#data;
    if (indexes === this.#indexes) return this.#guarded;
    this.#indexes = indexes;
    this.#guarded = indexes.flatMap(({ subject: { kind, name, entity, labelsOrTypes, keys, settings } }) => {
      const dimensions = settings['vector.dimensions'];
      return kind === 'vector' && typeof dimensions === 'number' ? [{ name, entity, labelsOrTypes, key: keys[0]!, dimensions }] : [];
    });
    return this.#guarded;
  }

  /** Checks all properties of a new entity. @throws ARGUMENT_ERROR when a vector has the wrong number of dimensions */
  checkAll(entity: Guarded['entity'], labelsOrTypes: readonly number[], keys: readonly number[], values: readonly Value[]): void {
    if (this.#current().length === 0) return;
    for (let i = 0; i < keys.length; i++) this.check(entity, labelsOrTypes, keys[i]!, values[i]!);
  }

  check(entity: Guarded['entity'], labelsOrTypes: readonly number[], key: number, value: Value): void {
    for (const guarded of this.#current()) {
      if (guarded.entity === entity && guarded.key === key && isOver(guarded, labelsOrTypes)) this.#checkValue(guarded, value);
    }
  }

  /** Checks the values of a node against the vector indexes that it enters by getting more labels. @throws ARGUMENT_ERROR */
  checkAdded(labels: readonly number[], has: readonly number[], valueOf: (key: number) => Value): void {
    for (const guarded of this.#current()) {
      if (guarded.entity === 'node' && isOver(guarded, labels) && !isOver(guarded, has)) this.#checkValue(guarded, valueOf(guarded.key));
    }
  }

  #checkValue({ name, key, dimensions }: Guarded, value: Value): void {
    const isVector = value instanceof Float32Array || (Array.isArray(value) && value.length > 0 && value.every(isNumber));
    if (!isVector || value.length === dimensions) return;
    const property = this.#data.keys.name(key);
    throw argumentFault(`the vector index ${name} takes vectors of ${dimensions} dimensions, and ${property} has ${value.length}`);
  }
}

const isOver = ({ labelsOrTypes }: Guarded, names: readonly number[]): boolean => labelsOrTypes.some((name) => names.includes(name));

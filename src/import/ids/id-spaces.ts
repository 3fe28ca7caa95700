/**
 * The id spaces of an import, by name. The ids of a space have one type: that of the first header that names one, or
 * the default of the import. In a space with a key to merge on, ids may also name existing nodes.
 */
import { GraphDBError } from '../../base/index.ts';
import type { IdType } from '../api.ts';
import type { IdColumn } from '../csv/header.ts';
import type { IdIndex, IdResolver } from './id-index.ts';
import { IntegerIds } from './integer-ids.ts';
import type { MergeKeys } from './merge-keys.ts';
import { MergedIds } from './merged-ids.ts';
import { StringIds } from './string-ids.ts';

/** The id spaces of an import. */
export class IdSpaces {
  readonly #defaultType: IdType;
  readonly #types = new Map<string, IdType | null>();
  readonly #indexes = new Map<string, IdIndex>();
  readonly #known = new Map<string, IdResolver>();
  readonly mergeKeys: MergeKeys;

  constructor(defaultType: IdType, mergeKeys: MergeKeys) {
    this.#defaultType = defaultType;
    this.mergeKeys = mergeKeys;
  }

  /** Declares the space of an id column. To be called for all `:ID` columns before anything is loaded. */
  declare({ space, idType }: IdColumn): void {
    const known = this.#types.get(space) ?? null;
    if (known !== null && idType !== null && known !== idType) {
      throw new GraphDBError('ARGUMENT_ERROR', `the ids of space ${spaceName(space)} are ${known} in one header and ${idType} in another`);
    }
    this.#types.set(space, known ?? idType);
    this.mergeKeys.of(space);
  }

  /** Checks a `:START_ID` or `:END_ID` column against the declarations. */
  require(column: IdColumn): void {
    if (!this.#types.has(column.space) && this.mergeKeys.of(column.space) === null) {
      const names = [...this.#types.keys()].map(spaceName).join(', ');
      throw new GraphDBError(
        'ARGUMENT_ERROR',
        `no file of nodes has an :ID column in space ${spaceName(column.space)} (there are: ${names || 'none'})`,
      );
    }
    this.declare(column);
  }

  typeOf(space: string): IdType {
    return this.#types.get(space) ?? this.#defaultType;
  }

  /** Sets the ids of the existing nodes of a space. To be called before any other use of the space. */
  setKnown(space: string, ids: IdResolver): void {
    this.#known.set(space, ids);
  }

  known(space: string): IdResolver | null {
    return this.#known.get(space) ?? null;
  }

  index(space: string): IdIndex {
    let index = this.#indexes.get(space);
    if (index === undefined) {
      const added = this.typeOf(space) === 'integer' ? new IntegerIds() : new StringIds();
      const known = this.#known.get(space);
      index = known === undefined ? added : new MergedIds(known, added);
      this.#indexes.set(space, index);
    }
    return index;
  }

  renumber(ordinals: Uint32Array): void {
    for (const index of this.#indexes.values()) index.renumber(ordinals);
  }
}

/** Returns the name of an id space for messages. */
export function spaceName(space: string): string {
  return space === '' ? '(the global one)' : JSON.stringify(space);
}

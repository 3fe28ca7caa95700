/** The id spaces of an import by name. A space holds ids of one type: what the first header says that says something, or the type of the import. */
import { GraphDBError } from '../../base/index.ts';
import type { IdType } from '../api.ts';
import type { IdColumn } from '../csv/header.ts';
import type { IdIndex } from './id-index.ts';
import { IntegerIds } from './integer-ids.ts';
import { StringIds } from './string-ids.ts';

export class IdSpaces {
  readonly #defaultType: IdType;
  readonly #types = new Map<string, IdType | null>();
  readonly #indexes = new Map<string, IdIndex>();

  constructor(defaultType: IdType) {
    this.#defaultType = defaultType;
  }

  /** To be called for all `:ID` columns before anything is loaded. */
  declare({ space, idType }: IdColumn): void {
    const known = this.#types.get(space) ?? null;
    if (known !== null && idType !== null && known !== idType) {
      throw new GraphDBError('ARGUMENT_ERROR', `the ids of space ${spaceName(space)} are ${known} in one header and ${idType} in another`);
    }
    this.#types.set(space, known ?? idType);
  }

  /** Checks a `:START_ID` or `:END_ID` column against the declarations. */
  require(column: IdColumn): void {
    if (!this.#types.has(column.space)) {
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

  index(space: string): IdIndex {
    let index = this.#indexes.get(space);
    if (index === undefined) {
      index = this.typeOf(space) === 'integer' ? new IntegerIds() : new StringIds();
      this.#indexes.set(space, index);
    }
    return index;
  }

  renumber(ordinals: Uint32Array): void {
    for (const index of this.#indexes.values()) index.renumber(ordinals);
  }
}

export function spaceName(space: string): string {
  return space === '' ? '(the global one)' : JSON.stringify(space);
}

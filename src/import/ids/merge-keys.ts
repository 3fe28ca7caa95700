/**
 * `--merge-on`: the id spaces whose ids may name existing nodes, and the keys to find these by. A key that names no
 * space is for the space that is named like its label and, if it is the only such key, for the unnamed space.
 */
import { GraphDBError } from '../../base/index.ts';
import type { MergeKey } from '../api.ts';
import { INTERNAL_ID, type NodeHeader } from '../csv/header.ts';

/** The keys by which an import merges. */
export class MergeKeys {
  readonly #keys: readonly MergeKey[];
  readonly #used = new Map<string, MergeKey>();

  /** @throws ARGUMENT_ERROR for two keys with the same space */
  constructor(keys: readonly MergeKey[]) {
    this.#keys = keys;
    const spaces = keys.map(({ space, label }) => space ?? label ?? '');
    const twice = spaces.find((space, index) => spaces.indexOf(space) !== index);
    if (twice !== undefined) throw fault(`two keys to merge on for the id space ${JSON.stringify(twice)}`);
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  /** Returns the key of a space; null: its ids name new nodes only. */
  of(space: string): MergeKey | null {
    const open = this.#keys.filter((key) => key.space === null);
    const key =
      this.#keys.find((candidate) => candidate.space === space) ??
      open.find(({ label }) => (label ?? '') === space) ??
      (space === '' && open.length === 1 ? open[0] : undefined);
    if (key !== undefined) this.#used.set(space, key);
    return key ?? null;
  }

  /** Returns the keys of the spaces that were asked for. @throws ARGUMENT_ERROR for a key whose space no header has */
  spaces(): ReadonlyMap<string, MergeKey> {
    const idle = this.#keys.find((key) => ![...this.#used.values()].includes(key));
    if (idle !== undefined) {
      throw fault(
        `no column holds ids to merge on ${mergeKeyText(idle)}: name the space in the headers (id:ID(${idle.label ?? 'Space'}), ` +
          `:START_ID(${idle.label ?? 'Space'})), or before the key (Space=${mergeKeyText(idle)})`,
      );
    }
    return this.#used;
  }
}

/** Returns a merge key as users write it. */
export function mergeKeyText({ label, key }: MergeKey): string {
  return label === null ? key : `${label}.${key}`;
}

/** Checks that new nodes can be found by the key in a later import. @throws ARGUMENT_ERROR when the column of ids has another name */
export function checkMergedHeader({ id }: NodeHeader, merge: MergeKey): void {
  if (id?.key === merge.key) return;
  const named = merge.key === INTERNAL_ID ? INTERNAL_ID : JSON.stringify(merge.key);
  throw fault(`nodes are merged on ${mergeKeyText(merge)}, so the :ID column must be named ${named}: ${merge.key}:ID(${id?.space ?? ''})`);
}

function fault(message: string): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', message);
}

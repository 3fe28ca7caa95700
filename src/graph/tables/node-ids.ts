/**
 * Internal identifiers of nodes. The default identifier is computed, `n` and the ordinal, and takes no space. Identifiers set by users are
 * kept in a hidden column of the node's table, and in a hash table from text to ordinal. A reader verifies each entry against the node, so
 * that stale entries (of deleted nodes, of rolled-back transactions) do no harm.
 */
import { HashMultimap, type SharedMultimap } from '../arrays/hash-multimap.ts';
import { hashText } from '../arrays/utf8.ts';
import { notLoaded } from '../view/residency.ts';
import { assertNoNode, loadedTableOfNode, type NodeReader } from './node-reader.ts';

const COMPUTED_ID = /^([nr])(0|[1-9]\d{0,9})$/;
const LARGEST_ORDINAL = 0xfffffffe;

/** Returns the identifier of a node whose identifier the user did not set. */
export function computedNodeId(ordinal: number): string {
  return `n${ordinal}`;
}

/** Returns the identifier of a relationship. */
export function computedRelationshipId(ordinal: number): string {
  return `r${ordinal}`;
}

/** Returns the ordinal in an identifier of computed form; -1 for any other text. */
export function ordinalOfId(id: string, prefix: 'n' | 'r'): number {
  const match = COMPUTED_ID.exec(id);
  if (match === null || match[1] !== prefix) return -1;
  const ordinal = Number(match[2]);
  return ordinal <= LARGEST_ORDINAL ? ordinal : -1;
}

/** The identifiers of nodes. */
export class NodeIds {
  readonly #entries = new HashMultimap();
  /**
   * The largest ordinal in a user-set identifier of computed form; -1 for none. An ordinal up to it is given out only
   * after a look-up of its computed identifier.
   */
  #largestComputed = -1;

  get size(): number {
    return this.#entries.size;
  }

  share(): SharedMultimap {
    return this.#entries.share();
  }

  /** Lets these identifiers read what another thread has shared. */
  follow(shared: SharedMultimap): void {
    this.#entries.follow(shared);
  }

  add(id: string, ordinal: number): void {
    this.#entries.add(hashText(id), ordinal);
    this.#largestComputed = Math.max(this.#largestComputed, ordinalOfId(id, 'n'));
  }

  /** Returns the node with this identifier; -1 for none. @throws INTERNAL when the node may be in a file that is not loaded */
  find(id: string, reader: NodeReader): number {
    for (const { stored } of reader.tables) if (stored?.idsLoaded === false) throw notLoaded('an identifier');
    const found = this.findLoaded(id, reader);
    const ordinal = found < 0 ? ordinalOfId(id, 'n') : -1;
    if (ordinal >= 0 && loadedTableOfNode(reader, ordinal) === undefined) assertNoNode(reader, ordinal);
    return found;
  }

  /** Returns the node with this identifier; -1 when there is none or it is not in memory. */
  findLoaded(id: string, reader: NodeReader): number {
    const set = this.#findSet(id, reader);
    if (set >= 0) return set;
    const ordinal = ordinalOfId(id, 'n');
    if (ordinal < 0) return -1;
    const table = loadedTableOfNode(reader, ordinal);
    return table !== undefined && table.idAt(reader.directory.row) === null ? ordinal : -1;
  }

  #findSet(id: string, reader: NodeReader): number {
    if (this.#entries.size === 0 || !id.isWellFormed()) return -1;
    for (let entry = this.#entries.first(hashText(id)); entry >= 0; entry = this.#entries.next(entry)) {
      const ordinal = this.#entries.value(entry);
      const table = loadedTableOfNode(reader, ordinal);
      if (table !== undefined && table.idAt(reader.directory.row) === id) return ordinal;
    }
    return -1;
  }

  /** Returns the first ordinal from `ordinal` on whose computed identifier is not the user-set identifier of a node. */
  nextFree(ordinal: number, reader: NodeReader): number {
    let free = ordinal;
    while (free <= this.#largestComputed && this.#findSet(computedNodeId(free), reader) >= 0) free++;
    return free;
  }

  /** The first ordinal from which on no computed identifier has been set by a user. */
  get freeFrom(): number {
    return this.#largestComputed + 1;
  }
}

/**
 * Reads the arrays of an adjacency by page (docs/storage-format.md, "Adjacency"). The page of an element follows by
 * arithmetic: element i of an array is in page ⌊i / pageElements⌋ of it.
 *
 * Cost of pages that are not in the cache: one request for adjacent pages, up to 4 MiB; and for each file of the
 * artefact that is read from, once per reader, one for the list of its pages if it has more than four. Every page is
 * checked against its checksum before it is returned (B7), and its elements against the bounds in the directory.
 */
import { assert } from '../../base/index.ts';
import type { ArtefactReader } from '../api.ts';
import { type AdjacencyDirectory, type ArrayName, type PagedArrayPlace, parseAdjacencyDirectory } from './adjacency-directory.ts';
import { unpackPage } from './packed-page.ts';

/** The arrays of an adjacency, read by page. */
export interface PagedArrays {
  readonly directory: AdjacencyDirectory;
  /** Returns how many elements the array has; 0 where the adjacency does not have it. */
  length(name: ArrayName): number;
  /** Returns how many elements the page has: `directory.pageElements`, in the last page the rest. */
  pageLength(name: ArrayName, page: number): number;
  /**
   * Fills `into` with the elements of `count` pages of the array from page `first` on, where page 0 holds element 0;
   * the length of `into` is that of the pages together. After an error its content is undefined.
   * @throws CORRUPTION when an object is damaged or missing; the adjacency must not be used again
   * (`Namespace.foundDamaged`)
   */
  readPages(name: ArrayName, first: number, count: number, into: Uint32Array): Promise<void>;
}

/** Opens the arrays of an adjacency, without a request. @throws CORRUPTION when the directory is not that of an adjacency */
export async function openPagedArrays(reader: ArtefactReader): Promise<PagedArrays> {
  return new AdjacencyArrays(reader, parseAdjacencyDirectory(reader));
}

class AdjacencyArrays implements PagedArrays {
  readonly directory: AdjacencyDirectory;
  readonly #reader: ArtefactReader;

  constructor(reader: ArtefactReader, directory: AdjacencyDirectory) {
    this.#reader = reader;
    this.directory = directory;
  }

  length(name: ArrayName): number {
    return this.directory.arrays[name]?.length ?? 0;
  }

  pageLength(name: ArrayName, page: number): number {
    const { pageElements } = this.directory;
    return Math.min(pageElements, this.length(name) - page * pageElements);
  }

  async readPages(name: ArrayName, first: number, count: number, into: Uint32Array): Promise<void> {
    const { pageElements } = this.directory;
    const place = this.#placeOf(name);
    const end = Math.min((first + count) * pageElements, place.length);
    assert(first >= 0 && first + count <= place.pages, `array ${name} has pages ${first}+${count}`);
    assert(into.length === Math.max(end - first * pageElements, 0), 'the target is as long as the pages');
    const pages = await this.#reader.readPages(place.firstPage + first, count);
    for (const [index, bytes] of pages.entries()) {
      const target = into.subarray(index * pageElements, Math.min((index + 1) * pageElements, into.length));
      if (!unpackPage(bytes, target)) throw this.#reader.corruption(`page ${first + index} of ${name} cannot be unpacked`);
      this.#check(name, target, (first + index) * pageElements);
    }
  }

  #placeOf(name: ArrayName): PagedArrayPlace {
    const place = this.directory.arrays[name];
    assert(place !== undefined, `the adjacency has no ${name}`);
    return place;
  }

  /** Checks values of an array against the directory; `from` is the index of the first value in the array. */
  #check(name: ArrayName, values: Uint32Array, from: number): void {
    const { leastNeighbour, mostNeighbour, rows } = this.directory;
    let isSound: boolean;
    switch (name) {
      case 'offsets':
        isSound = this.#areOffsets(values, from);
        break;
      case 'neighbours':
        isSound = areWithin(values, leastNeighbour, mostNeighbour);
        break;
      case 'rows':
        isSound = areWithin(values, 0, rows - 1);
        break;
    }
    if (!isSound) throw this.#reader.corruption(`${name} from ${from} on have values that cannot be`);
  }

  #areOffsets(values: Uint32Array, from: number): boolean {
    const { entries } = this.directory;
    for (let i = 1; i < values.length; i++) if (values[i]! < values[i - 1]!) return false;
    if (from === 0 && values[0] !== 0) return false;
    const last = values.at(-1)!;
    return from + values.length === this.length('offsets') ? last === entries : last <= entries;
  }
}

function areWithin(values: Uint32Array, least: number, most: number): boolean {
  for (const value of values) if (value < least || value > most) return false;
  return true;
}

/**
 * Reads the arrays of an adjacency by page (docs/storage-format.md, "Adjacency"). The page of an element is known by
 * arithmetic: element i of an array is in page ⌊i / pageElements⌋ of it.
 *
 * Cost of pages that are not in the cache: one request for pages side by side, up to 4 MiB; and for each file of the
 * artefact that is read from, once per reader, one for the list of its pages where that has more than four. Every page
 * is checked by its checksum before it is given out (B7), and what is in it against the bounds that the directory
 * tells.
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
  /** Returns how many elements the page has: `directory.pageElements`, or the rest in the last one. */
  pageLength(name: ArrayName, page: number): number;
  /**
   * Fills `into` with the elements of so many pages of the array from the first on, page 0 being that of element 0; its
   * length is that of the pages together. What stood there is undefined after an error. CORRUPTION names the object: it
   * is damaged or missing, and the adjacency is not to be used again (`Namespace.foundDamaged`).
   */
  readPages(name: ArrayName, first: number, count: number, into: Uint32Array): Promise<void>;
}

/** No request. CORRUPTION: the directory is not that of an adjacency. */
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

  /** `from`: the place of the first of the values in their array. */
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

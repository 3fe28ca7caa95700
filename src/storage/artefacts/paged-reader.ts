/**
 * Reads an artefact by page: adjacent pages by one ranged read, and one more for the list of the pages of a file where
 * that list stands in the file. Everything is checked before it is returned (B7), and kept in the cache where there is
 * one. The caller of a reader that finds damage must not use the artefact again.
 */
import { crc32 } from 'node:zlib';
import { assert } from '../../base/index.ts';
import type { ArtefactFile, ArtefactPage, ArtefactReader, ManifestArtefact } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { corruption } from '../faults.ts';
import { CheckedRanges } from '../files/checked-ranges.ts';
import type { FileSource } from '../files/file-access.ts';
import { decodePages, isTable, pageCount } from '../files/page-table.ts';
import type { StorePages } from '../page-cache/page-cache.ts';
import { nameOfBuffer, type StoreCache } from '../sst/sst-cache.ts';

/** The most bytes that one request reads, unless a single page has more. */
const REQUEST_BYTES = 4 * 2 ** 20;
const CONCURRENT_READS = 16;

/** A requested page, and its index among the requested pages. */
interface WantedPage {
  readonly file: ArtefactFile;
  readonly page: ArtefactPage;
  readonly index: number;
}

/** Reads an artefact by page. */
export class PagedReader implements ArtefactReader {
  readonly artefact: ManifestArtefact;
  readonly #ranges: CheckedRanges;
  readonly #cache: StoreCache | null;
  readonly #pagesOf = new Map<ArtefactFile, Promise<readonly ArtefactPage[]>>();
  readonly pageCount: number;

  /** `pages` is the store's cache on a local disk; null without one. */
  constructor(source: FileSource, artefact: ManifestArtefact, cache: StoreCache | null = null, pages: StorePages | null = null) {
    this.artefact = artefact;
    this.#ranges = new CheckedRanges(source, pages);
    this.#cache = cache;
    this.pageCount = artefact.files.reduce((sum, file) => sum + pageCount(file), 0);
  }

  async readPages(first: number, count: number): Promise<readonly Uint8Array[]> {
    assert(first >= 0 && count >= 0 && first + count <= this.pageCount, `artefact ${this.artefact.id} has pages ${first}+${count}`);
    const pages = new Array<Uint8Array>(count);
    const places = await this.#places(first, count);
    const known = await Promise.all(places.map((wanted) => this.#find(wanted)));
    const missing = places.filter(({ index }) => {
      const bytes = known[index]!;
      if (bytes !== null) pages[index] = bytes;
      return bytes === null;
    });
    await mapConcurrently(joined(missing), CONCURRENT_READS, (group) => this.#readJoined(group, pages));
    return pages;
  }

  async readPageList(file: number): Promise<void> {
    await this.#pages(this.artefact.files[file]!);
  }

  async readFences(file: number): Promise<readonly string[]> {
    const pages = await this.#pages(this.artefact.files[file]!);
    return pages.map(([, , , fence]) => {
      if (fence === undefined) throw this.corruption('its pages have no fence keys');
      return fence;
    });
  }

  /** Returns the places of the requested pages, in order. */
  async #places(first: number, count: number): Promise<WantedPage[]> {
    const places: WantedPage[] = [];
    let before = 0;
    for (const file of this.artefact.files) {
      const [from, to] = [Math.max(first - before, 0), Math.min(first + count - before, pageCount(file))];
      const pages = from < to ? (await this.#pages(file)).slice(from, to) : [];
      for (const page of pages) places.push({ file, page, index: places.length });
      before += pageCount(file);
    }
    return places;
  }

  /** Finds a page in the caches; null when it must be read from the bucket. */
  async #find(wanted: WantedPage): Promise<Uint8Array | null> {
    const known = this.#cache?.entries.get(this.#nameOf(wanted));
    if (known !== undefined) return known;
    const [offset, length, checksum] = wanted.page;
    const kept = await this.#ranges.findKept(wanted.file, offset, length, (bytes) => crc32(bytes) === checksum);
    if (kept !== null) this.#cache?.entries.put(this.#nameOf(wanted), kept);
    return kept;
  }

  #nameOf({ file, page: [offset, bytes, checksum] }: WantedPage): string {
    return nameOfBuffer(this.#cache!.location, file, [offset, bytes, checksum]);
  }

  async #readJoined(group: readonly WantedPage[], pages: Uint8Array[]): Promise<void> {
    const { file, page: firstPage } = group[0]!;
    const [offset, bytes] = group.at(-1)!.page;
    const start = firstPage[0];
    const image = await this.#ranges.fetch(file, start, offset + bytes - start);
    for (const wanted of group) {
      const [at, length, checksum] = wanted.page;
      const content = image.subarray(at - start, at - start + length);
      if (crc32(content) !== checksum) throw mismatch(file, wanted.page);
      this.#ranges.keep(file, at, content);
      this.#cache?.entries.put(this.#nameOf(wanted), content);
      pages[wanted.index] = content;
    }
  }

  /** Returns the list of the pages of a file, which is read once per reader. */
  #pages(file: ArtefactFile): Promise<readonly ArtefactPage[]> {
    const known = this.#pagesOf.get(file);
    if (known !== undefined) return known;
    const reading = this.#findPages(file).catch((error: unknown) => {
      this.#pagesOf.delete(file);
      throw error;
    });
    this.#pagesOf.set(file, reading);
    return reading;
  }

  async #findPages(file: ArtefactFile): Promise<readonly ArtefactPage[]> {
    const { pages } = file;
    if (!isTable(pages)) return pages;
    const list = { file, page: pages.place, index: 0 };
    const known = await this.#find(list);
    if (known !== null) return decodePages(file, pages, known);
    const read: Uint8Array[] = [];
    await this.#readJoined([list], read);
    return decodePages(file, pages, read[0]!);
  }

  corruption(what: string): Error {
    return corruption(this.artefact.files[0]?.key ?? this.artefact.id, `artefact ${this.artefact.id}: ${what}`);
  }
}

function mismatch({ key }: ArtefactFile, [offset, length]: ArtefactPage): Error {
  return corruption(key, `the checksum of the ${length} bytes at ${offset} does not match`);
}

/** Groups pages that one request reads: adjacent ones in one file. */
function joined(wanted: readonly WantedPage[]): WantedPage[][] {
  const groups: WantedPage[][] = [];
  for (const each of wanted) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const goesOn = last !== undefined && last.file === each.file && last.page[0] + last.page[1] === each.page[0];
    if (goesOn && each.page[0] + each.page[1] - group![0]!.page[0] <= REQUEST_BYTES) group!.push(each);
    else groups.push([each]);
  }
  return groups;
}

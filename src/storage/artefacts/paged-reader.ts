/**
 * Reads an artefact by page: one ranged read each, and one for the list of the pages of a file where that stands in the file, checked before it is given out (B7), and kept in the cache where there is one. A reader tells whoever opened it about damage, so that the artefact is
 * not used again.
 */
import { crc32 } from 'node:zlib';
import { assert } from '../../base/index.ts';
import type { ArtefactFile, ArtefactPage, ArtefactReader, ManifestArtefact } from '../api.ts';
import { corruption, MissingFileError } from '../faults.ts';
import type { FileSource } from '../files/file-access.ts';
import { decodePages, isTable, pageCount } from '../files/page-table.ts';
import { nameOfBuffer, type StoreCache } from '../sst/sst-cache.ts';

export class PagedReader implements ArtefactReader {
  readonly artefact: ManifestArtefact;
  readonly #source: FileSource;
  readonly #cache: StoreCache | null;
  readonly #pagesOf = new Map<ArtefactFile, Promise<readonly ArtefactPage[]>>();
  readonly pageCount: number;

  constructor(source: FileSource, artefact: ManifestArtefact, cache: StoreCache | null = null) {
    this.artefact = artefact;
    this.#source = source;
    this.#cache = cache;
    this.pageCount = artefact.files.reduce((sum, file) => sum + pageCount(file), 0);
  }

  async readPage(index: number): Promise<Uint8Array> {
    assert(index >= 0 && index < this.pageCount, `artefact ${this.artefact.id} has page ${index}`);
    let rest = index;
    for (const file of this.artefact.files) {
      if (rest < pageCount(file)) return this.#read(file, (await this.#pages(file))[rest]!);
      rest -= pageCount(file);
    }
    throw this.corruption(`it has no page ${index}`);
  }

  /** Read once per reader. */
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
    return isTable(pages) ? decodePages(file, pages, await this.#read(file, pages.place)) : pages;
  }

  async #read(file: ArtefactFile, page: ArtefactPage): Promise<Uint8Array> {
    const name = this.#cache === null ? '' : nameOfBuffer(this.#cache.location, file, page);
    const known = this.#cache?.entries.get(name);
    if (known !== undefined) return known;
    const bytes = await this.#readChecked(file, page);
    this.#cache?.entries.put(name, bytes);
    return bytes;
  }

  corruption(what: string): Error {
    return corruption(this.artefact.files[0]?.key ?? this.artefact.id, what);
  }

  async #readChecked({ key }: ArtefactFile, [offset, length, checksum]: ArtefactPage): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    const read = await this.#source.readInto(key, offset, bytes);
    if (read === null) throw new MissingFileError(key);
    if (read !== length || crc32(bytes) !== checksum)
      throw corruption(key, `the checksum of the ${length} bytes at ${offset} does not match`);
    return bytes;
  }
}

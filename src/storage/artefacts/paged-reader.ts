/**
 * Reads an artefact by page: one ranged read each, checked before it is given out (B7), and kept in the cache where there is one. A reader tells whoever opened it about damage, so that the artefact is
 * not used again.
 */
import { crc32 } from 'node:zlib';
import { assert } from '../../base/index.ts';
import type { ArtefactFile, ArtefactPage, ArtefactReader, ManifestArtefact } from '../api.ts';
import { corruption, MissingFileError } from '../faults.ts';
import type { FileSource } from '../files/file-access.ts';
import { nameOfBuffer, type StoreCache } from '../sst/sst-cache.ts';

export class PagedReader implements ArtefactReader {
  readonly artefact: ManifestArtefact;
  readonly #source: FileSource;
  readonly #cache: StoreCache | null;
  readonly #pages: readonly { readonly file: ArtefactFile; readonly page: ArtefactPage }[];

  constructor(source: FileSource, artefact: ManifestArtefact, cache: StoreCache | null = null) {
    this.artefact = artefact;
    this.#source = source;
    this.#cache = cache;
    this.#pages = artefact.files.flatMap((file) => file.pages.map((page) => ({ file, page })));
  }

  get pageCount(): number {
    return this.#pages.length;
  }

  async readPage(index: number): Promise<Uint8Array> {
    const found = this.#pages[index];
    assert(found !== undefined, `artefact ${this.artefact.id} has no page ${index}`);
    const { file, page } = found;
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

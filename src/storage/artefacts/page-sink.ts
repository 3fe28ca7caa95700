/**
 * Packs the pages of an artefact into files of at most some 16 MiB, and uploads them as pages arrive. A file of many
 * pages, or of pages with fence keys, also holds the list of its pages. Several sequences of pages may grow at once; a
 * file holds pages of one sequence, unless all pages together are small. Memory: a file for each sequence. Cost: one
 * put per file.
 */
import { crc32 } from 'node:zlib';
import { assert } from '../../base/index.ts';
import type { ArtefactFile, ArtefactPage } from '../api.ts';
import { placePages } from '../files/page-table.ts';
import { LARGEST_PAGE_BYTES, type PageSequence, type PageSink } from './artefact-kind.ts';

const FILE_BYTES = 16 * 2 ** 20;

/** Stores an object and returns its key. The bytes belong to the function from then on. */
type CreateFile = (bytes: Uint8Array) => Promise<string>;

interface Page {
  readonly bytes: Uint8Array;
  readonly fence: string | undefined;
}

/** Uploads the pages of an artefact. */
export class UploadingSink implements PageSink {
  readonly #create: CreateFile;
  readonly #sequences: UploadingSequence[] = [];

  constructor(create: CreateFile) {
    this.#create = create;
  }

  begin(): PageSequence {
    const sequence = new UploadingSequence(this.#create);
    this.#sequences.push(sequence);
    return sequence;
  }

  /** Uploads the remaining pages. Returns all files, in the order of the pages. */
  async finish(): Promise<ArtefactFile[]> {
    const waiting = this.#sequences.reduce((sum, { waitingBytes }) => sum + waitingBytes, 0);
    const isSmall = waiting <= FILE_BYTES && this.#sequences.every(({ files }) => files.length === 0);
    if (isSmall)
      return putFile(
        this.#sequences.flatMap((sequence) => sequence.waiting),
        this.#create,
      );
    for (const sequence of this.#sequences) await sequence.put();
    return this.#sequences.flatMap(({ files }) => files);
  }
}

class UploadingSequence implements PageSequence {
  readonly #create: CreateFile;
  readonly files: ArtefactFile[] = [];
  waiting: Page[] = [];
  waitingBytes = 0;
  pageCount = 0;

  constructor(create: CreateFile) {
    this.#create = create;
  }

  async add(bytes: Uint8Array, fence?: string): Promise<void> {
    assert(bytes.length <= LARGEST_PAGE_BYTES, 'a page is no larger than one read should be');
    if (this.waitingBytes + bytes.length > FILE_BYTES) await this.put();
    this.waiting.push({ bytes, fence });
    this.waitingBytes += bytes.length;
    this.pageCount++;
  }

  async put(): Promise<void> {
    const pages = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    this.files.push(...(await putFile(pages, this.#create)));
  }
}

/** Stores pages as one file; stores none when there are no pages. */
async function putFile(pages: readonly Page[], create: CreateFile): Promise<ArtefactFile[]> {
  if (pages.length === 0) return [];
  const { behind, pages: described } = placePages(describePages(pages));
  const bytes = joinBytes([...pages.map((page) => page.bytes), behind]);
  const file = { bytes: bytes.length, crc32: crc32(bytes), pages: described };
  return [{ key: await create(bytes), ...file }];
}

/** Joins bytes in an ArrayBuffer of their own, which can be transferred to another thread. */
function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function describePages(pages: readonly Page[]): ArtefactPage[] {
  let offset = 0;
  return pages.map(({ bytes, fence }) => {
    const place = [offset, bytes.length, crc32(bytes)] as const;
    offset += bytes.length;
    return fence === undefined ? place : [...place, fence];
  });
}

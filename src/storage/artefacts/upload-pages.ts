/** Packs pages, with the list of them where they are many, into files of some 32 MiB and puts them under fresh names. Cost: one put per file. */
import { crc32 } from 'node:zlib';
import { assert } from '../../base/index.ts';
import type { ArtefactFile, ArtefactPage } from '../api.ts';
import { placePages } from '../files/page-table.ts';
import { FILE_BYTES } from '../sst/upload-table.ts';
import { LARGEST_PAGE_BYTES } from './artefact-kind.ts';

/** `create` stores an object and answers with its key. Pages keep their order over the files. */
export async function uploadPages(pages: readonly Uint8Array[], create: (bytes: Uint8Array) => Promise<string>): Promise<ArtefactFile[]> {
  const files: ArtefactFile[] = [];
  for (const group of filesOf(pages)) {
    const { behind, pages: described } = placePages(describePages(group));
    const bytes = Buffer.concat([...group, behind]);
    const checksum = crc32(bytes);
    files.push({ key: await create(bytes), bytes: bytes.length, crc32: checksum, pages: described });
  }
  return files;
}

function filesOf(pages: readonly Uint8Array[]): Uint8Array[][] {
  const files: Uint8Array[][] = [];
  let bytes = FILE_BYTES;
  for (const page of pages) {
    assert(page.length <= LARGEST_PAGE_BYTES, 'a page is no larger than one read should be');
    if (bytes + page.length > FILE_BYTES) {
      files.push([]);
      bytes = 0;
    }
    files.at(-1)!.push(page);
    bytes += page.length;
  }
  return files;
}

function describePages(pages: readonly Uint8Array[]): ArtefactPage[] {
  let offset = 0;
  return pages.map((page) => {
    const described = [offset, page.length, crc32(page)] as const;
    offset += page.length;
    return described;
  });
}

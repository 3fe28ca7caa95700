/**
 * The places of the pages of an artefact. The list of a few pages stands in the manifest; that of many, or of pages
 * with fence keys, stands behind the pages in their file, as JSON, and is read before a page, by one request.
 */
import { crc32 } from 'node:zlib';
import type { ArtefactFile, ArtefactPage, PageTable } from '../api.ts';
import { corruption } from '../faults.ts';
import { Place } from '../json-place.ts';

/** The most pages whose list stands in the manifest, where it takes about as much as the rest of a file's entry. */
const FEW_PAGES = 4;

/** Whether the list of pages stands in the file instead of the manifest. */
export function isTable(pages: ArtefactFile['pages']): pages is PageTable {
  return !Array.isArray(pages);
}

/** Returns the number of pages of a file. */
export function pageCount({ pages }: Pick<ArtefactFile, 'pages'>): number {
  return isTable(pages) ? pages.count : pages.length;
}

/** Decides where the list of pages stands: returns the bytes to put behind the pages, and the entry for the manifest. */
export function placePages(pages: readonly ArtefactPage[]): { readonly behind: Uint8Array; readonly pages: ArtefactFile['pages'] } {
  const fence = pages[0]?.[3];
  if (pages.length <= FEW_PAGES && fence === undefined) return { behind: new Uint8Array(0), pages };
  const behind = Buffer.from(JSON.stringify(pages));
  const [offset, bytes] = pages.at(-1)!;
  const place = [offset + bytes, behind.length, crc32(behind)] as const;
  return { behind, pages: { count: pages.length, place, ...(fence === undefined ? {} : { fence }) } };
}

/** Decodes the list of pages of a file. @throws CORRUPTION */
export function decodePages(file: ArtefactFile, { count, fence }: PageTable, bytes: Uint8Array): readonly ArtefactPage[] {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw corruption(file.key, 'the list of its pages is not JSON', error);
  }
  const place = new Place(null, file.key, json);
  const pages = place.list((page) => parseListedPage(page, file, fence !== undefined));
  if (pages.length !== count) place.fail(`a list of ${count} pages`);
  return pages[0]?.[3] === fence ? pages : place.fail('a list that begins with the fence key of the manifest');
}

/** Parses a page of the list in a file, with its fence key if pages have fence keys. */
function parseListedPage(place: Place, file: Pick<ArtefactFile, 'bytes'>, isFenced: boolean): ArtefactPage {
  if (!isFenced || !Array.isArray(place.value)) return parsePage(place, file);
  const fence: unknown = place.value[3];
  if (typeof fence !== 'string') return place.fail('a page with a fence key');
  const [offset, bytes, checksum] = parsePage(new Place(place, 'page', place.value.slice(0, 3)), file);
  return [offset, bytes, checksum, fence];
}

/** Parses the list of pages in a manifest. @throws CORRUPTION */
export function parsePages(place: Place, file: Pick<ArtefactFile, 'bytes'>): ArtefactPage[] {
  return place.list((page) => parsePage(page, file));
}

/** Parses the place of a page, or of the list of pages. @throws CORRUPTION */
export function parsePage(place: Place, file: Pick<ArtefactFile, 'bytes'>): ArtefactPage {
  const numbers = place.list((entry) => entry.count());
  if (numbers.length !== 3) place.fail('a page: [offset, bytes, crc32]');
  if (numbers[0]! + numbers[1]! > file.bytes) place.fail('within the file');
  return numbers as unknown as ArtefactPage; // Three counts: just checked.
}

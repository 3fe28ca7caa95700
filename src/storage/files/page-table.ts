/**
 * Where the pages of an artefact lie. Few stand in the manifest; of many, and of those with fence keys, the list stands
 * behind them in their file, as JSON, and whoever wants one of them reads that list first, by one request.
 */
import { crc32 } from 'node:zlib';
import type { ArtefactFile, ArtefactPage, PageTable } from '../api.ts';
import { corruption } from '../faults.ts';
import { Place } from '../json-place.ts';

/** So many stand in the manifest: about what else it says of a file. */
const FEW_PAGES = 4;

/** Tells whether the pages stand in a table of their own. */
export function isTable(pages: ArtefactFile['pages']): pages is PageTable {
  return !Array.isArray(pages);
}

/** Returns the number of pages of a file. */
export function pageCount({ pages }: Pick<ArtefactFile, 'pages'>): number {
  return isTable(pages) ? pages.count : pages.length;
}

/** Places pages in their file: returns the bytes behind them, and their entries in the manifest. */
export function placePages(pages: readonly ArtefactPage[]): { readonly behind: Uint8Array; readonly pages: ArtefactFile['pages'] } {
  const fence = pages[0]?.[3];
  if (pages.length <= FEW_PAGES && fence === undefined) return { behind: new Uint8Array(0), pages };
  const behind = Buffer.from(JSON.stringify(pages));
  const [offset, bytes] = pages.at(-1)!;
  const place = [offset + bytes, behind.length, crc32(behind)] as const;
  return { behind, pages: { count: pages.length, place, ...(fence === undefined ? {} : { fence }) } };
}

/** CORRUPTION names the file. */
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

/** A page as the list in a file tells it: with its fence key, where pages have some. */
function parseListedPage(place: Place, file: Pick<ArtefactFile, 'bytes'>, isFenced: boolean): ArtefactPage {
  if (!isFenced || !Array.isArray(place.value)) return parsePage(place, file);
  const fence: unknown = place.value[3];
  if (typeof fence !== 'string') return place.fail('a page with a fence key');
  const [offset, bytes, checksum] = parsePage(new Place(place, 'page', place.value.slice(0, 3)), file);
  return [offset, bytes, checksum, fence];
}

/** Parses pages of a manifest. CORRUPTION: they are none. */
export function parsePages(place: Place, file: Pick<ArtefactFile, 'bytes'>): ArtefactPage[] {
  return place.list((page) => parsePage(page, file));
}

/** A page, or where the list of them lies. */
export function parsePage(place: Place, file: Pick<ArtefactFile, 'bytes'>): ArtefactPage {
  const numbers = place.list((entry) => entry.count());
  if (numbers.length !== 3) place.fail('a page: [offset, bytes, crc32]');
  if (numbers[0]! + numbers[1]! > file.bytes) place.fail('within the file');
  return numbers as unknown as ArtefactPage; // Three counts: just checked.
}

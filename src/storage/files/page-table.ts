/**
 * Where the pages of an artefact lie. Few stand in the manifest; of many the list stands behind them in their file, as JSON, and whoever wants one of them reads that list first, by one request.
 */
import { crc32 } from 'node:zlib';
import type { ArtefactFile, ArtefactPage, PageTable } from '../api.ts';
import { corruption } from '../faults.ts';
import { Place } from '../json-place.ts';

/** So many stand in the manifest: about what else it says of a file. */
const FEW_PAGES = 4;

export function isTable(pages: ArtefactFile['pages']): pages is PageTable {
  return !Array.isArray(pages);
}

export function pageCount({ pages }: Pick<ArtefactFile, 'pages'>): number {
  return isTable(pages) ? pages.count : pages.length;
}

/** What follows the pages in their file, and what the manifest says of them. */
export function placePages(pages: readonly ArtefactPage[]): { readonly behind: Uint8Array; readonly pages: ArtefactFile['pages'] } {
  if (pages.length <= FEW_PAGES) return { behind: new Uint8Array(0), pages };
  const behind = Buffer.from(JSON.stringify(pages));
  const [offset, bytes] = pages.at(-1)!;
  return { behind, pages: { count: pages.length, place: [offset + bytes, behind.length, crc32(behind)] } };
}

/** CORRUPTION names the file. */
export function decodePages(file: ArtefactFile, { count }: PageTable, bytes: Uint8Array): readonly ArtefactPage[] {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw corruption(file.key, 'the list of its pages is not JSON', error);
  }
  const place = new Place(null, file.key, json);
  const pages = parsePages(place, file);
  return pages.length === count ? pages : place.fail(`a list of ${count} pages`);
}

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

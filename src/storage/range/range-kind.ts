/**
 * The kind of artefact that finds rows by the values of properties: one for each table and list of keys of a declared
 * range index or uniqueness constraint. A look-up by a declared key in a cold process reads fence keys and a page.
 */
import type { ArtefactReader, ArtefactRecord, Catalog, ManifestArtefact, TableName } from '../api.ts';
import type { ArtefactKind } from '../artefacts/artefact-kind.ts';
import { NOT_LIVE, rowsIn } from '../artefacts/covered-rows.ts';
import { buildRange } from './build-range.ts';
import { keysOf, parseRangeDirectory, RANGE, RANGE_VERSION } from './range-directory.ts';
import { commonLength, compareKeys, decodePage, parseFence } from './range-page.ts';

/** The kinds of catalog definitions that a range index serves: those that look up equality, ranges and prefixes. */
const INDEXED: ReadonlySet<unknown> = new Set(['range', 'unique', 'key']);

/** The kind of artefact that holds range indexes. */
export const rangeKind: ArtefactKind = {
  name: RANGE,
  version: RANGE_VERSION,
  subjects: ({ table, files }, catalog) => (rowsIn(files) >= NOT_LIVE ? [] : indexedKeys(table, catalog).map((keys) => ({ keys }))),
  build: async (subject, rows, pages) => ({ ...(await buildRange(keysIn(subject).map(columnOf), rows, pages)) }),
  verify: verifyRange,
  describe: ({ directory, subject }: ManifestArtefact) => `${String(directory['entries'])} rows by ${keysIn(subject).join(', ')}`,
};

/** Returns the lists of keys over a table, each once even if several indexes or constraints share it. */
function indexedKeys(table: TableName, { indexes, constraints }: Catalog): string[][] {
  const lists = [...indexes, ...constraints].flatMap(({ kind, entity, labelOrType, keys }) => {
    const isOver = entity === 'node' ? (table.labels?.includes(String(labelOrType)) ?? false) : table.type === labelOrType;
    return INDEXED.has(kind) && isOver && Array.isArray(keys) && keys.length > 0 ? [keys.map(String)] : [];
  });
  return [...new Map(lists.map((keys) => [JSON.stringify(keys), keys])).values()];
}

function keysIn({ keys }: ArtefactRecord): string[] {
  return Array.isArray(keys) ? keys.map(String) : [];
}

/** Returns the column of a property key: a key that starts with an underscore is stored with one more. */
function columnOf(key: string): string {
  return key.startsWith('_') ? `_${key}` : key;
}

const PAGES_AT_ONCE = 32;

async function verifyRange(reader: ArtefactReader): Promise<void> {
  const { rows, entries, cutKeys } = parseRangeDirectory(reader);
  keysOf(reader);
  const seen = new Uint8Array(Math.ceil(rows / 8));
  const fences: string[] = [];
  for (const file of reader.artefact.files.keys()) fences.push(...(await reader.readFences(file)));
  const found = { entries: 0, cutKeys: 0 };
  let last: Uint8Array | null = null;
  for (let first = 0; first < reader.pageCount; first += PAGES_AT_ONCE) {
    const pages = await reader.readPages(first, Math.min(PAGES_AT_ONCE, reader.pageCount - first));
    for (const [index, page] of pages.entries()) {
      const fence = parseFence(fences[first + index]!);
      if (last !== null && !fence.isShared && compareKeys(last, fence.key) >= 0)
        throw reader.corruption(`page ${first + index} has a wrong fence key`);
      let isFirst = true;
      decodePage(page, reader.artefact.files[0]!.key, (key, row, isCut) => {
        if (last !== null && compareKeys(last, key) > 0) throw reader.corruption(`keys do not ascend in page ${first + index}`);
        if (isFirst && commonLength(fence.key, key) < fence.key.length)
          throw reader.corruption(`page ${first + index} has a wrong fence key`);
        if (row < 0 || row >= rows || (seen[row >> 3]! & (1 << (row & 7))) !== 0)
          throw reader.corruption(`row ${row} cannot be in it, or is twice`);
        seen[row >> 3]! |= 1 << (row & 7);
        if (isFirst || last === null || compareKeys(last, key) !== 0) last = key.slice();
        isFirst = false;
        found.entries++;
        if (isCut) found.cutKeys++;
      });
    }
  }
  if (found.entries !== entries || found.cutKeys !== cutKeys)
    throw reader.corruption('it has another number of entries than its directory says');
}

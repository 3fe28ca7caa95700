/**
 * Checks that parsed JSON is a file of a table, member by member, and that its numbers agree with each other. In
 * formats 1 and 2 an entry also holds the layout of the file. CORRUPTION names the object and the path of the wrong
 * member.
 */
import type { Manifest, SstBuffer, SstColumnInfo, SstColumnKind, SstFile, SstLayout } from '../api.ts';
import type { Place } from '../json-place.ts';
import { checkLayout, type LaidOut, parseBlock, parseBuffer, parseDictionary, parseLayout } from '../sst/file-layout.ts';

const KINDS: ReadonlySet<string> = new Set<SstColumnKind>([
  'uint32',
  'int32',
  'integer',
  'int64',
  'float',
  'boolean',
  'date',
  'dictionary',
  'string',
  'vector',
  'any',
]);
const DATA_KEY = /^data\/[A-Za-z0-9_-]+\.arrow$/;

/** Parses a file of a table. `format` is that of the manifest, for a child that of its manifest. @throws CORRUPTION */
export function parseFile(place: Place, format: Manifest['formatVersion']): SstFile {
  const compression = place.optional('compression', (it) => (it.value === 'zstd' ? ('zstd' as const) : it.fail('zstd')));
  const isFormer = format < 3;
  const head = {
    key: place.member('key').text(),
    bytes: place.member('bytes').count(),
    crc32: place.member('crc32').count(),
    ...(compression === undefined ? {} : { compression }),
    rows: place.member('rows').count(),
    level: place.member('level').count(),
    base: place.member('base').flag(),
    minOrdinal: place.member('minOrdinal').count(),
    maxOrdinal: place.member('maxOrdinal').count(),
    denseOrdinals: place.member('denseOrdinals').flag(),
    minSequence: place.member('minSequence').count(),
    maxSequence: place.member('maxSequence').count(),
    blockCount: isFormer ? place.member('blocks').list(() => 0).length : place.member('blockCount').count(),
    columns: place.member('columns').list((column) => parseColumn(column, isFormer)),
  };
  if (!DATA_KEY.test(head.key)) place.member('key').fail('the key of a data file');
  return { ...head, layout: isFormer ? parseFormerLayout(place, head) : parseLayoutOrPlace(place.member('layout'), head) };
}

function parseLayoutOrPlace(place: Place, file: LaidOut): SstBuffer | SstLayout {
  if (!Array.isArray(place.value)) return parseLayout(place, file);
  const layout = parseBuffer(place);
  if (layout.length !== 3 || layout[0] + layout[1] > file.bytes) place.fail('within the file');
  return layout;
}

function parseFormerLayout(place: Place, file: LaidOut): SstLayout {
  const dictionaries = place.member('columns').list((column) => column.optional('dictionary', parseDictionary));
  const layout = { blocks: place.member('blocks').list(parseBlock), dictionaries: dictionaries.filter((it) => it !== undefined) };
  checkLayout(place, layout, file);
  return layout;
}

function parseColumn(place: Place, isFormer: boolean): SstColumnInfo {
  const kind = place.member('kind').text();
  if (!KINDS.has(kind)) place.member('kind').fail('a known kind');
  const count = (it: Place): number => it.count();
  const dictionarySize = isFormer
    ? place.optional('dictionary', (it) => it.member('size').count())
    : place.optional('dictionarySize', count);
  if ((kind === 'dictionary') !== (dictionarySize !== undefined)) place.fail('consistent: dictionary');
  const min = place.optional('min', bound);
  const max = place.optional('max', bound);
  const distinct = place.optional('distinct', count);
  return {
    name: place.member('name').text(),
    kind: kind as SstColumnKind, // A member of KINDS.
    nullCount: place.member('nullCount').count(),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(distinct === undefined ? {} : { distinct }),
    ...(dictionarySize === undefined ? {} : { dictionarySize }),
  };
}

function bound(place: Place): number | string {
  return typeof place.value === 'number' || typeof place.value === 'string' ? place.value : place.fail('a number or text');
}

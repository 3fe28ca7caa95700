/**
 * Checks that parsed JSON is a manifest, member by member, and that its numbers agree with each other. The result holds only members that this version knows.
 * CORRUPTION names the object and the path of what is wrong.
 */
import type { Catalog, EpochWriter, Manifest, ManifestTable, SstBlock, SstBuffer, SstColumnInfo, SstColumnKind, SstFile } from '../api.ts';
import { bufferCount } from '../sst/column-kinds.ts';
import { parseArtefact } from './artefact-shape.ts';
import { Place } from './json-place.ts';
import { CURRENT_FORMAT, isKnownFormat } from './manifest-format.ts';
import type { ManifestOutline } from './manifest-outline.ts';
import { manifestFault } from './manifest-transition.ts';

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

/** What is counted on from it stays a safe integer. */
const HIGHEST_COUNTER = 2 ** 52;

const text = (place: Place): string => place.text();
const name = (place: Place): string => place.name();

/** Manifests of earlier releases tell of their own writer only. */
function parseWriters(place: Place): EpochWriter[] {
  const parseWriter = (writer: Place): EpochWriter => ({
    epoch: writer.member('epoch').count(),
    writerId: writer.member('writerId').text(),
  });
  const own = parseWriter(place);
  const writers = place.optional('writers', (member) => member.list(parseWriter)) ?? [own];
  const isAscending = writers.every(({ epoch }, index) => index === 0 || epoch > writers[index - 1]!.epoch);
  const last = writers.at(-1);
  if (!isAscending || last?.epoch !== own.epoch || last.writerId !== own.writerId)
    place.member('writers').fail('a list of writers by epoch that ends with the writer of the manifest');
  return writers;
}

export function parseManifest(key: string, json: unknown): Manifest {
  const place = new Place(null, key, json);
  const formatVersion = parseFormat(place);
  const manifest: Manifest = {
    formatVersion,
    version: place.member('version').count(),
    epoch: place.member('epoch').count(),
    writerId: place.member('writerId').text(),
    writers: parseWriters(place),
    createdAtMs: place.member('createdAtMs').count(),
    nextNodeOrdinal: place.member('nextNodeOrdinal').count(),
    nextRelationshipOrdinal: place.member('nextRelationshipOrdinal').count(),
    sequence: place.member('sequence').count(),
    generation: place.member('generation').count(),
    walFloor: place.member('walFloor').count(),
    catalog: parseCatalog(place.member('catalog')),
    tables: place.member('tables').list(parseTable),
    artefacts: formatVersion === 1 ? [] : place.member('artefacts').list(parseArtefact),
  };
  if (manifest.epoch < 1 || manifest.walFloor < 1) place.fail('consistent: epochs and WAL numbers start at 1');
  const { version, epoch, sequence, generation, walFloor } = manifest;
  if (Math.max(version, epoch, sequence, generation, walFloor) > HIGHEST_COUNTER) place.fail('consistent: a counter is out of range');
  const fault = manifestFault(manifest);
  if (fault !== null) place.fail(`consistent: ${fault}`);
  return manifest;
}

function parseFormat(place: Place): Manifest['formatVersion'] {
  const member = place.member('formatVersion');
  return isKnownFormat(member.value) ? member.value : member.fail(`1 to ${CURRENT_FORMAT}`);
}

export function parseOutline(key: string, json: unknown): ManifestOutline {
  const place = new Place(null, key, json);
  const filesOf = (owner: Place): string[] => owner.member('files').list((file) => file.member('key').text());
  const fileKeys = place.member('tables').list(filesOf);
  const artefactKeys = parseFormat(place) === 1 ? [] : place.member('artefacts').list(filesOf);
  return {
    version: place.member('version').count(),
    epoch: place.member('epoch').count(),
    generation: place.member('generation').count(),
    walFloor: place.member('walFloor').count(),
    fileKeys: [...fileKeys.flat(), ...artefactKeys.flat()],
  };
}

function parseCatalog(place: Place): Catalog {
  return {
    labels: place.member('labels').list(text),
    types: place.member('types').list(text),
    keys: place.member('keys').list(text),
    indexes: place.member('indexes').list((entry) => entry.record()),
    constraints: place.member('constraints').list((entry) => entry.record()),
  };
}

function parseTable(place: Place): ManifestTable {
  const kind = place.member('kind').text();
  const common = { liveRows: place.member('liveRows').count(), files: place.member('files').list(parseFile) };
  if (kind === 'nodes') return { kind, labels: place.member('labels').list(name), ...common };
  if (kind === 'relationships') return { kind, type: place.member('type').name(), ...common };
  return place.member('kind').fail('nodes or relationships');
}

function parseFile(place: Place): SstFile {
  const compression = place.optional('compression', (it) => (it.value === 'zstd' ? ('zstd' as const) : it.fail('zstd')));
  const file: SstFile = {
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
    blocks: place.member('blocks').list(parseBlock),
    columns: place.member('columns').list(parseColumn),
  };
  checkFile(place, file);
  return file;
}

function checkFile(place: Place, file: SstFile): void {
  if (!DATA_KEY.test(file.key)) place.member('key').fail('the key of a data file');
  if (file.rows !== file.blocks.reduce((sum, block) => sum + block.rows, 0)) place.member('rows').fail('the sum of its blocks');
  const buffers = file.columns.reduce((sum, { kind }) => sum + bufferCount(kind), 0);
  const dictionaries = file.columns.flatMap(({ dictionary }) => (dictionary === undefined ? [] : [dictionary.offsets, dictionary.heap]));
  for (const block of file.blocks) if (block.buffers.length !== buffers) place.member('blocks').fail('complete: buffers are missing');
  for (const [offset, bytes] of [...dictionaries, ...file.blocks.flatMap((block) => block.buffers)]) {
    if (offset + bytes > file.bytes) place.member('blocks').fail('within the file');
  }
}

function parseBlock(place: Place): SstBlock {
  return {
    rows: place.member('rows').count(),
    offset: place.member('offset').count(),
    bytes: place.member('bytes').count(),
    buffers: place.member('buffers').list(parseBuffer),
  };
}

function parseBuffer(place: Place): SstBuffer {
  const numbers = place.list((entry) => entry.count());
  if (numbers.length !== 3 && numbers.length !== 4) place.fail('a buffer: [offset, bytes, crc32]');
  return numbers as unknown as SstBuffer; // Three or four counts: just checked.
}

function parseColumn(place: Place): SstColumnInfo {
  const kind = place.member('kind').text();
  if (!KINDS.has(kind)) place.member('kind').fail('a known kind');
  const dictionary = place.optional('dictionary', (it) => ({
    size: it.member('size').count(),
    offsets: parseBuffer(it.member('offsets')),
    heap: parseBuffer(it.member('heap')),
  }));
  if ((kind === 'dictionary') !== (dictionary !== undefined)) place.fail('consistent: dictionary');
  const min = place.optional('min', bound);
  const max = place.optional('max', bound);
  const distinct = place.optional('distinct', (it) => it.count());
  return {
    name: place.member('name').text(),
    kind: kind as SstColumnKind, // A member of KINDS.
    nullCount: place.member('nullCount').count(),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(distinct === undefined ? {} : { distinct }),
    ...(dictionary === undefined ? {} : { dictionary }),
  };
}

function bound(place: Place): number | string {
  return typeof place.value === 'number' || typeof place.value === 'string' ? place.value : place.fail('a number or text');
}

/**
 * Checks that parsed JSON is the object of a manifest, member by member, and that its numbers agree with each other.
 * The result holds only members that this version knows. CORRUPTION names the object and the path of the wrong member.
 */
import type {
  Capture,
  Catalog,
  ChildPlace,
  EpochWriter,
  Manifest,
  ManifestChanges,
  ManifestTable,
  TableChanges,
  TableName,
} from '../api.ts';
import { Place } from '../json-place.ts';
import { parseArtefact } from './artefact-shape.ts';
import { parseFile } from './file-shape.ts';
import { changesBetween, EMPTY_STATE } from './manifest-changes.ts';
import { CURRENT_FORMAT, isKnownFormat } from './manifest-format.ts';

/** The content of the object of a manifest, without that of its children. */
export interface ManifestRoot extends Omit<Manifest, 'catalog' | 'tables' | 'artefacts' | 'children'> {
  readonly children: readonly ChildPlace[];
  /** The changes to the state that the children describe. */
  readonly changes: ManifestChanges;
}

const CHILD_KEY = /^data\/[A-Za-z0-9_-]+\.manifest$/;

/** The limit of counters, so that numbers counted on from it stay safe integers. */
const HIGHEST_COUNTER = 2 ** 52;

const text = (place: Place): string => place.text();
const name = (place: Place): string => place.name();

/** Parses the writers of a manifest; those of earlier releases have only their own. */
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

/** Parses the object of a manifest. @throws CORRUPTION when the JSON has another shape */
export function parseRoot(key: string, json: unknown): ManifestRoot {
  const place = new Place(null, key, json);
  const formatVersion = parseFormat(place);
  const root: ManifestRoot = {
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
    capture: place.optional('capture', parseCapture) ?? null,
    ...(formatVersion === 3
      ? { children: place.member('children').list(parseChildPlace), changes: parseChanges(place.member('changes')) }
      : { children: [], changes: parseFormerState(place, formatVersion) }),
  };
  if (root.epoch < 1 || root.walFloor < 1) place.fail('consistent: epochs and WAL numbers start at 1');
  const { version, epoch, sequence, generation, walFloor } = root;
  if (Math.max(version, epoch, sequence, generation, walFloor) > HIGHEST_COUNTER) place.fail('consistent: a counter is out of range');
  return root;
}

function parseCapture(place: Place): Capture {
  return {
    id: place.member('id').name(),
    retentionMs: place.member('retentionMs').count(),
    since: place.member('since').count(),
  };
}

/** Parses the changes of a child, or those in the object of a manifest. */
export function parseChanges(place: Place): ManifestChanges {
  const catalog = place.optional('catalog', parseCatalog);
  return {
    ...(catalog === undefined ? {} : { catalog }),
    tables: place.member('tables').list(parseTableChanges),
    dropArtefacts: place.member('dropArtefacts').list(name),
    addArtefacts: place.member('addArtefacts').list(parseArtefact),
  };
}

/** Parses a manifest of format 1 or 2, which has no children, as changes to an empty state. */
function parseFormerState(place: Place, format: 1 | 2): ManifestChanges {
  return changesBetween(EMPTY_STATE, {
    catalog: parseCatalog(place.member('catalog')),
    tables: place.member('tables').list((table) => parseFormerTable(table, format)),
    artefacts: format === 1 ? [] : place.member('artefacts').list(parseArtefact),
  });
}

function parseFormat(place: Place): Manifest['formatVersion'] {
  const member = place.member('formatVersion');
  return isKnownFormat(member.value) ? member.value : member.fail(`1 to ${CURRENT_FORMAT}`);
}

function parseChildPlace(place: Place): ChildPlace {
  const child = { key: place.member('key').text(), bytes: place.member('bytes').count(), crc32: place.member('crc32').count() };
  if (!CHILD_KEY.test(child.key)) place.member('key').fail('the key of a child');
  return child;
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

function parseTableChanges(place: Place): TableChanges {
  return {
    ...parseTableName(place),
    liveRows: place.member('liveRows').count(),
    remove: place.member('remove').list(text),
    add: place.member('add').list((group) => ({
      after: group.member('after').value === null ? null : group.member('after').text(),
      files: group.member('files').list((file) => parseFile(file, CURRENT_FORMAT)),
    })),
  };
}

function parseFormerTable(place: Place, format: 1 | 2): ManifestTable {
  return {
    ...parseTableName(place),
    liveRows: place.member('liveRows').count(),
    files: place.member('files').list((file) => parseFile(file, format)),
  };
}

function parseTableName(place: Place): TableName {
  const kind = place.member('kind').text();
  if (kind === 'nodes') return { kind, labels: place.member('labels').list(name) };
  if (kind === 'relationships') return { kind, type: place.member('type').name() };
  return place.member('kind').fail('nodes or relationships');
}

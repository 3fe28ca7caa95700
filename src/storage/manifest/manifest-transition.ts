/**
 * Conditions on every manifest, and on every two successive ones (pure): the invariants B1, B2, B6 and B9 as far as
 * manifests show them. They are asserted wherever a manifest is made, and checked against the bucket by the simulation.
 *
 * - B1: the object under a name never changes; a file is named once.
 * - B2: versions are dense; epochs never fall and rise by one; within an epoch one writer makes all versions, and the
 *   first version of an epoch has the content of the one before.
 * - B6: sequence, WAL floor and the next ordinals never fall, unless another generation tells all readers to begin
 *   again: objects below the floor may be removed. Nothing counts on a file twice.
 * - B9: an artefact covers existing files, consecutive in one table, with their sequences; for one kind and subject
 *   each file is covered at most once.
 */
import { assert } from '../../base/index.ts';
import type { ArtefactFile, ChildPlace, Manifest, ManifestArtefact, ManifestTable, SstFile } from '../api.ts';
import { subjectId } from './edit-artefacts.ts';
import { continues } from './manifest-edit.ts';
import { tableId } from './table-id.ts';

/** Asserts that `next` may follow `current`, which is null for the first manifest. @throws INTERNAL */
export function assertTransition(current: Manifest | null, next: Manifest): void {
  const fault = transitionFault(current, next);
  assert(fault === null, `manifest ${next.version} cannot follow: ${fault}`);
}

/** Returns the rule that the next manifest breaks, with the name of its invariant; null when it may follow. */
export function transitionFault(current: Manifest | null, next: Manifest): string | null {
  return manifestFault(next) ?? (current === null ? beginningFault(next) : (orderFault(current, next) ?? identityFault(current, next)));
}

/** Returns a rule that the manifest breaks by itself, or null. */
export function manifestFault(manifest: Manifest): string | null {
  return filesFault(manifest) ?? artefactsFault(manifest);
}

function beginningFault({ version, epoch, sequence, walFloor, writers, tables, artefacts, children }: Manifest): string | null {
  const isFirst = version === 1 && epoch === 1 && sequence === 0 && walFloor === 1 && writers.length === 1;
  return isFirst && tables.length + artefacts.length + children.length === 0
    ? null
    : 'B2: a namespace begins empty, with version 1 and epoch 1';
}

function orderFault(current: Manifest, next: Manifest): string | null {
  if (next.version !== current.version + 1) return `B2: version ${next.version} after ${current.version}`;
  if (next.formatVersion < current.formatVersion) return `B1: format ${next.formatVersion} after ${current.formatVersion}`;
  if (next.epoch < current.epoch) return `B2: the epoch falls from ${current.epoch} to ${next.epoch}`;
  if (!continues(current, next))
    return `B2: epoch ${next.epoch} of ${next.writerId} does not go on with epoch ${current.epoch} of ${current.writerId}`;
  return writersFault(current, next) ?? countersFault(current, next);
}

/**
 * Checks `writers`, which lists a writer as long as the WAL may hold objects of it: the writer of a new epoch is added,
 * the former ones are removed all at once.
 */
function writersFault(current: Manifest, next: Manifest): string | null {
  const told = next.writers.map(({ epoch, writerId }) => `${epoch} ${writerId}`);
  const before = current.writers.map(({ epoch, writerId }) => `${epoch} ${writerId}`);
  const own = `${next.epoch} ${next.writerId}`;
  const all = next.epoch === current.epoch ? before : [...before, own];
  const isRight = told.join() === all.join() || (next.epoch === current.epoch && told.join() === own);
  return isRight ? null : `B2: writers ${told.join(', ')} after ${before.join(', ')}`;
}

const COUNTERS = ['sequence', 'walFloor', 'nextNodeOrdinal', 'nextRelationshipOrdinal'] as const;

function countersFault(current: Manifest, next: Manifest): string | null {
  if (next.generation < current.generation) return `B6: the generation falls from ${current.generation} to ${next.generation}`;
  if (next.generation > current.generation) return null;
  const fallen = COUNTERS.find((name) => next[name] < current[name]);
  return fallen === undefined ? null : `B6: ${fallen} falls from ${current[fallen]} to ${next[fallen]} within a generation`;
}

/** Checks that a key named by both manifests has one size and checksum in both. */
function identityFault(current: Manifest, next: Manifest): string | null {
  const known = new Map(allObjects(current).map((object) => [object.key, object]));
  for (const file of allObjects(next)) {
    const before = known.get(file.key);
    if (before === undefined || before === file) continue;
    if (before.bytes !== file.bytes || before.crc32 !== file.crc32) return `B1: ${file.key} changes`;
  }
  const artefacts = new Map(current.artefacts.map((artefact) => [artefact.id, artefact]));
  for (const artefact of next.artefacts) {
    const before = artefacts.get(artefact.id) ?? artefact;
    if (before !== artefact && JSON.stringify(before) !== JSON.stringify(artefact)) return `B1: artefact ${artefact.id} changes`;
  }
  return null;
}

function filesFault(manifest: Manifest): string | null {
  const keys = new Set<string>();
  for (const { key } of allObjects(manifest)) {
    if (keys.has(key)) return `B6: ${key} is named twice`;
    keys.add(key);
  }
  const tables = new Set(manifest.tables.map(tableId));
  return tables.size === manifest.tables.length ? null : 'B6: a table is named twice';
}

function allObjects({ tables, artefacts, children }: Manifest): (SstFile | ArtefactFile | ChildPlace)[] {
  return [...tables.flatMap(({ files }) => files), ...artefacts.flatMap(({ files }) => files), ...children];
}

function artefactsFault({ tables, artefacts }: Manifest): string | null {
  if (artefacts.length === 0) return null;
  if (new Set(artefacts.map(({ id }) => id)).size !== artefacts.length) return 'B9: an artefact is named twice';
  const byId = new Map(tables.map((table) => [tableId(table), table]));
  const covered = new Set<string>();
  for (const artefact of artefacts) {
    const fault = coverageFault(artefact, byId.get(tableId(artefact.covers.table)));
    if (fault !== null) return `B9: artefact ${artefact.id} ${fault}`;
    for (const key of artefact.covers.files) {
      const claim = `${key} ${subjectId(artefact)}`;
      if (covered.has(claim)) return `B9: artefact ${artefact.id} covers ${key}, which another of its subject covers`;
      covered.add(claim);
    }
  }
  return null;
}

function coverageFault({ covers: { files, sequence } }: ManifestArtefact, table: ManifestTable | undefined): string | null {
  if (table === undefined || files.length === 0) return 'covers nothing that is there';
  const from = table.files.findIndex(({ key }) => key === files[0]);
  const covered = from < 0 ? [] : table.files.slice(from, from + files.length);
  if (covered.length !== files.length || covered.some(({ key }, index) => key !== files[index]))
    return 'covers files that do not stand there in a row';
  return sequence === Math.max(...covered.map(({ maxSequence }) => maxSequence)) ? null : 'covers other sequences than its files';
}

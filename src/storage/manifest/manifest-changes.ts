/**
 * The differences between two states of a namespace, as manifests and their children hold them (pure): `changesBetween`
 * computes them, `applyChanges` applies them to the first state, which gives the second. Files that stay keep their
 * order in a table. New tables and artefacts come last. Cost: linear in the files.
 */
import { assert } from '../../base/index.ts';
import type { AddedFiles, Catalog, Manifest, ManifestChanges, ManifestTable, SstFile, TableChanges, TableName } from '../api.ts';
import { tableId } from './table-id.ts';

/** The parts of a manifest that changes describe. */
export type ManifestState = Pick<Manifest, 'catalog' | 'tables' | 'artefacts'>;

/** The state of a namespace without tables. */
export const EMPTY_STATE: ManifestState = {
  catalog: { labels: [], types: [], keys: [], indexes: [], constraints: [] },
  tables: [],
  artefacts: [],
};

/** Returns the differences between two states. */
export function changesBetween(before: ManifestState, after: ManifestState): ManifestChanges {
  const known = new Map(before.tables.map((table) => [tableId(table), table]));
  const changed: TableChanges[] = [];
  for (const table of after.tables) {
    const id = tableId(table);
    const changes = tableChanges(known.get(id) ?? null, table);
    if (changes !== null) changed.push(changes);
    known.delete(id);
  }
  for (const { files, liveRows: _, ...name } of known.values()) changed.push({ ...name, liveRows: 0, remove: keysOf(files), add: [] });
  const former = new Set(before.artefacts.map(({ id }) => id));
  const current = new Set(after.artefacts.map(({ id }) => id));
  return {
    ...(isSameCatalog(before.catalog, after.catalog) ? {} : { catalog: after.catalog }),
    tables: changed,
    dropArtefacts: before.artefacts.filter(({ id }) => !current.has(id)).map(({ id }) => id),
    addArtefacts: after.artefacts.filter(({ id }) => !former.has(id)),
  };
}

function isSameCatalog(a: Catalog, b: Catalog): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the changes of one table; null when there are none. */
function tableChanges(before: ManifestTable | null, { files, ...head }: ManifestTable): TableChanges | null {
  const former = before?.files ?? [];
  // Most of a long list stays: the differences lie between the common beginning and the common end.
  const start = sameAtStart(former, files);
  const end = sameAtEnd(former.slice(start), files.slice(start));
  if (before?.liveRows === head.liveRows && start + end === former.length && former.length === files.length) return null;
  const left = former.slice(start, former.length - end);
  const right = files.slice(start, files.length - end);
  const keys = new Set(keysOf(right));
  const stay = left.filter(({ key }) => keys.has(key));
  const add: { after: string | null; files: SstFile[] }[] = [];
  let last = former[start - 1]?.key ?? null;
  let stayed = 0;
  let isOpen = false;
  for (const file of right) {
    if (file.key === stay[stayed]?.key) {
      stayed++;
      last = file.key;
      isOpen = false;
      continue;
    }
    if (!isOpen) add.push({ after: last, files: [] });
    isOpen = true;
    add.at(-1)!.files.push(file);
  }
  assert(stayed === stay.length, 'files that stay keep their order in a table');
  return { ...head, remove: keysOf(left.filter(({ key }) => !keys.has(key))), add };
}

function sameAtStart(a: readonly SstFile[], b: readonly SstFile[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count]!.key === b[count]!.key) count++;
  return count;
}

function sameAtEnd(a: readonly SstFile[], b: readonly SstFile[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[a.length - 1 - count]!.key === b[b.length - 1 - count]!.key) count++;
  return count;
}

function keysOf(files: readonly SstFile[]): string[] {
  return files.map(({ key }) => key);
}

/** Applies changes to a state. `fail` must throw; it is called when the changes do not fit the state. */
export function applyChanges(before: ManifestState, changes: ManifestChanges, fail: (what: string) => never): ManifestState {
  const tables = new Map(before.tables.map((table) => [tableId(table), table]));
  for (const change of changes.tables) {
    const id = tableId(change);
    const table = changedTable(tables.get(id) ?? null, change, fail);
    if (table.files.length > 0 || table.liveRows > 0) tables.set(id, table);
    else tables.delete(id);
  }
  const dropped = new Set(changes.dropArtefacts);
  const kept = before.artefacts.filter(({ id }) => !dropped.delete(id));
  for (const id of dropped) fail(`it drops artefact ${id}, which is not there`);
  return { catalog: changes.catalog ?? before.catalog, tables: [...tables.values()], artefacts: [...kept, ...changes.addArtefacts] };
}

function changedTable(before: ManifestTable | null, { remove, add, ...head }: TableChanges, fail: (what: string) => never): ManifestTable {
  const removed = new Set(remove);
  const groups = new Map(add.map((group) => [group.after, group]));
  if (groups.size !== add.length) fail('it puts files in one place twice');
  const take = (after: string | null): readonly SstFile[] => {
    const { files }: Pick<AddedFiles, 'files'> = groups.get(after) ?? { files: [] };
    groups.delete(after);
    return files;
  };
  const files: SstFile[] = [...take(null)];
  for (const file of before?.files ?? []) if (!removed.delete(file.key)) files.push(file, ...take(file.key));
  for (const key of removed) fail(`it removes ${key}, which is not there`);
  for (const after of groups.keys()) fail(`it puts files behind ${after}, which is not there`);
  return { ...(before === null ? head : { ...nameOf(before), liveRows: head.liveRows }), files };
}

function nameOf({ files: _files, liveRows: _rows, ...name }: ManifestTable): TableName {
  return name;
}

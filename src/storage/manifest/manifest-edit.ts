/** Computes the next manifest: the current one with an edit applied (pure). */
import { assert, GraphDBError } from '../../base/index.ts';
import type { Capture, Manifest, ManifestEdit, ManifestTable, SstFile, TableName, UploadedSst } from '../api.ts';
import { freshCaptureId } from '../changes/capture-id.ts';
import { editArtefacts } from './edit-artefacts.ts';
import { EMPTY_STATE } from './manifest-changes.ts';
import { CURRENT_FORMAT } from './manifest-format.ts';
import { tableId } from './table-id.ts';

/** The writer of the next version, and the time of writing. */
export interface Author {
  readonly epoch: number;
  readonly writerId: string;
  readonly nowMs: number;
}

/** Returns the first manifest of a namespace. */
export function firstManifest(author: Author): Manifest {
  return {
    formatVersion: CURRENT_FORMAT,
    version: 1,
    epoch: 1,
    writerId: author.writerId,
    writers: [{ epoch: 1, writerId: author.writerId }],
    createdAtMs: author.nowMs,
    nextNodeOrdinal: 0,
    nextRelationshipOrdinal: 0,
    sequence: 0,
    generation: 0,
    walFloor: 1,
    capture: null,
    ...EMPTY_STATE,
    children: [],
  };
}

/** Returns the next version with the content of the current one, by an author of the same epoch or the next. */
export function nextManifest(current: Manifest, { epoch, writerId, nowMs }: Author): Manifest {
  assert(epoch >= current.epoch, 'B2: epochs never fall');
  const writers = epoch === current.epoch ? current.writers : [...current.writers, { epoch, writerId }];
  return { ...current, formatVersion: CURRENT_FORMAT, version: current.version + 1, epoch, writerId, writers, createdAtMs: nowMs };
}

/**
 * Whether `next` can have been made from `before`, the version below it. A manifest that a paused writer put late,
 * under a number that had been removed, does not fit the later versions: within an epoch one writer makes all versions,
 * and the first of an epoch has the content of the one before.
 */
export function continues(before: Manifest, next: Manifest): boolean {
  const { epoch, writerId, createdAtMs: nowMs } = next;
  if (epoch === before.epoch) return writerId === before.writerId;
  return epoch === before.epoch + 1 && contentOf(nextManifest(before, { epoch, writerId, nowMs })) === contentOf(next);
}

/**
 * Returns the content as text, without members that an earlier release may have left out or written differently: former
 * writers, change capture, the format, and the division into children.
 */
function contentOf({ writers: _writers, capture: _capture, formatVersion: _format, children: _children, ...content }: Manifest): string {
  return JSON.stringify(content);
}

/** An edit with the files that were uploaded for it. */
export interface AppliedEdit {
  readonly edit: Omit<ManifestEdit, 'add'>;
  readonly added: readonly UploadedSst[];
  readonly walFloor: number;
  /** Whether the WAL from `walFloor` on holds objects of the author's epoch only. */
  readonly isOwnWal: boolean;
  /** The id that change capture gets when the edit brings new content. */
  readonly captureId: string;
}

/**
 * Returns a manifest with the content that publishing the edit will give, to look at it before. The edit's files must
 * have been uploaded.
 */
export function previewManifest(current: Manifest, edit: Omit<ManifestEdit, 'add'>): Manifest {
  const author = { epoch: current.epoch, writerId: current.writerId, nowMs: current.createdAtMs };
  return editManifest(current, author, {
    edit,
    added: edit.addUploaded ?? [],
    walFloor: current.walFloor,
    isOwnWal: false,
    captureId: freshCaptureId(),
  });
}

/**
 * Applies an edit to the current manifest.
 * @throws STORE_UNAVAILABLE (retriable) when a file to remove is gone, since another edit was faster
 */
export function editManifest(current: Manifest, author: Author, applied: AppliedEdit): Manifest {
  const { edit, added, walFloor, isOwnWal } = applied;
  const sequence = edit.sequence ?? current.sequence;
  assert(sequence >= current.sequence, 'the sequence reached by the files never falls');
  assert(walFloor >= current.walFloor, 'the WAL floor never falls');
  const tables = editTables(current.tables, edit, added);
  return {
    ...nextManifest(current, author),
    ...(isOwnWal ? { writers: current.writers.slice(-1) } : {}),
    sequence,
    generation: current.generation + (edit.newContent === true ? 1 : 0),
    walFloor,
    capture: editCapture(current.capture, applied, sequence),
    nextNodeOrdinal: edit.nextNodeOrdinal ?? current.nextNodeOrdinal,
    nextRelationshipOrdinal: edit.nextRelationshipOrdinal ?? current.nextRelationshipOrdinal,
    catalog: edit.catalog ?? current.catalog,
    tables,
    artefacts: editArtefacts(current.artefacts, tables, edit),
  };
}

/**
 * Returns the change capture of the next manifest. New content that no commit describes is not in the log, so `since`
 * moves to its sequence. The id changes with it: a reader who knows the last commit below the new content has missed
 * that content, and its position, which is at `since`, does not show it.
 */
function editCapture(current: Capture | null, { edit, captureId }: AppliedEdit, sequence: number): Capture | null {
  const wanted = edit.capture === undefined ? current : edit.capture;
  if (wanted === null || edit.newContent !== true) return wanted;
  return { ...wanted, id: captureId, since: Math.max(wanted.since, sequence) };
}

function editTables(tables: readonly ManifestTable[], edit: AppliedEdit['edit'], added: readonly UploadedSst[]): ManifestTable[] {
  const edited = new Map(tables.map((table) => [tableId(table), { ...table, files: [...table.files] }]));
  const tableOf = (name: TableName): { liveRows: number; files: SstFile[] } => {
    const id = tableId(name);
    const table = edited.get(id) ?? { ...nameOnly(name), liveRows: 0, files: [] };
    edited.set(id, table);
    return table;
  };
  const removed = new Set(edit.remove);
  const places = removeFiles([...edited.values()], removed);
  if (removed.size > 0) throw new GraphDBError('STORE_UNAVAILABLE', `files to be replaced are gone: ${[...removed].join(', ')}; try again`);
  // Added files take the place of the files that they replace, since later files win over earlier ones.
  for (const { table, file } of added) {
    const { files } = tableOf(table);
    const at = places.get(tableId(table));
    if (at === undefined) files.push(file);
    else {
      files.splice(at, 0, file);
      places.set(tableId(table), at + 1);
    }
  }
  for (const { liveRows, ...name } of edit.liveRows ?? []) tableOf(name).liveRows = liveRows;
  return [...edited.values()].filter((table) => table.files.length > 0 || table.liveRows > 0);
}

/** Removes the files from the tables, and their keys from `removed`. Returns by table id where the first removed file was. */
function removeFiles(tables: readonly (TableName & { files: SstFile[] })[], removed: Set<string>): Map<string, number> {
  const places = new Map<string, number>();
  for (const table of tables) {
    const at = table.files.findIndex((file) => removed.has(file.key));
    if (at < 0) continue;
    places.set(tableId(table), at);
    table.files = table.files.filter((file) => !removed.delete(file.key));
  }
  return places;
}

function nameOnly({ kind, labels, type }: TableName): TableName {
  return kind === 'nodes' ? { kind, labels: labels ?? [] } : { kind, type: type ?? '' };
}

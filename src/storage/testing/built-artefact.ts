/** Builds artefacts from tables without a namespace, for tests of their kinds. */
import type { ObjectStore } from '../../object-store/index.ts';
import type { ArtefactRecord, ManifestArtefact, SstFile, SstTable } from '../api.ts';
import type { ArtefactKind, PageSink } from '../artefacts/artefact-kind.ts';
import { type CoveredRows, FileRows } from '../artefacts/covered-rows.ts';
import { UploadingSink } from '../artefacts/page-sink.ts';
import { PagedReader } from '../artefacts/paged-reader.ts';
import { encodeSst, tableName } from '../sst/encode-sst.ts';
import { openSstReader } from '../sst/sst-reader.ts';
import { freshStore } from './test-store.ts';

/** Files of one table in a store of their own, oldest first, each made of one of the given tables. */
export interface StoredFiles {
  readonly store: ObjectStore;
  readonly files: readonly SstFile[];
  readonly rows: CoveredRows;
}

export async function storeFiles(tables: readonly SstTable[]): Promise<StoredFiles> {
  const store = freshStore();
  const files: SstFile[] = [];
  for (const [index, table] of tables.entries()) {
    const { bytes, content } = await encodeSst(table);
    const key = `data/table-${index}.arrow`;
    await store.put(key, bytes.slice());
    files.push({ key, ...content });
  }
  const covered = { table: tableName(tables[0]!), files };
  return { store, files, rows: new FileRows(covered, (file) => openSstReader(store, file), new AbortController().signal) };
}

/** Builds an artefact with the kind's `build`, or with another function. */
export async function buildFrom(
  { store, files, rows }: StoredFiles,
  kind: ArtefactKind,
  subject: ArtefactRecord,
  build: (rows: CoveredRows, pages: PageSink) => Promise<ArtefactRecord> = (all, pages) => kind.build(subject, all, pages),
): Promise<ManifestArtefact> {
  let created = 0;
  const sink = new UploadingSink(async (bytes) => {
    const key = `data/built-${++created}.artefact`;
    await store.put(key, bytes);
    return key;
  });
  const directory = await build(rows, sink);
  const covers = { table: rows.table, files: files.map(({ key }) => key), sequence: 1 };
  const artefact = { id: 'built', kind: kind.name, kindVersion: kind.version, subject, covers, files: await sink.finish(), directory };
  return JSON.parse(JSON.stringify(artefact)) as ManifestArtefact; // as: so it comes back from a manifest
}

/** Opens an artefact in the store of its files, without a cache. */
export function readerOf({ store }: Pick<StoredFiles, 'store'>, artefact: ManifestArtefact): PagedReader {
  return new PagedReader(store, artefact);
}

/** Returns a seeded generator (Mulberry32) of whole numbers from 0 to below a limit. */
export function seededRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

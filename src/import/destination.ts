/**
 * The namespace that receives an import: it must be empty. The first megabytes wait in memory, and only then it is opened for writing (a writer there is fenced then): an import
 * that fails before leaves no trace, one that fails later removes what it uploaded.
 */
import { GraphDBError, type Logger } from '../base/index.ts';
import { type ObjectStore, openObjectStore, parseStorageUri } from '../object-store/index.ts';
import { type Catalog, type Manifest, type ManifestEdit, type Namespace, openNamespace, type UploadedSst } from '../storage/index.ts';
import { propertyKey } from './tables/property-columns.ts';
import type { SealedTable } from './tables/table-buffer.ts';

/** Files that stand alone are no flushed ones. */
const LEVEL = 1;
/** What waits before the first upload. */
const WAITING_BYTES = 32 * 2 ** 20;
const MOST_UPLOADS = 4;
/** One large file, or several small ones. */
const MOST_UPLOAD_BYTES = 32 * 2 ** 20;

export interface DestinationOptions {
  /** Memory for rows: no more than this waits. */
  readonly bufferBytes: number;
  readonly logger: Logger | undefined;
  /** Takes everything and writes nothing. */
  readonly dryRun: boolean;
}

export interface ImportedGraph {
  readonly nextNodeOrdinal: number;
  readonly nextRelationshipOrdinal: number;
  /** In the order in which they were first named. */
  readonly labels: readonly string[];
}

export class Destination {
  readonly #name: string;
  readonly #store: ObjectStore;
  readonly #logger: Logger | undefined;
  #namespace: Namespace | null = null;
  readonly #uploaded: UploadedSst[] = [];
  /** Not on their way yet. */
  readonly #waiting: SealedTable[] = [];
  #bytesWaiting = 0;
  readonly #waitingLimit: number;
  readonly #dryRun: boolean;
  readonly #underWay = new Set<Promise<void>>();
  #bytesUnderWay = 0;
  #failure: { readonly error: unknown } | null = null;

  private constructor(store: ObjectStore, name: string, { bufferBytes, logger, dryRun }: DestinationOptions) {
    this.#store = store;
    this.#name = name;
    this.#logger = logger;
    this.#dryRun = dryRun;
    this.#waitingLimit = Math.min(WAITING_BYTES, bufferBytes);
  }

  /** Refuses a namespace that holds anything, without disturbing its writer: UNSUPPORTED. */
  static async open(uri: string, options: DestinationOptions): Promise<Destination> {
    const location = parseStorageUri(uri);
    const destination = new Destination(await openObjectStore(location), location.namespace, options);
    try {
      await destination.#look();
      return destination;
    } catch (error) {
      await destination.close();
      throw error;
    }
  }

  get bytesWritten(): number {
    return this.#uploaded.reduce((sum, { file }) => sum + file.bytes, 0);
  }

  get files(): number {
    return this.#uploaded.length;
  }

  async #look(): Promise<void> {
    let namespace: Namespace;
    try {
      namespace = await this.#open(true);
    } catch (error) {
      if (error instanceof GraphDBError && error.code === 'NOT_FOUND') return;
      throw error;
    }
    try {
      assertEmpty(namespace);
    } finally {
      await namespace.close();
    }
  }

  /** Takes a table; its arrays belong to the destination now. Waits while too much is on its way. */
  async add(table: SealedTable): Promise<void> {
    if (this.#dryRun) return;
    this.#waiting.push(table);
    this.#bytesWaiting += tableBytes(table);
    if (this.#bytesWaiting > this.#waitingLimit || this.#namespace !== null) await this.#startUploads();
  }

  async #startUploads(): Promise<void> {
    const namespace = await this.#writer();
    for (const table of this.#waiting.splice(0)) await this.#startUpload(namespace, table);
  }

  /** Uploads the table while the caller goes on; waits first until not too much is under way. */
  async #startUpload(namespace: Namespace, table: SealedTable): Promise<void> {
    const bytes = tableBytes(table);
    while (this.#underWay.size > 0 && (this.#underWay.size >= MOST_UPLOADS || this.#bytesUnderWay + bytes > MOST_UPLOAD_BYTES)) {
      await Promise.race(this.#underWay);
    }
    this.#checkFailure();
    this.#bytesUnderWay += bytes;
    const upload = this.#uploadTable(namespace, table)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#bytesUnderWay -= bytes;
        this.#underWay.delete(upload);
      });
    this.#underWay.add(upload);
  }

  async #uploadTable(namespace: Namespace, table: SealedTable): Promise<void> {
    const { sequence } = namespace.manifest;
    const writer = namespace.createSstWriter(table);
    await writer.add({ ...table, level: LEVEL, minSequence: sequence, maxSequence: sequence });
    this.#uploaded.push(...(await writer.finish()));
  }

  #checkFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Makes all files part of the namespace, with one manifest; null in a dry run. */
  async publish({ labels, ...ordinals }: ImportedGraph): Promise<Manifest | null> {
    if (this.#dryRun) return null;
    await this.#startUploads();
    const namespace = await this.#writer();
    await Promise.all(this.#underWay);
    this.#checkFailure();
    const uploaded = this.#uploaded.toSorted(byKindAndOrdinal);
    const { manifest } = await namespace.publish({
      ...ordinals,
      add: [],
      addUploaded: uploaded,
      remove: [],
      newContent: true,
      catalog: catalogWith(namespace.manifest.catalog, uploaded, labels),
      liveRows: liveRows(uploaded),
    });
    return manifest;
  }

  /** Removes what was uploaded. What cannot be removed is no part of the namespace: garbage collection takes it. */
  async abandon(): Promise<void> {
    await Promise.all(this.#underWay);
    await Promise.allSettled(this.#uploaded.map(({ file }) => this.#store.delete(file.key)));
  }

  async close(): Promise<void> {
    await this.#namespace?.close();
    await this.#store.close();
  }

  async #writer(): Promise<Namespace> {
    if (this.#namespace !== null) return this.#namespace;
    const namespace = await this.#open(false);
    this.#namespace = namespace;
    assertEmpty(namespace);
    return namespace;
  }

  #open(readOnly: boolean): Promise<Namespace> {
    return openNamespace(this.#store, { name: this.#name, readOnly, ...(this.#logger === undefined ? {} : { logger: this.#logger }) });
  }
}

function byKindAndOrdinal(a: UploadedSst, b: UploadedSst): number {
  if (a.table.kind !== b.table.kind) return a.table.kind === 'nodes' ? -1 : 1;
  return a.file.minOrdinal - b.file.minOrdinal;
}

/** About; of what is in memory. */
function tableBytes({ columns }: SealedTable): number {
  return columns.reduce((sum, { values, heap }) => sum + values.byteLength + (heap?.byteLength ?? 0), 0);
}

function assertEmpty({ name, manifest, recovered }: Namespace): void {
  const { tables, nextNodeOrdinal, nextRelationshipOrdinal, catalog } = manifest;
  if (catalog.constraints.length > 0) {
    throw new GraphDBError(
      'UNSUPPORTED',
      `namespace "${name}" has constraints, which import does not check; import first, then create them`,
    );
  }
  if (tables.length === 0 && recovered.length === 0 && nextNodeOrdinal === 0 && nextRelationshipOrdinal === 0) return;
  throw new GraphDBError(
    'UNSUPPORTED',
    `namespace "${name}" holds data already, and import needs an empty one; import into another namespace (another ns=), or use "graphdb run" with UNWIND to add to this one`,
  );
}

/** The labels of a node are listed in the order of the catalog: that in which the import names them. */
function catalogWith(catalog: Catalog, uploaded: readonly UploadedSst[], labelOrder: readonly string[]): Catalog {
  const used = new Set(uploaded.flatMap(({ table }) => table.labels ?? []));
  const labels = new Set([...catalog.labels, ...labelOrder.filter((label) => used.has(label))]);
  const types = new Set(catalog.types);
  const keys = new Set(catalog.keys);
  for (const { table, file } of uploaded) {
    if (table.type !== undefined) types.add(table.type);
    for (const { name } of file.columns) {
      const key = propertyKey(name);
      if (key !== null) keys.add(key);
    }
  }
  return { ...catalog, labels: [...labels], types: [...types], keys: [...keys] };
}

function liveRows(uploaded: readonly UploadedSst[]): NonNullable<ManifestEdit['liveRows']> {
  const byTable = new Map<string, { table: UploadedSst['table']; rows: number }>();
  for (const { table, file } of uploaded) {
    const id = JSON.stringify([table.kind, table.labels ?? table.type]);
    const entry = byTable.get(id) ?? { table, rows: 0 };
    byTable.set(id, { table, rows: entry.rows + file.rows });
  }
  return Array.from(byTable.values(), ({ table, rows }) => ({ ...table, liveRows: rows }));
}

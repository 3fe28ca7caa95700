/**
 * The namespace that receives an import: one without nodes, or, where the import merges, one that holds a graph. The
 * first megabytes wait in memory; only then is the namespace opened for writing, which fences a writer there. An import
 * that fails before that leaves no trace; one that fails later removes what it has uploaded.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GraphDBError, type Logger } from '../base/index.ts';
import { type ObjectStore, openObjectStore, overlayStore, parseStorageUri } from '../object-store/index.ts';
import {
  type Catalog,
  type Manifest,
  type ManifestEdit,
  type Namespace,
  openNamespace,
  previewManifest,
  type SstTable,
  tableId,
  type UploadedSst,
} from '../storage/index.ts';
import type { ExistingGraph } from './merge/existing-graph.ts';
import type { BrokenConstraint, Completion } from './schema-completion.ts';
import { propertyKey } from './tables/property-columns.ts';
import { SHARE_BYTES } from './tables/relationship-table.ts';
import type { MadeTable, UnwrittenTable } from './tables/table-buffer.ts';

/** The level of imported files: they were not flushed, so they do not belong to L0. */
const LEVEL = 1;
/** The most bytes that wait in memory before the first upload. */
const WAITING_BYTES = 32 * 2 ** 20;
const MOST_UPLOADS = 4;
/** Tables with fewer bytes are encoded in this thread, as starting another one would take longer. */
const ENCODE_BESIDE_FROM_BYTES = 16 * 2 ** 20;

/** The options of a destination. */
export interface DestinationOptions {
  /** The memory for rows, in bytes; no more than this waits for the first upload. */
  readonly bufferBytes: number;
  readonly logger: Logger | undefined;
  /** How many tables can be put in order at the same time. */
  readonly tablesUnderWay: number;
  /** `import` writes to the store. `check` takes tables, but writes nothing to the store. `discard` drops them, and is never published. */
  readonly purpose: 'import' | 'check' | 'discard';
  /** Whether the namespace may hold a graph. */
  readonly merges: boolean;
  /** Statements that create indexes and constraints. */
  readonly schema: readonly string[];
}

type WaitingTable = Pick<UnwrittenTable, 'bytes' | 'made'>;

/** The ordinals and labels of the graph as the import leaves it. */
export interface ImportedGraph {
  readonly nextNodeOrdinal: number;
  readonly nextRelationshipOrdinal: number;
  /** The labels, in the order in which they were first named. */
  readonly labels: readonly string[];
}

/** The outcome of publishing. `manifest` is null where nothing was to be written. */
export type Publication =
  | { readonly kind: 'complete'; readonly manifest: Manifest | null }
  | { readonly kind: 'broken'; readonly constraint: BrokenConstraint };

/** The namespace that receives an import. */
export class Destination {
  /** The graph that the namespace holds; null: it holds nothing. */
  graph: ExistingGraph | null = null;
  readonly #name: string;
  #store: ObjectStore;
  /** The temporary folder to which a dry run writes what it must read again; null: it writes nothing. */
  #draft: string | null = null;
  readonly #options: DestinationOptions;
  #namespace: Namespace | null = null;
  readonly #uploaded: UploadedSst[] = [];
  /** Tables whose upload has not begun. */
  readonly #waiting: WaitingTable[] = [];
  #bytesWaiting = 0;
  readonly #waitingLimit: number;
  readonly #underWay = new Set<Promise<void>>();
  #bytesUnderWay = 0;
  #failure: { readonly error: unknown } | null = null;
  /** Whether a manifest that names the uploaded files may be in the store, or arrive there late. */
  #mayBePublished = false;

  private constructor(store: ObjectStore, name: string, options: DestinationOptions) {
    this.#store = store;
    this.#name = name;
    this.#options = options;
    this.#waitingLimit = Math.min(WAITING_BYTES, options.bufferBytes);
  }

  /** Opens a namespace without disturbing its writer. @throws UNSUPPORTED when it holds data and the import does not merge */
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
      if (!(error instanceof GraphDBError && error.code === 'NOT_FOUND')) throw error;
      if (this.#options.purpose === 'check' && this.#options.schema.length > 0) await this.#startDraft();
      return;
    }
    if (isEmpty(namespace)) await namespace.close();
    else this.graph = await this.#existingGraph(namespace);
    if (this.#options.purpose === 'check' && this.#needsCompletion(this.graph?.view.schema ?? namespace.manifest.catalog))
      await this.#startDraft();
  }

  /**
   * Opens the graph that the import adds to. Where the import does not merge, this graph may hold indexes and
   * constraints, even if only in its log, but nothing else. @throws UNSUPPORTED when it holds more
   */
  async #existingGraph(namespace: Namespace): Promise<ExistingGraph> {
    const { ExistingGraph } = await import('./merge/existing-graph.ts');
    const graph = await ExistingGraph.open(namespace);
    if (this.#options.merges || graph.hasOnlySchema) return graph;
    await graph.close();
    throw holdsData(namespace.name);
  }

  #needsCompletion({ constraints }: { readonly constraints: readonly unknown[] }): boolean {
    return constraints.length > 0 || this.#options.schema.length > 0;
  }

  /**
   * Starts a draft for a dry run: constraints can only be checked on the graph as it would be, so the run writes to a
   * store that passes reads on to the real one.
   */
  async #startDraft(): Promise<void> {
    this.#draft = await mkdtemp(join(tmpdir(), 'graphdb-import-'));
    const upper = await openObjectStore(parseStorageUri(`file://${this.#draft}?ns=draft`));
    this.#store = overlayStore(this.#store, upper);
  }

  get #writesNothing(): boolean {
    return this.#options.purpose !== 'import' && this.#draft === null;
  }

  /** Takes over a table and its arrays. Waits while too much is under way. */
  async add(table: UnwrittenTable): Promise<void> {
    if (this.#writesNothing) return table.release();
    const { bytes } = table;
    const make = (): Promise<MadeTable> => table.made().finally(() => table.release());
    this.#bytesWaiting += bytes;
    const waits = this.#bytesWaiting <= this.#waitingLimit && this.#namespace === null;
    // The table is made while it waits, as threads may have nothing else to do.
    const making = waits ? make() : null;
    making?.catch(() => {}); // Thrown where it is awaited.
    this.#waiting.push({ bytes, made: () => making ?? make() });
    if (!waits) await this.#startUploads();
  }

  async #startUploads(): Promise<void> {
    const namespace = await this.#writer();
    const { sequence } = namespace.manifest;
    for (const table of this.#waiting.splice(0)) {
      await this.#startUpload(table.bytes, async () => {
        const made = await table.made();
        const place = { level: LEVEL, minSequence: sequence, maxSequence: sequence };
        if (made.kind === 'sealed') return this.#uploadTable(namespace, { ...made.table, ...place }, true);
        for (const { bytes, content } of made.files) {
          this.#uploaded.push(await namespace.uploadFile(made.name, { bytes, content: { ...content, ...place } }));
        }
      });
    }
  }

  /**
   * Starts an upload while the caller goes on. It first waits until fewer uploads are under way: of large tables as
   * many as threads put in order and one that is written, of small ones several more.
   */
  async #startUpload(bytes: number, work: () => Promise<void>): Promise<void> {
    const { tablesUnderWay } = this.#options;
    const [most, mostBytes] = [MOST_UPLOADS + tablesUnderWay, (1 + tablesUnderWay) * SHARE_BYTES];
    while (this.#underWay.size > 0 && (this.#underWay.size >= most || this.#bytesUnderWay + bytes > mostBytes)) {
      await Promise.race(this.#underWay);
    }
    this.#checkFailure();
    this.#bytesUnderWay += bytes;
    const upload = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#bytesUnderWay -= bytes;
        this.#underWay.delete(upload);
      });
    this.#underWay.add(upload);
  }

  async #uploadTable(namespace: Namespace, table: SstTable, takesArrays: boolean): Promise<void> {
    const writer = namespace.createSstWriter(table, { takesArrays });
    await writer.add(table);
    this.#uploaded.push(...(await writer.finish()));
  }

  #checkFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Makes all files part of the namespace with one manifest, unless the graph would break a constraint. */
  async publish({ labels, ...ordinals }: ImportedGraph): Promise<Publication> {
    if (this.#writesNothing) return { kind: 'complete', manifest: null };
    await this.#startUploads();
    const namespace = await this.#writer();
    const changed = await this.#uploadChanges(namespace);
    await Promise.all(this.#underWay);
    this.#checkFailure();
    const { manifest: current } = namespace;
    const uploaded = this.#uploaded.toSorted(byKindAndOrdinal);
    const edit = {
      ...ordinals,
      ...(this.graph === null ? {} : { sequence: this.graph.sequence }),
      addUploaded: uploaded,
      remove: [],
      newContent: true,
      catalog: catalogWith(changed?.catalog ?? current.catalog, uploaded, labels),
      liveRows: liveRows(current, changed?.liveRows ?? [], uploaded),
    };
    const completion = await this.#completion(namespace, edit);
    if (completion.kind === 'broken') return completion;
    if (this.#options.purpose !== 'import') return { kind: 'complete', manifest: null };
    this.#mayBePublished = true;
    const { manifest } = await namespace.publish({ ...edit, add: [], catalog: completion.catalog });
    return { kind: 'complete', manifest };
  }

  /** Completes the schema. The code that opens a graph is loaded only where there are constraints or statements. */
  async #completion(namespace: Namespace, edit: Omit<ManifestEdit, 'add'> & { readonly catalog: Catalog }): Promise<Completion> {
    if (!this.#needsCompletion(edit.catalog)) return { kind: 'complete', catalog: edit.catalog };
    const { completedCatalog } = await import('./schema-completion.ts');
    return completedCatalog(namespace, previewManifest(namespace.manifest, edit), this.#options.schema);
  }

  /**
   * Uploads what the log of the namespace holds, and the changed rows of the graph, as files of the last commit: the
   * manifest names them, and no commit is made for them.
   */
  async #uploadChanges(namespace: Namespace): Promise<ManifestEdit | null> {
    const flush = this.graph?.collectFlush() ?? null;
    if (flush === null || this.graph === null) return null;
    const { sequence } = this.graph;
    for (const table of flush.edit.add) {
      const changed = { ...table, minSequence: Math.min(table.minSequence, sequence), maxSequence: sequence };
      await this.#startUpload(tableBytes(table), () => this.#uploadTable(namespace, changed, false));
    }
    return flush.edit;
  }

  /**
   * Removes all uploaded files, unless a manifest may name them: one that was given up may still come into force (B5), and
   * a namespace without its files cannot be opened. Those that stay and are not part of the namespace, garbage collection
   * takes.
   */
  async abandon(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#mayBePublished) return;
    await Promise.allSettled(this.#uploaded.map(({ file }) => this.#store.delete(file.key)));
  }

  async close(): Promise<void> {
    await this.graph?.close();
    await this.#namespace?.close();
    await this.#store.close();
    if (this.#draft !== null) await rm(this.#draft, { recursive: true, force: true });
  }

  async #writer(): Promise<Namespace> {
    if (this.#namespace !== null) return this.#namespace;
    const namespace = await this.#open(false);
    this.#namespace = namespace;
    if (this.graph !== null) this.#assertUnchanged(namespace, this.graph);
    else if (!isEmpty(namespace)) throw holdsData(namespace.name);
    return namespace;
  }

  #assertUnchanged(namespace: Namespace, { sequence, generation }: ExistingGraph): void {
    if (namespace.durableSequence === sequence && namespace.manifest.generation === generation) return;
    throw new GraphDBError(
      'WRITER_FENCED',
      `somebody wrote to namespace "${this.#name}" while the files were read, so rows may have been matched wrongly; nothing ` +
        'was imported; try again',
    );
  }

  #open(readOnly: boolean): Promise<Namespace> {
    const { logger } = this.#options;
    return openNamespace(this.#store, {
      name: this.#name,
      readOnly,
      threadFromBytes: ENCODE_BESIDE_FROM_BYTES,
      ...(logger === undefined ? {} : { logger }),
    });
  }
}

function byKindAndOrdinal(a: UploadedSst, b: UploadedSst): number {
  if (a.table.kind !== b.table.kind) return a.table.kind === 'nodes' ? -1 : 1;
  return a.file.minOrdinal - b.file.minOrdinal;
}

/** Returns about how many bytes a table takes in memory. */
function tableBytes({ columns }: Pick<SstTable, 'columns'>): number {
  return columns.reduce((sum, { values, heap }) => sum + values.byteLength + (heap?.byteLength ?? 0), 0);
}

function isEmpty({ manifest, recovered }: Namespace): boolean {
  const { tables, nextNodeOrdinal, nextRelationshipOrdinal } = manifest;
  return tables.length === 0 && recovered.length === 0 && nextNodeOrdinal === 0 && nextRelationshipOrdinal === 0;
}

function holdsData(name: string): GraphDBError {
  return new GraphDBError(
    'UNSUPPORTED',
    `namespace "${name}" holds data already; say with --merge-on by which key rows match its nodes (--merge-on Person.id), or ` +
      'import into another namespace (another ns=)',
  );
}

/** Adds the names of uploaded files to the catalog. Its order is that of a node's labels, so labels keep the import's order. */
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

/** Returns the live rows of each table: those that it had, changed by updates of existing nodes, and the new ones. */
function liveRows(
  current: Manifest,
  changed: NonNullable<ManifestEdit['liveRows']>,
  uploaded: readonly UploadedSst[],
): NonNullable<ManifestEdit['liveRows']> {
  const byTable = new Map<string, NonNullable<ManifestEdit['liveRows']>[number]>();
  for (const table of [...current.tables, ...changed]) byTable.set(tableId(table), table);
  for (const { table, file } of uploaded) {
    if (file.level !== LEVEL) continue;
    const before = byTable.get(tableId(table));
    byTable.set(tableId(table), { ...table, liveRows: (before?.liveRows ?? 0) + file.rows });
  }
  return Array.from(byTable.values(), ({ kind, labels, type, liveRows: rows }) => ({
    kind,
    ...(labels === undefined ? {} : { labels }),
    ...(type === undefined ? {} : { type }),
    liveRows: rows,
  }));
}

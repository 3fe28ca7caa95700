/**
 * The interface of storage to the layers above: a namespace in an object store (manifest, write-ahead log, SSTs) and
 * the protocol that keeps it consistent (ARCHITECTURE.md, B1–B10). It knows tables, rows and commit payloads; it does
 * not know what a payload means.
 */

/** A namespace opened for writing (epoch claimed) or reading. */
export interface Namespace {
  readonly name: string;
  /** 'reader' after being fenced, or when opened read-only. */
  readonly role: 'writer' | 'reader';
  readonly epoch: number;
  /** The current manifest, as far as this namespace knows. */
  readonly manifest: Manifest;
  /** The commits above `manifest.sequence` that were found in the WAL at opening, ascending by sequence, without gaps. */
  readonly recovered: readonly Commit[];
  /**
   * Stores a commit; resolves when it is durable (B4). Commits that are appended while a put is under way share the
   * next put. Sequences must be given in order, without gaps.
   * @throws WRITER_FENCED when another writer has taken over, for this and every later commit; STORE_UNAVAILABLE when
   * the commit is not stored and will not be, or when that is unknown (`outcomeUnknown`). The namespace stops writing
   * then, since its memory is ahead of the bucket: the engine rolls back to `durableSequence`, and may go on.
   */
  append(commit: Commit, options?: AppendOptions): Promise<void>;
  /**
   * Resolves when all appended commits are durable, and at some moment after the call no other writer had taken over:
   * so an answer from this writer's memory was true then. One request, shared by calls made meanwhile; none where a
   * commit is put after the call.
   * @throws WRITER_FENCED, STORE_UNAVAILABLE when it cannot be known, or a commit could not be stored
   */
  confirmWriter(): Promise<void>;
  readonly durableSequence: number;
  /** The number of WAL objects that the next opening has to read; 0 for a reader. */
  readonly walObjects: number;
  /**
   * Uploads SSTs and makes them part of the namespace with one manifest CAS: flush, compaction, import.
   * @throws WRITER_FENCED when the CAS is lost to a higher epoch
   */
  publish(edit: ManifestEdit): Promise<PublishOutcome>;
  /** Creates a writer of files of a table, for `ManifestEdit.addUploaded`. */
  createSstWriter(table: TableName, options?: SstWriterOptions): SstWriter;
  /** Stores an encoded file of the table under a fresh name; for `ManifestEdit.addUploaded`. */
  uploadFile(table: TableName, file: EncodedFile): Promise<UploadedSst>;
  openSst(file: SstFile): Promise<SstReader>;
  openArtefact(artefact: ManifestArtefact): ArtefactReader;
  /** Notes that an artefact is damaged: a writer's next compaction drops it and builds it anew. */
  foundDamaged(artefact: ManifestArtefact): void;
  /** Whether this manifest version is still kept; if not, its files may be gone. One list, and the gets of this and later versions. */
  isRetained(version: number): Promise<boolean>;
  /**
   * Returns the changes that a reader has not seen yet (B8): the newest manifest, and the commits since the last call
   * (or since opening), ascending, without gaps. With `rebase` set, the commits do not follow those of the last call:
   * start again from the manifest's files, then apply `commits`. A writer that is not fenced gets no commits. `search`
   * looks for the newest manifest even if the next version is missing, since that may have come and gone; otherwise a
   * reader does so now and then, and a writer that searches finds out whether it has been fenced. `anew` forgets the
   * earlier calls: a reader then gets everything again, with `rebase`.
   */
  poll(options?: PollOptions): Promise<PollOutcome>;
  /**
   * Merges files of tables, one table after the other, each with a manifest of its own; in bounded memory, concurrently
   * with reads, writes and flushes. Then builds missing artefacts, and drops unwanted ones.
   * @throws WRITER_FENCED, READ_ONLY for a reader
   */
  compact(options?: CompactionOptions): Promise<CompactionOutcome>;
  /** Removes objects that nothing needs any more (B6). @throws WRITER_FENCED, READ_ONLY for a reader */
  collectGarbage(options: GarbageOptions): Promise<GarbageOutcome>;
  /**
   * Opens the log behind a position, of a namespace with change capture (`Manifest.capture`).
   * @throws GONE when some of the commits are not kept any more, or the position is not one of this log
   */
  openLog(position: LogPosition): Promise<LogCursor>;
  /** Returns the lowest position of the log behind which every commit is kept. One list, up to four gets. */
  earliestPosition(): Promise<LogPosition>;
  /**
   * Makes operations fail from now on that the store does not settle, instead of trying again until it does: for a
   * caller that has to end, and waits for them before it closes the namespace.
   */
  stopTrying(): void;
  /** Waits for operations under way, then closes the namespace: nothing is written afterwards. */
  close(): Promise<void>;
}

/** A place between two commits of the log. */
export interface LogPosition {
  /** The sequence of the last commit before the position. */
  readonly sequence: number;
  /** The WAL object where reading can begin: it holds that commit, or lies at or before the next one. It may be gone. */
  readonly walNumber: number;
  /** The epoch at the position: objects of earlier epochs do not count from there on. */
  readonly epoch: number;
  /** The CRC-32 of the changes of the last commit before the position; 0 when it is unknown. */
  readonly crc32: number;
}

/** A commit of the log, and where it stands. */
export interface LoggedCommit extends Commit {
  readonly walNumber: number;
  readonly epoch: number;
  readonly writerId: string;
}

/** Reads commits from the log. */
export interface LogCursor {
  /**
   * Returns the next commits up to the sequence `limit`, which must be durable; an empty list when there are none. A
   * call returns only some of many commits, so memory is bounded. @throws GONE when the next commits are not kept any
   * more
   */
  read(limit: number, signal?: AbortSignal): Promise<readonly LoggedCommit[]>;
}

/** The options of compaction. */
export interface CompactionOptions {
  /** How many flushed files of a table start a merge; default 4. */
  readonly maxFlushedFiles?: number;
  /** Merges every table down to one run without tombstones. */
  readonly everything?: boolean;
  readonly signal?: AbortSignal;
  /** Called after each merge: its old files may be removed from then on, while other tables are still to be merged. */
  readonly onMerged?: () => void;
}

/** The outcome of compaction. */
export interface CompactionOutcome {
  readonly manifest: Manifest;
  readonly tablesMerged: number;
  readonly filesRemoved: number;
  readonly filesAdded: number;
  readonly rowsWritten: number;
}

/** The options of collecting garbage. */
export interface GarbageOptions {
  /** How long objects that the current manifest no longer names are kept for readers, in milliseconds. */
  readonly graceMs: number;
  /** How long the WAL is kept, in milliseconds, at most `graceMs`, the default; a reader that misses a part begins again. */
  readonly walGraceMs?: number;
  /** How many of the newest manifest versions stay readable, besides those in force within the grace time; at least 1. */
  readonly retainVersions: number;
  /** Ends all leases, as a drop does; else each one keeps its version until it ends by itself. */
  readonly endsLeases?: boolean;
}

/** The outcome of collecting garbage: the number of removed objects by kind, and their bytes. */
export interface GarbageOutcome {
  readonly manifests: number;
  readonly walObjects: number;
  readonly files: number;
  /** The number of manifests that are kept only because of a lease, and are removed once it has ended. */
  readonly leased: number;
  readonly bytes: number;
}

/** The options of `Namespace.poll`, which describes them. */
export interface PollOptions {
  readonly search?: boolean;
  readonly anew?: boolean;
}

/** The outcome of `Namespace.poll`, which describes it. */
export interface PollOutcome {
  readonly manifest: Manifest;
  readonly commits: readonly Commit[];
  readonly rebase: boolean;
}

/** A commit in the log. */
export interface Commit {
  readonly sequence: number;
  readonly changes: Uint8Array;
}

/** The options of appending a commit. */
export interface AppendOptions {
  /** Says that another commit is about to come, so that both can share a put. */
  readonly followed?: boolean;
}

/** An epoch, and the writer that holds or held it. */
export interface EpochWriter {
  readonly epoch: number;
  readonly writerId: string;
}

/** A manifest. */
export interface Manifest extends EpochWriter {
  /** The format of the manifest as it lies in the bucket; the next one has the current format. */
  readonly formatVersion: 1 | 2 | 3;
  readonly version: number;
  /** The writers of the epochs whose objects the WAL from `walFloor` may hold, ascending; the last is the writer of this manifest. */
  readonly writers: readonly EpochWriter[];
  readonly createdAtMs: number;
  /** Ordinals below `nextNodeOrdinal` and `nextRelationshipOrdinal` were given before `sequence`. */
  readonly nextNodeOrdinal: number;
  readonly nextRelationshipOrdinal: number;
  /** All commits up to this one are in the files. */
  readonly sequence: number;
  /** Counts the edits that changed the content otherwise than by commits; a follower begins again when it changes. */
  readonly generation: number;
  /** The first WAL number that may hold commits above `sequence`. */
  readonly walFloor: number;
  /** Change capture: commits hold the states before them, and stay readable for a while. Null when it is off. */
  readonly capture: Capture | null;
  readonly catalog: Catalog;
  readonly tables: readonly ManifestTable[];
  /** Files derived from those of the tables (B9). */
  readonly artefacts: readonly ManifestArtefact[];
  /**
   * The objects that hold most of catalog, tables and artefacts, oldest first: each holds changes to the state that
   * those before it describe, and the object of the manifest itself holds changes to the state that all of them
   * describe.
   */
  readonly children: readonly ChildManifest[];
}

/** Change capture of a namespace (decision 0039), which writers and garbage collection obey. */
export interface Capture {
  /**
   * A new id each time that capture is turned on, and with new content that no commit describes (`newContent`);
   * positions of the log under another id mean nothing.
   */
  readonly id: string;
  /** How long an object of the log is kept after its put, in milliseconds. */
  readonly retentionMs: number;
  /** The sequence above which commits describe every change, with the states before it. */
  readonly since: number;
}

/** The place of a child of a manifest. */
export interface ChildPlace {
  /** Key below the namespace: `data/<id>.manifest`. */
  readonly key: string;
  readonly bytes: number;
  /** The CRC-32 of the whole object. */
  readonly crc32: number;
}

/** A child of a manifest. */
export interface ChildManifest extends ChildPlace {
  readonly changes: ManifestChanges;
}

/** The differences of catalog, tables and artefacts between two states of a namespace. */
export interface ManifestChanges {
  /** The whole new catalog; left out when it does not change. */
  readonly catalog?: Catalog;
  /** The tables that change. A table that has neither files nor rows afterwards is removed. */
  readonly tables: readonly TableChanges[];
  /** The ids of removed artefacts. */
  readonly dropArtefacts: readonly string[];
  readonly addArtefacts: readonly ManifestArtefact[];
}

/** The changes of a table. */
export interface TableChanges extends TableName {
  readonly liveRows: number;
  /** The keys of removed files. */
  readonly remove: readonly string[];
  /** Added files, in the order of the files that they stand behind. */
  readonly add: readonly AddedFiles[];
}

/** Consecutive files of a table. */
export interface AddedFiles {
  /** The key of the earlier file that the added files stand behind; null when they are the first of the table. */
  readonly after: string | null;
  readonly files: readonly SstFile[];
}

/**
 * Files derived from files of one table and kept for speed (docs/storage-format.md, "Artefacts"). Without an artefact a
 * reader reads the rows themselves, and answers are the same (B9). For one kind and subject each file of a table is
 * covered at most once.
 */
export interface ManifestArtefact {
  /** The id, unique in the namespace for ever. */
  readonly id: string;
  /** The name of the kind, which defines the meaning of pages and directory. */
  readonly kind: string;
  /** The version of the kind's format. */
  readonly kindVersion: number;
  /** The subject of the artefact within its table, such as the definition of an index. */
  readonly subject: ArtefactRecord;
  readonly covers: ArtefactCoverage;
  /** The files of the artefact; pages are numbered through all of them. */
  readonly files: readonly ArtefactFile[];
  /** Small facts whose meaning the kind defines, such as counts. */
  readonly directory: ArtefactRecord;
}

/** A record of an artefact, as JSON. */
export type ArtefactRecord = Readonly<Record<string, unknown>>;

/** The files that an artefact covers: it describes all their rows, of several versions the latest, and no other rows. */
export interface ArtefactCoverage {
  readonly table: TableName;
  /** The keys of the covered files, oldest first; the files are consecutive in the table. */
  readonly files: readonly string[];
  /** The highest sequence of the covered files. */
  readonly sequence: number;
}

/** A file of an artefact. */
export interface ArtefactFile {
  /** Key below the namespace: `data/<id>.artefact`. */
  readonly key: string;
  readonly bytes: number;
  /** The CRC-32 of the whole object. */
  readonly crc32: number;
  /** The places of the pages where they are few and have no fence keys; otherwise the table of pages. */
  readonly pages: readonly ArtefactPage[] | PageTable;
}

/** The table of many pages, or of pages with fence keys. Their places stand in the file, so that manifests do not grow. */
export interface PageTable {
  readonly count: number;
  readonly place: ArtefactPage;
  /** The fence key of the first page, where pages have fence keys. */
  readonly fence?: string;
}

/**
 * The unit of reading: one range of the file, with a checksum of its own (B7). A fence key tells a look-up which pages
 * can hold what it wants; the kind defines its content.
 */
export type ArtefactPage = readonly [offset: number, bytes: number, crc32: number, fence?: string];

/** The symbols of a namespace, whose ids are positions in these arrays, and the definitions of src/graph as JSON. */
export interface Catalog {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  readonly keys: readonly string[];
  readonly indexes: readonly Readonly<Record<string, unknown>>[];
  readonly constraints: readonly Readonly<Record<string, unknown>>[];
}

/** The name of a table: `labels`, ascending by name, for nodes; `type` for relationships. */
export interface TableName {
  readonly kind: 'nodes' | 'relationships';
  readonly labels?: readonly string[];
  readonly type?: string;
}

/** A table in a manifest. */
export interface ManifestTable extends TableName {
  readonly liveRows: number;
  /** The files of the table, oldest first; rows of later files replace those of earlier ones. */
  readonly files: readonly SstFile[];
}

/** A file of a table. */
export interface SstFile {
  /** Key below the namespace: `data/<id>.arrow`. */
  readonly key: string;
  readonly bytes: number;
  /** The CRC-32 of the whole object. */
  readonly crc32: number;
  readonly compression?: 'zstd';
  readonly rows: number;
  /** The level: 0 for a flushed file, higher for a merged one. */
  readonly level: number;
  /** Whether the file stands alone: no two rows have one ordinal, and none is a tombstone. */
  readonly base: boolean;
  readonly minOrdinal: number;
  readonly maxOrdinal: number;
  /** Whether row r has the ordinal `minOrdinal` + r. */
  readonly denseOrdinals: boolean;
  readonly minSequence: number;
  readonly maxSequence: number;
  readonly blockCount: number;
  readonly columns: readonly SstColumnInfo[];
  /** The place of the layout in the file; the layout itself for a file that was written before format 3. */
  readonly layout: SstBuffer | SstLayout;
}

/** The layout of a file: the places of its blocks and dictionaries. It stands in the file, so that manifests do not grow. */
export interface SstLayout {
  readonly blocks: readonly SstBlock[];
  /** The places of dictionaries, one for each column of kind dictionary, in the order of the columns. */
  readonly dictionaries: readonly SstDictionaryPlace[];
}

/** The place of a dictionary in a file. */
export interface SstDictionaryPlace {
  readonly offsets: SstBuffer;
  readonly heap: SstBuffer;
}

/** The facts about a column in a file. */
export interface SstColumnInfo {
  readonly name: string;
  readonly kind: SstColumnKind;
  readonly nullCount: number;
  /** The bounds of the values that are not null; int64 as decimal text. Left out where no bound is short and finite. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** The exact number of distinct values in the file; left out where counting is not cheap. */
  readonly distinct?: number;
  /** The number of entries of the dictionary; for columns of kind dictionary only. */
  readonly dictionarySize?: number;
}

/**
 * [offset from the start of the file, stored bytes, CRC-32 of the stored bytes]; in a compressed file a fourth number: bytes when unpacked.
 * A buffer without bytes is [offset, 0, 0].
 */
export type SstBuffer = readonly [offset: number, bytes: number, crc32: number, unpackedBytes?: number];

/** A block of a file. */
export interface SstBlock {
  readonly rows: number;
  /** The offset of the record batch's body. */
  readonly offset: number;
  readonly bytes: number;
  /** The buffers in Arrow's order: for each column validity, then values (fixed width) or offsets and bytes (string, vector, any). */
  readonly buffers: readonly SstBuffer[];
  /**
   * For each buffer the checksums of its pieces, so that a piece can be read alone: CRC-32, little-endian, in base64;
   * `''` for a buffer of one piece, or a packed one. Absent in files that were written before the format had pieces.
   */
  readonly pieces?: readonly string[];
}

/** The physical forms of src/graph's ColumnKind, plus the unsigned 32-bit form of system columns. */
export type SstColumnKind =
  | 'uint32'
  | 'int32'
  | 'integer'
  | 'int64'
  | 'float'
  | 'boolean'
  | 'date'
  | 'dictionary'
  | 'string'
  | 'vector'
  | 'any';

/**
 * A column in memory. `values` by kind: uint32 Uint32Array; int32, date Int32Array; integer (safe integers), float
 * Float64Array; int64 BigInt64Array; boolean Uint8Array of 0/1; dictionary Int32Array of codes into `dictionary`;
 * string, vector (32-bit floats), any Uint32Array of rows+1 offsets into `heap`, in bytes. `valid` is a bitmap of the
 * rows that have a value, or null when all rows have one.
 */
export interface SstColumn {
  readonly name: string;
  readonly kind: SstColumnKind;
  readonly values: Uint32Array | Int32Array | Float64Array | BigInt64Array | Uint8Array;
  readonly valid: Uint8Array | null;
  readonly heap?: Uint8Array;
  readonly dictionary?: { readonly offsets: Uint32Array; readonly heap: Uint8Array };
}

/**
 * Rows of one table. System columns (names start with one underscore; a property key that starts with an underscore is
 * stored with one more): `_ordinal` uint32 (left out when dense), `_deleted` boolean (left out when none is), `_id`
 * string or dictionary (left out when no row has one); relationships also `_source`, `_target` uint32. Nodes are sorted
 * by ordinal, relationships by (source, target, ordinal), strictly: one row per entity. A tombstone (`_deleted`) has
 * these key columns too; its properties are null.
 */
export interface SstTable extends TableName {
  readonly rows: number;
  readonly columns: readonly SstColumn[];
  readonly minOrdinal: number;
  readonly denseOrdinals: boolean;
  readonly base: boolean;
  readonly level: number;
  readonly minSequence: number;
  readonly maxSequence: number;
}

/** The changes that a new manifest makes. */
export interface ManifestEdit {
  /** Tables to upload as SSTs and add, a big one as several files. Arrays must not change until the promise is settled. */
  readonly add: readonly SstTable[];
  /** Files to add that are uploaded already. */
  readonly addUploaded?: readonly UploadedSst[];
  /** The keys of files to remove from the namespace. */
  readonly remove: readonly string[];
  /** The new sequence of the files; moves the WAL floor to the first object with a later commit. Members left out stay. */
  readonly sequence?: number;
  readonly nextNodeOrdinal?: number;
  readonly nextRelationshipOrdinal?: number;
  readonly catalog?: Catalog;
  /** The edit adds or removes content that no commit describes (import, restore), unlike a flush or a merge. */
  readonly newContent?: boolean;
  /**
   * The new change capture. When left out it stays. In both cases new content (`newContent`) gives it another id, and
   * moves `since` up to the sequence of the files.
   */
  readonly capture?: Capture | null;
  /** The new number of live rows of each table that changed. */
  readonly liveRows?: readonly (TableName & { readonly liveRows: number })[];
  /**
   * Artefacts whose files are uploaded. Each replaces those of its kind and subject that cover the same files. When
   * left out, added files get the artefacts that the kinds want; a list, even an empty one, means exactly these.
   * Artefacts whose files are removed are dropped in any case.
   * @throws STORE_UNAVAILABLE when a file that one covers is not in its table (any more)
   */
  readonly addArtefacts?: readonly ManifestArtefact[];
  /** Ids of artefacts to drop; ids that do not exist are ignored. */
  readonly dropArtefacts?: readonly string[];
}

/** A file in the bucket that no manifest names yet, and the table it belongs to. */
export interface UploadedSst {
  readonly table: TableName;
  readonly file: SstFile;
}

/** The entry of a file in the manifest, besides its name. */
export type SstContent = Omit<SstFile, 'key'>;

/** A file that is not in the bucket yet. */
export interface EncodedFile {
  readonly bytes: Uint8Array;
  readonly content: SstContent;
}

/** The options of writing files. */
export interface SstWriterOptions {
  /** Added tables hand over their arrays to the writer, so that another thread can encode them without a copy. */
  readonly takesArrays?: boolean;
}

/**
 * Writes one table that need not fit in memory (import, merge): batches in the table's order, uploaded as files of some
 * 32 MiB as they come. Garbage collection removes files that are never published.
 */
export interface SstWriter {
  /**
   * Adds rows behind those added before. Columns that a batch leaves out are null in it; a new file begins where a
   * column changes its kind. Arrays must not change until the writer has ended. Resolves when the writer can take more.
   */
  add(batch: SstTable): Promise<void>;
  /** Uploads the remaining rows, and returns all files that were written. */
  finish(): Promise<readonly UploadedSst[]>;
  /** Gives up: uploaded files are left to garbage collection. */
  abandon(): Promise<void>;
}

/** The outcome of publishing. */
export interface PublishOutcome {
  readonly manifest: Manifest;
  readonly ssts: readonly SstFile[];
}

/** Reads an artefact by page. Every byte is checked against its CRC before it is returned (B7). @throws CORRUPTION */
export interface ArtefactReader {
  readonly artefact: ManifestArtefact;
  readonly pageCount: number;
  /**
   * Returns `count` pages from page `first` on, in order, which the caller must not change. Adjacent pages of a file
   * that are not cached are read by one request up to 4 MiB; several requests run at once. The list of the pages of a
   * file, where it stands in the file, is one request more, once per reader.
   */
  readPages(first: number, count: number): Promise<readonly Uint8Array[]>;
  /** Reads the list of the pages of a file ahead, by the file's place in the artefact, so that its first page costs one round trip. */
  readPageList(file: number): Promise<void>;
  /** Returns the fence keys of the pages of a file, by its place in the artefact. @throws CORRUPTION when it has none */
  readFences(file: number): Promise<readonly string[]>;
  /** Makes the CORRUPTION error of a page whose checksum is right and whose content is invalid. */
  corruption(what: string): Error;
}

/** One column over `rows` rows of a block, from `firstRow` of the block on. */
export interface SstPart {
  readonly firstRow: number;
  readonly rows: number;
  readonly column: SstColumn;
}

/** Reads an SST by column. Every byte is checked against its CRC before it is returned (B7). @throws CORRUPTION */
export interface SstReader {
  readonly file: SstFile;
  /**
   * Reads the whole column over all blocks, into fresh SharedArrayBuffers or into `target`, whose length must be
   * `file.rows` for fixed-width kinds. Null when the file lacks the column.
   */
  readColumn(name: string, target?: { readonly values: SstColumn['values']; readonly valid: Uint8Array | null }): Promise<SstColumn | null>;
  /**
   * Reads columns over the rows of one block, in the order of `file.columns`: all of them, or those named. One request
   * for all; when the columns are a small part of the block, one for each of their buffers.
   */
  readBlock(index: number, names?: ReadonlySet<string>): Promise<readonly SstColumn[]>;
  /**
   * Reads one column over a few thousand rows around `row` of a block, or over all its rows where the file has no
   * pieces; null when the file lacks the column. One request, or two in sequence for kinds without a fixed width.
   * `width`: every row of the block is known to have this many bytes of text or vector; then one request reads the row
   * alone.
   */
  readAround(name: string, block: number, row: number, width?: number): Promise<SstPart | null>;
  /** Returns the layout, which is read once per reader. */
  readLayout(): Promise<SstLayout>;
  /** Returns the dictionary of a dictionary column, read once per reader; null for other columns. */
  readDictionary(name: string): Promise<NonNullable<SstColumn['dictionary']> | null>;
}

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
  /** The manifest in force. */
  readonly manifest: Manifest;
  /** Commits above `manifest.sequence` found at open, ascending by sequence, dense. */
  readonly recovered: readonly Commit[];
  /**
   * Stores a commit durably; resolves when it is (B4). Calls made while a put is under way share the next one.
   * Sequences must be given densely, in order. WRITER_FENCED: another writer took over: this and every later commit
   * failed. STORE_UNAVAILABLE: it is not stored, and will not be, or (`outcomeUnknown`) that cannot be told; the
   * namespace stops writing (its memory is ahead of the bucket: the engine rolls back to `durableSequence`, and may go
   * on).
   */
  append(commit: Commit, options?: AppendOptions): Promise<void>;
  /**
   * Resolves when all appended commits are durable and it is known that at some moment after the call nobody had taken
   * over: so an answer that rests on this writer's memory was true then. One request, shared by calls made meanwhile;
   * none where a commit is put after the call. WRITER_FENCED; STORE_UNAVAILABLE: it cannot be known, or a commit could
   * not be stored.
   */
  confirmWriter(): Promise<void>;
  readonly durableSequence: number;
  /** Objects of the WAL that the next opening has to read; 0 for a reader. */
  readonly walObjects: number;
  /**
   * Uploads SSTs and makes them part of the namespace with one manifest CAS: flush, compaction, import.
   * WRITER_FENCED when the CAS is lost to a higher epoch.
   */
  publish(edit: ManifestEdit): Promise<PublishOutcome>;
  /** For `ManifestEdit.addUploaded`. */
  createSstWriter(table: TableName, options?: SstWriterOptions): SstWriter;
  /** Puts a file of the table that was encoded elsewhere under a name of its own; for `ManifestEdit.addUploaded`. */
  uploadFile(table: TableName, file: EncodedFile): Promise<UploadedSst>;
  openSst(file: SstFile): Promise<SstReader>;
  openArtefact(artefact: ManifestArtefact): ArtefactReader;
  /** Notes that an artefact is damaged: a writer's next compaction drops it and builds it anew. */
  foundDamaged(artefact: ManifestArtefact): void;
  /** Is this manifest version still kept? If not, files that it names may be gone. One list, up to two gets. */
  isRetained(version: number): Promise<boolean>;
  /**
   * Returns the changes that a reader has not seen yet (B8): the newest manifest and the commits since the last call
   * (or since opening), ascending, dense. `rebase`: they do not follow those given before; start again from the
   * manifest's files, then apply `commits`. A writer gets nothing new. `search`: look for the newest manifest though
   * the next one is not there; it may have come and gone. Otherwise that is done now and then. A writer then learns
   * whether it has been fenced. `anew`: what was given before is not known any more; a reader then gets everything
   * again, with `rebase`.
   */
  poll(options?: PollOptions): Promise<PollOutcome>;
  /**
   * Merges files of tables, one table after the other, each with a manifest of its own; in bounded memory, beside
   * reads, writes and flushes. Then builds the artefacts that files lack, and drops those that nobody wants.
   * WRITER_FENCED, READ_ONLY.
   */
  compact(options?: CompactionOptions): Promise<CompactionOutcome>;
  /** Removes what nobody needs any more (B6). WRITER_FENCED, READ_ONLY. */
  collectGarbage(options: GarbageOptions): Promise<GarbageOutcome>;
  /**
   * The commits behind a position of the log (`Manifest.capture`). GONE: some of them are not kept any more, or the
   * position is none of this log.
   */
  openLog(position: LogPosition): Promise<LogCursor>;
  /** The lowest position from which every commit is kept. One list, up to five gets. */
  earliestPosition(): Promise<LogPosition>;
  /** Waits for what is under way. Afterwards nothing is written. */
  close(): Promise<void>;
}

/** A place between two commits of the log. */
export interface LogPosition {
  /** The last commit before it. */
  readonly sequence: number;
  /** The object that holds that commit, or one at or before the next commit: reading can begin there. It may be gone. */
  readonly walNumber: number;
  /** Objects of earlier epochs do not count from there on. */
  readonly epoch: number;
  /** Checksum of the changes of that commit; 0: not known. */
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
   * The next commits up to the sequence `limit`, which is known to be durable; none: there are none up to there. Some
   * at a time: what is held is bounded, whatever is behind. GONE: what comes next is not kept any more.
   */
  read(limit: number, signal?: AbortSignal): Promise<readonly LoggedCommit[]>;
}

/** The options of compaction. */
export interface CompactionOptions {
  /** Flushed files that a table may gather before they are merged; default 4. */
  readonly maxFlushedFiles?: number;
  /** Merge every table down to one run without tombstones. */
  readonly everything?: boolean;
  readonly signal?: AbortSignal;
  /** After each of the merges: from here on its old files may be removed, while others are still to be merged. */
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
  /** How long a reader may go on using what the current manifest no longer names. */
  readonly graceMs: number;
  /** The time for which the WAL is kept, at most as long; a reader that misses a part of it begins again. Left out: the same. */
  readonly walGraceMs?: number;
  /** Manifest versions that stay readable, besides those that were in force within the grace time: at least the current one. */
  readonly retainVersions: number;
}

/** Objects removed, by kind. */
export interface GarbageOutcome {
  readonly manifests: number;
  readonly walObjects: number;
  readonly files: number;
  /** Manifests that stay for a lease alone: they go when it has ended. */
  readonly leased: number;
  readonly bytes: number;
}

/** The options of following. */
export interface PollOptions {
  readonly search?: boolean;
  readonly anew?: boolean;
}

/** The outcome of following. */
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

/** The options of appending. */
export interface AppendOptions {
  /** Another commit is about to come: they may share a put. */
  readonly followed?: boolean;
}

/** Who holds, or held, an epoch. */
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
  /** Node and relationship ordinals below these were given before `sequence`. */
  readonly nextNodeOrdinal: number;
  readonly nextRelationshipOrdinal: number;
  /** All commits up to this one are in the files. */
  readonly sequence: number;
  /** Counts the edits that changed the content otherwise than by commits: who follows begins again. */
  readonly generation: number;
  /** The first WAL number that may hold commits above `sequence`. */
  readonly walFloor: number;
  /** Commits tell what was there before them, and stay readable for a while; null: neither. */
  readonly capture: Capture | null;
  readonly catalog: Catalog;
  readonly tables: readonly ManifestTable[];
  /** Files derived from those of the tables (B9). */
  readonly artefacts: readonly ManifestArtefact[];
  /**
   * Objects that hold most of what it says of catalog, tables and artefacts, oldest first: each changes what those
   * before it say, and the object of the manifest itself changes what all of them say.
   */
  readonly children: readonly ChildManifest[];
}

/** Change capture of a namespace (decision 0039). Whoever writes or collects goes by it. */
export interface Capture {
  /** Another one each time that capture is turned on: positions of an earlier time mean nothing. */
  readonly id: string;
  /** How long an object of the log is kept after it was put. */
  readonly retentionMs: number;
  /** Commits above this one say all that has changed since, with what was there before. */
  readonly since: number;
}

/** Where a child of a manifest lies. */
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
  /** The whole of it; left out where it is the same. */
  readonly catalog?: Catalog;
  /** The tables that differ. One that has neither files nor rows afterwards is gone. */
  readonly tables: readonly TableChanges[];
  /** Ids. */
  readonly dropArtefacts: readonly string[];
  readonly addArtefacts: readonly ManifestArtefact[];
}

/** The changes of a table. */
export interface TableChanges extends TableName {
  readonly liveRows: number;
  /** Keys of files. */
  readonly remove: readonly string[];
  /** In the order of the files that they stand behind. */
  readonly add: readonly AddedFiles[];
}

/** Consecutive files of a table. */
export interface AddedFiles {
  /** The key of the file that they stand behind, which was there before; null: they are the first. */
  readonly after: string | null;
  readonly files: readonly SstFile[];
}

/**
 * Files derived from files of one table and kept for speed (docs/storage-format.md, "Artefacts"). Nothing depends on
 * one: a reader looks at the rows themselves where it has none, and answers are the same (B9). For one kind and subject
 * each file of a table is covered at most once.
 */
export interface ManifestArtefact {
  /** Unique in the namespace for ever. */
  readonly id: string;
  /** Name of the kind, which alone knows what the pages and the directory mean. */
  readonly kind: string;
  /** Version of the format of its kind. */
  readonly kindVersion: number;
  /** The part of the table that it is about: the definition of an index, say. */
  readonly subject: ArtefactRecord;
  readonly covers: ArtefactCoverage;
  /** Pages are numbered through all of them. */
  readonly files: readonly ArtefactFile[];
  /** Small facts of the kind's own: fence keys, counts. */
  readonly directory: ArtefactRecord;
}

/** A record of an artefact, as JSON. */
export type ArtefactRecord = Readonly<Record<string, unknown>>;

/** An artefact tells all about the rows of these files, of several versions the latest, and nothing about any other file. */
export interface ArtefactCoverage {
  readonly table: TableName;
  /** Keys, oldest first: consecutive in the table. */
  readonly files: readonly string[];
  /** The highest sequence of the files. */
  readonly sequence: number;
}

/** A file of an artefact. */
export interface ArtefactFile {
  /** Key below the namespace: `data/<id>.artefact`. */
  readonly key: string;
  readonly bytes: number;
  /** The CRC-32 of the whole object. */
  readonly crc32: number;
  /** The pages themselves where they are few and have no fence keys. */
  readonly pages: readonly ArtefactPage[] | PageTable;
}

/** Many pages, or pages with fence keys: where they lie stands in the file itself, so that manifests do not grow with them. */
export interface PageTable {
  readonly count: number;
  readonly place: ArtefactPage;
  /** The fence key of the first page, where pages have some. */
  readonly fence?: string;
}

/**
 * The unit of reading: one range of the file, with a checksum of its own (B7). A fence key tells whoever looks for
 * something which pages can have it; what it says is the kind's own.
 */
export type ArtefactPage = readonly [offset: number, bytes: number, crc32: number, fence?: string];

/** Symbol ids are positions in the arrays. Indexes and constraints: the definitions of src/graph, as JSON. */
export interface Catalog {
  readonly labels: readonly string[];
  readonly types: readonly string[];
  readonly keys: readonly string[];
  readonly indexes: readonly Readonly<Record<string, unknown>>[];
  readonly constraints: readonly Readonly<Record<string, unknown>>[];
}

/** Node table: `labels` ascending by name. Relationship table: `type`. */
export interface TableName {
  readonly kind: 'nodes' | 'relationships';
  readonly labels?: readonly string[];
  readonly type?: string;
}

/** A table in a manifest. */
export interface ManifestTable extends TableName {
  readonly liveRows: number;
  /** Oldest first: later files win over earlier ones. */
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
  /** 0: flushed; higher: merged. */
  readonly level: number;
  /** No two rows with one ordinal, no tombstones: a file that stands alone. */
  readonly base: boolean;
  readonly minOrdinal: number;
  readonly maxOrdinal: number;
  /** Row r has ordinal minOrdinal + r. */
  readonly denseOrdinals: boolean;
  readonly minSequence: number;
  readonly maxSequence: number;
  readonly blockCount: number;
  readonly columns: readonly SstColumnInfo[];
  /** The place in the file where its layout stands; the layout itself for a file that a release before format 3 has written. */
  readonly layout: SstBuffer | SstLayout;
}

/** Where everything in a file lies. It stands in the file itself, so that manifests do not grow with the rows. */
export interface SstLayout {
  readonly blocks: readonly SstBlock[];
  /** One for each column of kind dictionary, in the order of the columns. */
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
  /** Bounds over the values that are not null; int64 as decimal text. Left out where there is no short and finite bound. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** Exact for the file, where it was cheap to know. */
  readonly distinct?: number;
  /** Entries of the dictionary; of kind dictionary only. */
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
  /** In the order of Arrow: by column validity, then values (fixed width) or offsets and bytes (string, vector, any). */
  readonly buffers: readonly SstBuffer[];
  /**
   * For each buffer the checksums of its pieces, so that one can be read without the others: CRC-32, little-endian, in
   * base64; `''` for a buffer of one piece, or that is packed. Absent: files that a release before pieces has written.
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
 * string, vector (32-bit floats), any Uint32Array of rows+1 offsets into `heap`, in bytes. `valid`: bitmap, null: all
 * valid.
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
  /** SSTs to upload and add. Their arrays must not change until the answer. A big table becomes several files. */
  readonly add: readonly SstTable[];
  /** Files that are uploaded already. */
  readonly addUploaded?: readonly UploadedSst[];
  /** Keys of files that no longer belong to the namespace. */
  readonly remove: readonly string[];
  /** Unset: as it was. `sequence` moves the WAL floor to the first object with a later commit. */
  readonly sequence?: number;
  readonly nextNodeOrdinal?: number;
  readonly nextRelationshipOrdinal?: number;
  readonly catalog?: Catalog;
  /** The edit brings or removes content that no commit says (import, restore). Flushes and merges do not. */
  readonly newContent?: boolean;
  /** Left out: as it was, but for `since`, which moves where the edit brings content that no commit says. */
  readonly capture?: Capture | null;
  /** Live rows by table, for the tables that changed. */
  readonly liveRows?: readonly (TableName & { readonly liveRows: number })[];
  /**
   * Artefacts whose files are uploaded. Each takes the place of those of its kind and subject that cover the same
   * files. STORE_UNAVAILABLE: a file that one covers is not in its table (any more). Artefacts whose files are removed
   * go by themselves. Left out: files that are added get those that the kinds want over them; given, be it an empty
   * list: these and no others.
   */
  readonly addArtefacts?: readonly ManifestArtefact[];
  /** Ids of artefacts that are not wanted any more; one that has gone already is not missed. */
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
  /** The arrays of what is added belong to the writer from then on; so another thread can encode them without a copy. */
  readonly takesArrays?: boolean;
}

/**
 * Writes one table that need not fit in memory (import, merge): batches in the table's order, uploaded as files of some
 * 32 MiB while they come. What is never published is removed by garbage collection.
 */
export interface SstWriter {
  /**
   * Rows after those before. Columns that a batch leaves out are null in it; where a column changes its kind a new file
   * begins. The arrays must not change until the writer has ended. Resolves when the writer can take more.
   */
  add(batch: SstTable): Promise<void>;
  /** Uploads what is left. */
  finish(): Promise<readonly UploadedSst[]>;
  /** Gives up: what was uploaded is left to garbage collection. */
  abandon(): Promise<void>;
}

/** The outcome of publishing. */
export interface PublishOutcome {
  readonly manifest: Manifest;
  readonly ssts: readonly SstFile[];
}

/** Reads an artefact by page. Every byte is checked against its CRC before it is given out (B7); CORRUPTION names the object. */
export interface ArtefactReader {
  readonly artefact: ManifestArtefact;
  readonly pageCount: number;
  /**
   * So many pages from the first on, in their order; not to be changed by the caller. Pages side by side in a file that
   * are not in the cache are read by one request up to 4 MiB, and several requests run at once. What is found out about
   * a file, the list of its pages, is one request more, once per reader.
   */
  readPages(first: number, count: number): Promise<readonly Uint8Array[]>;
  /**
   * Reads the list of the pages of a file of the artefact, by its place among the files, so that the first page of it
   * costs one round trip.
   */
  readPageList(file: number): Promise<void>;
  /** The fence keys of the pages of a file of the artefact, by its place among the files. CORRUPTION: it has none. */
  readFences(file: number): Promise<readonly string[]>;
  /** The error of a page whose checksum is right and whose content cannot be. */
  corruption(what: string): Error;
}

/** Reads an SST by column. Every byte is checked against its CRC before it is given out (B7); CORRUPTION names the object. */
/** A column over rows of a block from `firstRow` on: so many as it has values. */
export interface SstPart {
  readonly firstRow: number;
  readonly rows: number;
  readonly column: SstColumn;
}

/** Reads a file of a table. */
export interface SstReader {
  readonly file: SstFile;
  /**
   * The whole column over all blocks, in fresh SharedArrayBuffers (or read into `target`, whose length must be
   * file.rows for fixed-width kinds).
   */
  readColumn(name: string, target?: { readonly values: SstColumn['values']; readonly valid: Uint8Array | null }): Promise<SstColumn | null>;
  /**
   * Columns over the rows of one block, in the order of `file.columns`: all of them, or those of the names. One request
   * for all of them; where those that are asked for are a small part of the block, one for each of their buffers.
   */
  readBlock(index: number, names?: ReadonlySet<string>): Promise<readonly SstColumn[]>;
  /**
   * One column over some rows of a block, a few thousand around the row (of the block) that is named, or all of them
   * where the file has no pieces. One or two requests, one after the other for what has no fixed width. Null: the file
   * lacks the column. `width`: every row of the block has so many bytes of text or vector, which the caller knows: then
   * one request, for the row alone.
   */
  readAround(name: string, block: number, row: number, width?: number): Promise<SstPart | null>;
  /** Read once per reader. */
  readLayout(): Promise<SstLayout>;
  /** Reads the dictionary of a dictionary column; null for others. Read once per reader. */
  readDictionary(name: string): Promise<NonNullable<SstColumn['dictionary']> | null>;
}

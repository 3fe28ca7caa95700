/**
 * A namespace opened for writing, with its epoch claimed (open-namespace.ts). Commits go to the WAL, files to new
 * manifest versions. Once fenced (B3), it writes nothing more, and follows the new writer like a reader.
 */
import { assert, closedError, GraphDBError } from '../base/index.ts';
import type {
  AppendOptions,
  ArtefactFile,
  ArtefactReader,
  Commit,
  CompactionOptions,
  CompactionOutcome,
  EncodedFile,
  GarbageOptions,
  GarbageOutcome,
  LogCursor,
  LogPosition,
  Manifest,
  ManifestArtefact,
  ManifestEdit,
  Namespace,
  PollOptions,
  PollOutcome,
  PublishOutcome,
  SstFile,
  SstReader,
  SstWriter,
  SstWriterOptions,
  TableName,
  UploadedSst,
} from './api.ts';
import type { ArtefactKeeper } from './artefacts/artefact-keeper.ts';
import { PagedReader } from './artefacts/paged-reader.ts';
import { earliestPosition, openLog } from './changes/open-log.ts';
import { mapConcurrently } from './concurrency.ts';
import { fenced } from './faults.ts';
import { Follower } from './follower.ts';
import { collectGarbage } from './maintenance/collect-garbage.ts';
import { Compactor } from './maintenance/compactor.ts';
import type { WalKinds } from './maintenance/lasting-objects.ts';
import { readNewerRoot, readRetainedManifest } from './manifest/manifest-store.ts';
import type { NamespaceContext } from './namespace-context.ts';
import { Publisher } from './publisher.ts';
import { type BucketState, readState } from './read-state.ts';
import { insist } from './settled-put.ts';
import { openSstReader } from './sst/sst-reader.ts';
import type { FileWorker } from './threads/file-worker.ts';
import { WalWriter } from './wal/wal-writer.ts';

const CLOSE_PATIENCE_MS = 10_000;
const FINISH_PATIENCE_MS = 2_000;

/** The state that a writer begins with. */
export interface WriterState extends BucketState {
  /** The WAL number of the epoch start. */
  readonly epochStart: number;
  /** WAL numbers behind the epoch start that were given to seals. */
  readonly seals: ReadonlySet<number>;
  /** When this writer knew that its manifest was stored, and that nobody had taken over. */
  readonly confirmedAtMs: number;
}

/** A namespace opened for writing. */
export class WriterNamespace implements Namespace {
  readonly epoch: number;
  readonly recovered: readonly Commit[];
  readonly #context: NamespaceContext;
  readonly #wal: WalWriter;
  readonly #publisher: Publisher;
  readonly #compactor: Compactor;
  readonly #epochStart: number;
  /** The kinds of WAL objects that garbage collections have read. */
  readonly #walKinds: WalKinds = new Map();
  #fenced: GraphDBError | null = null;
  /** Follows the new writer; null until this writer is fenced and polled. */
  #follower: Follower | null = null;
  #closed: Promise<void> | null = null;

  constructor(context: NamespaceContext, state: WriterState) {
    const { store, clock, closing, writerId } = context;
    const { manifest, tail } = state;
    const { epoch } = manifest;
    const { replay } = tail;
    this.epoch = epoch;
    this.#epochStart = state.epochStart;
    this.#context = context;
    this.recovered = replay.takeCommits();
    this.#wal = new WalWriter({
      store,
      clock,
      signal: closing.signal,
      epoch,
      writerId,
      seals: state.seals,
      window: context.logWindow,
      nextNumber: tail.nextNumber,
      lastSequence: replay.lastSequence,
      segments: replay.segments,
      findSuccessor: () => this.#findSuccessor(),
      onFenced: (error) => this.#becomeFenced(error),
    });
    this.#publisher = new Publisher(context, state, {
      floorFor: (sequence) => this.#wal.floorFor(sequence),
      epochStart: this.#epochStart,
      findSuccessor: (version) => this.#findSuccessor(version),
    });
    this.#compactor = new Compactor(this);
  }

  get name(): string {
    return this.#context.name;
  }

  get role(): 'writer' | 'reader' {
    return this.#fenced === null ? 'writer' : 'reader';
  }

  get manifest(): Manifest {
    return this.#follower?.manifest ?? this.#publisher.manifest;
  }

  get durableSequence(): number {
    return this.#follower?.sequence ?? this.#wal.durableSequence;
  }

  get walObjects(): number {
    return this.#fenced === null ? this.#wal.nextNumber - this.#publisher.manifest.walFloor : 0;
  }

  /** Encodes and merges files, for compaction. */
  get fileWorker(): FileWorker {
    return this.#publisher.fileWorker;
  }

  append(commit: Commit, options?: AppendOptions): Promise<void> {
    return this.#wal.append(commit, options);
  }

  async confirmWriter(): Promise<void> {
    this.#assertWriting();
    return this.#wal.confirm();
  }

  async publish(edit: ManifestEdit): Promise<PublishOutcome> {
    this.#assertWriting();
    assert((edit.sequence ?? 0) <= this.#wal.durableSequence, 'files hold durable commits only');
    const outcome = await this.#fencing(() => this.#publisher.publish(edit));
    this.#wal.moveFloor(outcome.manifest.walFloor);
    return outcome;
  }

  createSstWriter(table: TableName, options: SstWriterOptions = {}): SstWriter {
    this.#assertWriting();
    return this.#publisher.createSstWriter(table, options);
  }

  async compact(options: CompactionOptions = {}): Promise<CompactionOutcome> {
    this.#assertWriting();
    return this.#fencing(() => this.#compactor.compact(options));
  }

  async collectGarbage(options: GarbageOptions): Promise<GarbageOutcome> {
    this.#assertWriting();
    const { epoch } = this;
    return this.#fencing(() =>
      collectGarbage(this.#context, {
        ...options,
        epoch,
        inForce: () => this.#publisher.inForce,
        pendingKeys: () => this.#publisher.pendingKeys,
        outlines: this.#publisher.outlines,
        epochStart: this.#epochStart,
        seals: this.#wal.seals,
        walKinds: this.#walKinds,
      }),
    );
  }

  async uploadFile(table: TableName, file: EncodedFile): Promise<UploadedSst> {
    this.#assertWriting();
    return this.#publisher.uploadFile(table, file);
  }

  /** Copies an artefact of another namespace to fresh names of this one; no manifest names the copy yet. */
  async copyArtefact(artefact: ManifestArtefact, read: (file: ArtefactFile) => Promise<Uint8Array>): Promise<ManifestArtefact> {
    this.#assertWriting();
    const copyFile = async (file: ArtefactFile): Promise<ArtefactFile> => ({
      ...file,
      key: await this.#publisher.copyArtefactFile(await read(file)),
    });
    return { ...artefact, id: this.#publisher.freshId(), files: await mapConcurrently(artefact.files, 1, copyFile) };
  }

  async openSst(file: SstFile): Promise<SstReader> {
    return openSstReader(this.#context.reads, file, this.#context.sstCache, this.#context.pages);
  }

  openArtefact(artefact: ManifestArtefact): ArtefactReader {
    return new PagedReader(this.#context.reads, artefact, this.#context.sstCache, this.#context.pages);
  }

  foundDamaged({ id }: ManifestArtefact): void {
    this.#publisher.artefacts.foundDamaged(id);
  }

  /** Keeps the artefacts, for compaction. */
  get artefacts(): ArtefactKeeper {
    return this.#publisher.artefacts;
  }

  openLog(position: LogPosition): Promise<LogCursor> {
    return openLog(this.#context.store, this.manifest, position);
  }

  earliestPosition(): Promise<LogPosition> {
    return earliestPosition(this.#context.store, this.manifest);
  }

  async isRetained(version: number): Promise<boolean> {
    return (await readRetainedManifest(this.#context.store, version)) !== null;
  }

  async poll(options: PollOptions = {}): Promise<PollOutcome> {
    if (this.#follower !== null) return this.#follower.poll(options);
    if (this.#fenced === null && options.search === true) {
      const successor = await this.#findSuccessor();
      if (successor !== null) this.#becomeFenced(fenced({ epochs: { own: this.epoch, successor } }));
    }
    if (this.#fenced === null) return { manifest: this.manifest, commits: [], rebase: false };
    return this.#startFollowing(options.anew ?? false);
  }

  stopTrying(): void {
    this.#context.closing.abort();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Closes the namespace. Operations that a silent store does not settle in time fail, so that closing ends. */
  async #close(): Promise<void> {
    const { clock, closing } = this.#context;
    const patience = new AbortController();
    this.#wal.refuse(shuttingDown());
    clock.sleep(CLOSE_PATIENCE_MS, patience.signal).then(
      () => closing.abort(),
      () => {}, // Closed in time.
    );
    this.#compactor.stop();
    await Promise.all([this.#wal.drain(), this.#publisher.drain(), this.#compactor.drain()]);
    patience.abort();
    closing.abort();
    await this.#finish();
  }

  /** Puts the end of this epoch into the WAL, if the store answers soon. */
  async #finish(): Promise<void> {
    const { clock, logger } = this.#context;
    const finished = new AbortController();
    const limit = new AbortController();
    clock.sleep(FINISH_PATIENCE_MS, finished.signal).then(
      () => limit.abort(),
      () => {}, // Finished in time.
    );
    await this.#wal
      .finish(limit.signal)
      .catch((error: unknown) => logger.debug({ error }, 'closed without the end of the epoch in the WAL'));
    finished.abort();
  }

  /** Begins to follow the successor. Returns its commits after our last durable one; with `rebase` everything. */
  async #startFollowing(anew: boolean): Promise<PollOutcome> {
    await this.#wal.drain();
    const { manifest, tail, listedAtMs } = await readState(this.#context, [this.#publisher.manifest]);
    const durable = this.#wal.durableSequence;
    const rebase = anew || manifest.sequence > durable || manifest.generation !== this.#publisher.manifest.generation;
    const commits = tail.replay.takeCommits().filter(({ sequence }) => rebase || sequence > durable);
    const deliveredSequence = commits.at(-1)?.sequence ?? Math.max(durable, manifest.sequence);
    this.#follower = new Follower(this.#context, { manifest, tail, listedAtMs, deliveredSequence });
    return { manifest, commits, rebase };
  }

  #assertWriting(): void {
    if (this.#closed !== null) throw shuttingDown();
    if (this.#fenced !== null) throw this.#fenced;
  }

  /**
   * Runs `work`, and marks the writer as fenced when `work` finds that out. CORRUPTION may mean that too: a successor
   * removes files that it has merged.
   */
  async #fencing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof GraphDBError)) throw error;
      const successor = error.code === 'CORRUPTION' ? await this.#findSuccessor() : null;
      const known = successor === null ? error : fenced({ epochs: { own: this.epoch, successor }, cause: error });
      if (known.code === 'WRITER_FENCED') this.#becomeFenced(known);
      throw known;
    }
  }

  #becomeFenced(error: GraphDBError): void {
    if (this.#fenced !== null) return;
    this.#fenced = error;
    this.#wal.end(error);
    this.#context.logger.warn({ namespace: this.name, epoch: this.epoch }, error.message);
  }

  /** Returns the epoch of a writer that has taken over, or null. One list: the highest manifest, never removed, tells. */
  async #findSuccessor(version = this.#publisher.manifest.version): Promise<number | null> {
    const { clock, closing, store } = this.#context;
    const newer = await insist(() => readNewerRoot(store, version), { clock, signal: closing.signal });
    return newer !== null && newer.epoch > this.epoch ? newer.epoch : null;
  }
}

function shuttingDown(): GraphDBError {
  return closedError('the namespace is closed');
}

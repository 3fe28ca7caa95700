/** A namespace opened for reading: at a fixed version, or following the writer (B8). It writes nothing. */
import { GraphDBError } from '../base/index.ts';
import type {
  ArtefactReader,
  Commit,
  CompactionOutcome,
  GarbageOutcome,
  LogCursor,
  LogPosition,
  Manifest,
  ManifestArtefact,
  Namespace,
  PollOptions,
  PollOutcome,
  PublishOutcome,
  SstFile,
  SstReader,
  SstWriter,
  UploadedSst,
} from './api.ts';
import { PagedReader } from './artefacts/paged-reader.ts';
import { earliestPosition, openLog } from './changes/open-log.ts';
import { Follower } from './follower.ts';
import { readRetainedManifest } from './manifest/manifest-store.ts';
import type { NamespaceContext } from './namespace-context.ts';
import { openSstReader } from './sst/sst-reader.ts';
import type { WalTail } from './wal/wal-tail.ts';

/** The state of a reader. */
export interface ReaderState {
  readonly manifest: Manifest;
  /** The WAL; null for a fixed version, which is read without it. */
  readonly tail: WalTail | null;
  readonly listedAtMs: number;
}

/** A namespace opened for reading. */
export class ReaderNamespace implements Namespace {
  readonly role = 'reader';
  readonly walObjects = 0;
  readonly recovered: readonly Commit[];
  readonly #context: NamespaceContext;
  readonly #pinned: Manifest | null;
  readonly #follower: Follower | null;

  constructor(context: NamespaceContext, { manifest, tail, listedAtMs }: ReaderState) {
    this.#context = context;
    this.#pinned = tail === null ? manifest : null;
    this.recovered = tail?.replay.takeCommits() ?? [];
    this.#follower =
      tail === null ? null : new Follower(context, { manifest, tail, listedAtMs, deliveredSequence: tail.replay.lastSequence });
  }

  get name(): string {
    return this.#context.name;
  }

  get manifest(): Manifest {
    return this.#pinned ?? this.#follower!.manifest;
  }

  get epoch(): number {
    return this.manifest.epoch;
  }

  get durableSequence(): number {
    return this.#follower?.sequence ?? this.manifest.sequence;
  }

  append(): Promise<void> {
    return Promise.reject(readOnly());
  }

  confirmWriter(): Promise<void> {
    return Promise.reject(readOnly());
  }

  publish(): Promise<PublishOutcome> {
    return Promise.reject(readOnly());
  }

  compact(): Promise<CompactionOutcome> {
    return Promise.reject(readOnly());
  }

  collectGarbage(): Promise<GarbageOutcome> {
    return Promise.reject(readOnly());
  }

  createSstWriter(): SstWriter {
    throw readOnly();
  }

  uploadFile(): Promise<UploadedSst> {
    return Promise.reject(readOnly());
  }

  async openSst(file: SstFile): Promise<SstReader> {
    return openSstReader(this.#context.reads, file, this.#context.sstCache, this.#context.pages);
  }

  openArtefact(artefact: ManifestArtefact): ArtefactReader {
    return new PagedReader(this.#context.reads, artefact, this.#context.sstCache, this.#context.pages);
  }

  /** Does nothing: a reader drops no artefacts, and the caller has reported the damage. */
  foundDamaged(): void {}

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
    return this.#follower?.poll(options) ?? { manifest: this.manifest, commits: [], rebase: false };
  }

  /** Does nothing: a reader tries nothing again without end. */
  stopTrying(): void {}

  async close(): Promise<void> {
    this.#context.closing.abort();
  }
}

function readOnly(): GraphDBError {
  return new GraphDBError('READ_ONLY', 'the namespace was opened read-only');
}

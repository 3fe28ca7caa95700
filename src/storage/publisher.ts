/**
 * Makes files part of the namespace: uploads them, then advances the manifest by compare-and-swap. Uploads of several
 * edits run beside each other; the manifests follow one another. An upload whose manifest is not created stays behind
 * as an orphan, for garbage collection. Cost: one put per file, one put and one list for the manifest, and now and then
 * one put for a child of it, before it (manifest/child-manifests.ts).
 */
import { crc32 } from 'node:zlib';
import { GraphDBError, Mutex } from '../base/index.ts';
import type { EncodedFile, Manifest, ManifestEdit, PublishOutcome, SstWriter, SstWriterOptions, TableName, UploadedSst } from './api.ts';
import { ArtefactKeeper } from './artefacts/artefact-keeper.ts';
import { freshCaptureId } from './changes/capture-id.ts';
import { corruption, fenced } from './faults.ts';
import { DataFiles } from './files/data-files.ts';
import { manifestKey } from './keys.ts';
import { divideManifest, failFor, ownChanges, stateOf } from './manifest/child-manifests.ts';
import { applyChanges } from './manifest/manifest-changes.ts';
import { encodeChanges } from './manifest/manifest-codec.ts';
import { editManifest } from './manifest/manifest-edit.ts';
import { type ManifestOutlines, outlineOf } from './manifest/manifest-outline.ts';
import type { ManifestRoot } from './manifest/manifest-shape.ts';
import { createManifest } from './manifest/manifest-store.ts';
import { assertTransition } from './manifest/manifest-transition.ts';
import type { NamespaceContext } from './namespace-context.ts';
import { BatchingSstWriter } from './sst/sst-writer.ts';
import { FileWorker } from './threads/file-worker.ts';

/** The questions that a publisher asks the writer of its namespace. */
export interface PublisherHooks {
  /** Returns the first WAL number that holds, or will hold, a commit after the sequence. */
  readonly floorFor: (sequence: number) => number;
  /** The WAL number with which the epoch of this writer begins. */
  readonly epochStart: number;
  /** Returns the epoch of another writer that has made a manifest after this version, or null. */
  readonly findSuccessor: (version: number) => Promise<number | null>;
}

/** The manifest in force, and when it was found to be. */
export interface ManifestInForce {
  readonly manifest: Manifest;
  /** When the writer of the manifest knew that it was stored, by the writer's own clock. */
  readonly confirmedAtMs: number;
}

/** Publishes files by advancing the manifest. */
export class Publisher {
  readonly #context: NamespaceContext;
  readonly #hooks: PublisherHooks;
  readonly #files: DataFiles;
  /** Encodes and merges files, for `publish` and for compaction. */
  readonly fileWorker: FileWorker;
  readonly artefacts: ArtefactKeeper;
  readonly #turn = new Mutex();
  readonly #underWay = new Set<Promise<unknown>>();
  /**
   * The keys of uploads named by a manifest that is under way, or whose publication failed: until the next manifest
   * exists, the store may still create that manifest.
   */
  readonly #unsettled: string[] = [];
  /** Outlines of the manifests that this publisher has created. */
  readonly outlines: ManifestOutlines = new Map();
  #manifest: Manifest;
  /** When the manifest was known to be stored. */
  #confirmedAtMs: number;

  constructor(context: NamespaceContext, { manifest, confirmedAtMs }: ManifestInForce, hooks: PublisherHooks) {
    this.#context = context;
    this.#manifest = manifest;
    this.#confirmedAtMs = confirmedAtMs;
    this.#hooks = hooks;
    this.#files = new DataFiles(context);
    this.fileWorker = new FileWorker(this.#files, context.threadFromBytes);
    const { artefactKinds: kinds, logger, closing } = context;
    this.artefacts = new ArtefactKeeper({
      kinds,
      build: (plan, signal) => this.fileWorker.buildArtefact(plan, signal),
      freshId: () => this.freshId(),
      logger,
      closing: closing.signal,
    });
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  get inForce(): ManifestInForce {
    return { manifest: this.#manifest, confirmedAtMs: this.#confirmedAtMs };
  }

  /** Keys of uploads that may still become part of a manifest. */
  get pendingKeys(): ReadonlySet<string> {
    return this.#files.pending;
  }

  async publish(edit: ManifestEdit): Promise<PublishOutcome> {
    const work = this.#publish(edit);
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  async uploadFile(table: TableName, { bytes, content }: EncodedFile): Promise<UploadedSst> {
    return { table, file: { key: await this.#files.create(bytes), ...content } };
  }

  createSstWriter(table: TableName, { takesArrays = false }: SstWriterOptions): SstWriter {
    return new BatchingSstWriter(this.#files, table, (batches) => this.fileWorker.uploadTable(batches, takesArrays));
  }

  /** Stores a copy of a file of an artefact under a fresh key, which is returned; for `ManifestEdit.addArtefacts`. */
  async copyArtefactFile(bytes: Uint8Array): Promise<string> {
    return this.#files.createArtefactFile(bytes);
  }

  /** Returns an id that nothing else in the namespace ever has. */
  freshId(): string {
    return this.#files.freshId();
  }

  async drain(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #publish(edit: ManifestEdit): Promise<PublishOutcome> {
    const added: UploadedSst[] = [...(edit.addUploaded ?? [])];
    const addArtefacts = [...(edit.addArtefacts ?? [])];
    const keys = (): string[] => [
      ...added.map(({ file }) => file.key),
      ...addArtefacts.flatMap(({ files }) => files.map(({ key }) => key)),
    ];
    try {
      added.push(...(await this.fileWorker.upload(edit.add)));
      addArtefacts.push(...(await this.artefacts.carriedBy(edit, added, this.#manifest)));
      const manifest = await this.#turn.with(() => this.#advance({ ...edit, addArtefacts }, added));
      this.#files.release(keys());
      return { manifest, ssts: added.map(({ file }) => file) };
    } catch (error) {
      this.#unsettled.push(...keys());
      throw error;
    }
  }

  async #advance(edit: ManifestEdit, added: readonly UploadedSst[]): Promise<Manifest> {
    const { store, clock, closing, writerId } = this.#context;
    for (;;) {
      const current = this.#manifest;
      const walFloor = edit.sequence === undefined ? current.walFloor : this.#hooks.floorFor(edit.sequence);
      const author = { epoch: current.epoch, writerId, nowMs: clock.now() };
      const isOwnWal = walFloor >= this.#hooks.epochStart;
      const edited = editManifest(current, author, { edit, added, walFloor, isOwnWal, captureId: freshCaptureId() });
      const next = await this.#divide(edited);
      assertTransition(current, next);
      const creation = await createManifest(store, next, { clock, signal: closing.signal });
      if (creation.kind === 'created') {
        const confirmedAtMs = clock.now();
        await this.#checkSuccessor(next.version);
        this.#manifest = next;
        this.#confirmedAtMs = confirmedAtMs;
        this.outlines.set(next.version, outlineOf(next));
        this.#files.release(this.#unsettled.splice(0));
        return next;
      }
      await this.#passTaken(creation.existing, next.version);
    }
  }

  /**
   * Divides a manifest into children and little for its own object. A new child is stored here, since children must be
   * stored before the manifest.
   */
  async #divide(manifest: Manifest): Promise<Manifest> {
    const { children, changes } = divideManifest(manifest, {
      ownBytes: this.#context.manifestOwnBytes,
      bytesOf: (each) => encodeChanges(each).length,
    });
    // The state as a reader will assemble it, in the order of the children.
    const state = applyChanges(stateOf(children), ownChanges({ ...manifest, children }), failFor(manifestKey(manifest.version)));
    if (changes === null) return { ...manifest, ...state, children };
    const bytes = encodeChanges(changes);
    const key = await this.#files.createChild(bytes);
    this.#unsettled.push(key);
    return { ...manifest, ...state, children: [...children, { key, bytes: bytes.length, crc32: crc32(bytes), changes }] };
  }

  /**
   * Moves past a version that exists: it is a successor's, or our own from a put that was given up and that the store
   * completed later (B5). That publication has failed; the next version takes it back. @throws WRITER_FENCED,
   * CORRUPTION
   */
  async #passTaken(existing: ManifestRoot | null, version: number): Promise<void> {
    const { epoch } = this.#manifest;
    if (existing === null) {
      await this.#checkSuccessor(version);
      throw new GraphDBError('STORE_UNAVAILABLE', `${manifestKey(version)} was there and was not: the store contradicts itself`);
    }
    if (existing.epoch > epoch) throw fenced({ epochs: { own: epoch, successor: existing.epoch } });
    if (existing.writerId !== this.#context.writerId)
      throw corruption(manifestKey(version), `made by another writer in epoch ${existing.epoch}, ours is ${epoch} (B2)`);
    this.#manifest = { ...this.#manifest, version, generation: existing.generation + 1 };
  }

  async #checkSuccessor(version: number): Promise<void> {
    const successor = await this.#hooks.findSuccessor(version);
    if (successor !== null) throw fenced({ epochs: { own: this.#manifest.epoch, successor } });
  }
}

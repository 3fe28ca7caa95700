/**
 * Opens a namespace (docs/storage-format.md, "The protocol").
 *
 * - For writing (B3): creates the manifest of the next epoch, replays the WAL, puts the epoch start into the WAL, and
 *   looks for a successor. 7 requests and one per WAL object, and three more puts where the former writer did not
 *   close. A namespace that does not exist is created.
 * - For reading: reads the current manifest and the WAL; 3 requests and one per WAL object. Writes nothing. Fails with
 *   NOT_FOUND when the namespace does not exist.
 */
import { type Clock, GraphDBError, type Logger, randomUuid, silentLogger, systemClock } from '../base/index.ts';
import { type ObjectStore, probeStore } from '../object-store/index.ts';
import type { Manifest, Namespace } from './api.ts';
import type { ArtefactKind } from './artefacts/artefact-kind.ts';
import { ArtefactKinds } from './artefacts/artefact-kinds.ts';
import { BUILT_IN_KINDS } from './built-in-kinds.ts';
import { mapConcurrently } from './concurrency.ts';
import { corruption, fenced } from './faults.ts';
import { isRemote, JoinedReads } from './files/joined-reads.ts';
import { walKey } from './keys.ts';
import { OWN_BYTES } from './manifest/child-manifests.ts';
import { firstManifest, nextManifest } from './manifest/manifest-edit.ts';
import {
  createManifest,
  listManifestVersions,
  readCurrentManifest,
  readNewerRoot,
  readRetainedManifest,
} from './manifest/manifest-store.ts';
import { assertTransition } from './manifest/manifest-transition.ts';
import type { NamespaceContext } from './namespace-context.ts';
import type { PageCache } from './page-cache/page-cache.ts';
import type { ManifestInForce } from './publisher.ts';
import { checkEpochs, readState } from './read-state.ts';
import { ReaderNamespace } from './reader-namespace.ts';
import { putSettled } from './settled-put.ts';
import type { SstCache } from './sst/sst-cache.ts';
import { LOG_WINDOW, type LogWindow } from './wal/put-pacing.ts';
import { decodeWalObject, encodeWalObject, type WalObject, WINDOW } from './wal/wal-object.ts';
import { WalObjectMissing, WalTail } from './wal/wal-tail.ts';
import { WriterNamespace } from './writer-namespace.ts';

/** The options of opening a namespace. */
export interface OpenNamespaceOptions {
  readonly name: string;
  /** Opens for reading: writes nothing and claims no epoch. */
  readonly readOnly?: boolean;
  /** Reads the files of this retained manifest version, without the WAL. @throws NOT_FOUND when it is not retained (any more) */
  readonly version?: number | undefined;
  /** The id of the writer, unique to this opening, 1 to 64 of `A–Z a–z 0–9 _ -`; random when left out. */
  readonly writerId?: string;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  /** Work on files of at least this many bytes is done in another thread; default 256 KiB. */
  readonly threadFromBytes?: number;
  /** The most bytes of changes that the object of a manifest holds itself, before a child takes them; default 8 KiB. */
  readonly manifestOwnBytes?: number;
  /** How many puts of the log may be in flight at once; default `LOG_WINDOW`. */
  readonly logWindow?: LogWindow;
  /** The cache in memory for data that is read from SSTs; none when left out. */
  readonly sstCache?: SstCache | null;
  /** The cache on a local disk for data that is read from files; none when left out. */
  readonly pageCache?: PageCache | null;
  /** The kinds of artefacts to build and drop; the built-in ones when left out. */
  readonly artefactKinds?: readonly ArtefactKind[];
  /** The least rows of files for an artefact to cover them; fewer are read whole as fast. Default 10,000. */
  readonly artefactsFromRows?: number;
}

/** The default of `threadFromBytes`: merging this much would hold up statements for some ten milliseconds, the first time. */
const THREAD_FROM_BYTES = 256 * 2 ** 10;
/** The default of `artefactsFromRows`: reading this many rows whole takes some milliseconds. */
const ARTEFACTS_FROM_ROWS = 10_000;
const WRITER_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Opens a namespace for writing or reading, or a version of it. It does not own the store, which its opener closes. */
export async function openNamespace(store: ObjectStore, options: OpenNamespaceOptions): Promise<Namespace> {
  const context = contextOf(store, options);
  if (options.version !== undefined) return openVersion(context, options.version);
  return options.readOnly === true ? openForReading(context) : openForWriting(context);
}

/** Opens a namespace for writing, with members that only storage itself uses. */
export async function openWriterNamespace(store: ObjectStore, options: OpenNamespaceOptions): Promise<WriterNamespace> {
  return openForWriting(contextOf(store, options));
}

function contextOf(store: ObjectStore, options: OpenNamespaceOptions): NamespaceContext {
  const { name, writerId = randomUuid(), clock = systemClock, logger = silentLogger } = options;
  const { threadFromBytes = THREAD_FROM_BYTES, manifestOwnBytes = OWN_BYTES, logWindow = LOG_WINDOW } = options;
  const { artefactKinds = BUILT_IN_KINDS, artefactsFromRows = ARTEFACTS_FROM_ROWS } = options;
  if (!WRITER_ID.test(writerId)) throw new GraphDBError('ARGUMENT_ERROR', `not a writer id: ${JSON.stringify(writerId)}`);
  const sstCache = options.sstCache ? { entries: options.sstCache, location: store.location } : null;
  return {
    name,
    store,
    writerId,
    clock,
    logger: logger.module('storage'),
    threadFromBytes,
    manifestOwnBytes,
    logWindow,
    sstCache,
    reads: isRemote(store) ? new JoinedReads(store) : store,
    pages: options.pageCache?.forStore(store.location) ?? null,
    artefactKinds: new ArtefactKinds(artefactKinds, artefactsFromRows),
    closing: new AbortController(),
  };
}

async function openVersion(context: NamespaceContext, version: number): Promise<Namespace> {
  const { store } = context;
  const manifest = await readRetainedManifest(store, version);
  if (manifest === null) throw await notRetained(context, version);
  return new ReaderNamespace(context, { manifest, tail: null, listedAtMs: 0 });
}

async function notRetained({ store, name }: NamespaceContext, version: number): Promise<GraphDBError> {
  const versions = await listManifestVersions(store);
  if (versions.length === 0) return new GraphDBError('NOT_FOUND', `namespace "${name}" does not exist in ${store.location}`);
  const what = `namespace "${name}" has no manifest version ${version} (any more)`;
  const kept = versions.filter((_, at) => versions.length - at > versions.at(-1)! - versions[at]!);
  return new GraphDBError(
    'NOT_FOUND',
    `${what}; ${kept[0]} to ${kept.at(-1)} are there. The writer's settings retainVersions and graceMs say how long one is kept`,
  );
}

async function openForReading(context: NamespaceContext): Promise<Namespace> {
  return new ReaderNamespace(context, await readState(context));
}

async function openForWriting(context: NamespaceContext): Promise<WriterNamespace> {
  const { logger } = context;
  const { manifest, confirmedAtMs } = await claimEpoch(context);
  const { tail, epochStart, seals } = await takeOverWal(context, manifest);
  await checkSuccessor(context, manifest);
  logger.info(
    { namespace: context.name, epoch: manifest.epoch, manifestVersion: manifest.version, recovered: tail.replay.commits.length },
    'namespace opened for writing',
  );
  return new WriterNamespace(context, { manifest, tail, epochStart, seals, confirmedAtMs });
}

/** Claims the next epoch by creating its manifest (steps 1 to 3). */
async function claimEpoch(context: NamespaceContext): Promise<ManifestInForce> {
  const { store, clock, writerId, closing } = context;
  for (;;) {
    const current = await readCurrentManifest(store);
    if (current === null) await prepareNew(context);
    const author = { epoch: (current?.epoch ?? 0) + 1, writerId, nowMs: clock.now() };
    const manifest = current === null ? firstManifest(author) : nextManifest(current, author);
    assertTransition(current, manifest);
    const creation = await createManifest(store, manifest, { clock, signal: closing.signal });
    if (creation.kind === 'taken') continue;
    const confirmedAtMs = clock.now();
    if ((await listManifestVersions(store, manifest.version)).length === 0) return { manifest, confirmedAtMs };
  }
}

/** Checks that the store keeps B1, and holds no objects of a namespace whose manifests are lost. @throws CORRUPTION, UNSUPPORTED */
async function prepareNew({ store, name, clock }: NamespaceContext): Promise<void> {
  for (const prefix of ['wal/', 'data/']) {
    const [found] = await store.list(prefix, { limit: 1 });
    if (found === undefined || (await listManifestVersions(store)).length > 0) continue;
    throw corruption(found.key, `namespace "${name}" has objects but no manifest; restore the manifests, or remove everything`);
  }
  await probeStore(store, { clock });
}

interface OwnWal {
  readonly tail: WalTail;
  /** The WAL number of the epoch start. */
  readonly epochStart: number;
  /** WAL numbers behind the epoch start that were given to seals. */
  readonly seals: ReadonlySet<number>;
}

async function takeOverWal(context: NamespaceContext, manifest: Manifest): Promise<OwnWal> {
  const { store } = context;
  try {
    const tail = await WalTail.read(store, manifest);
    checkEpochs(tail, manifest);
    const mayFollow = await startEpoch(context, manifest, tail);
    const epochStart = tail.nextNumber - 1;
    const seals = mayFollow ? await closeWindow(context, manifest, tail) : new Set<number>();
    return { tail, epochStart, seals };
  } catch (error) {
    throw await explainWal(store, manifest, error instanceof WalObjectMissing ? error.asCorruption() : error);
  }
}

/**
 * Checks that nobody has taken over. A writer that was paused may have put its epoch start under a number that a
 * successor had used and removed. Writers that take over later read this epoch start before they remove it.
 * @throws WRITER_FENCED
 */
async function checkSuccessor({ store }: NamespaceContext, { version, epoch }: Manifest): Promise<void> {
  const successor = await readNewerRoot(store, version);
  if (successor !== null) throw fenced({ epochs: { own: epoch, successor: successor.epoch } });
}

/**
 * Returns the error to throw for an error from the WAL: WRITER_FENCED instead of CORRUPTION when a successor has taken
 * over, since it may have removed objects that this writer relied on.
 */
async function explainWal(store: ObjectStore, manifest: Manifest, error: unknown): Promise<unknown> {
  if (!(error instanceof GraphDBError) || error.code !== 'CORRUPTION') return error;
  const successor = await readNewerRoot(store, manifest.version);
  return successor !== null && successor.epoch > manifest.epoch
    ? fenced({ epochs: { own: manifest.epoch, successor: successor.epoch }, cause: error })
    : error;
}

/** Puts the epoch start, which fences the former writer (step 4). True: its objects may still come behind the start. */
async function startEpoch(context: NamespaceContext, { epoch }: Manifest, tail: WalTail): Promise<boolean> {
  for (;;) {
    const number = tail.nextNumber;
    const mayFollow = number > 1 && !tail.replay.isEpochEnded;
    const { object, isCreated } = await putEmpty(context, tail, { kind: 'epoch-start', number, epoch, depth: 0 });
    tail.add(object);
    if (isCreated) return mayFollow;
    // The former writer is at work: trying number after number would never overtake it.
    await tail.follow();
    checkEpoch(tail, epoch);
  }
}

/**
 * Seals the numbers behind the start of this epoch that the former writer may have in flight, unless they are taken. So
 * no number ever holds commits of two writers, however late a put is. Returns the numbers that were sealed.
 */
async function closeWindow(context: NamespaceContext, { epoch }: Manifest, tail: WalTail): Promise<ReadonlySet<number>> {
  const first = tail.nextNumber;
  const depths = Array.from({ length: WINDOW - 1 }, (_, depth) => depth);
  const put = await mapConcurrently(depths, WINDOW, (depth) =>
    putEmpty(context, tail, { kind: 'seal', number: first + depth, epoch, depth }),
  );
  const seals = new Set<number>();
  for (const { object, isCreated } of put) {
    tail.add(object);
    if (isCreated) seals.add(object.number);
  }
  checkEpoch(tail, epoch);
  return seals;
}

type EmptyObject = Pick<WalObject, 'kind' | 'number' | 'epoch' | 'depth'>;

/** Puts an object without commits. Returns the object that has its number afterwards. */
async function putEmpty(
  { store, clock, writerId, closing }: NamespaceContext,
  { replay }: WalTail,
  empty: EmptyObject,
): Promise<{ readonly object: WalObject; readonly isCreated: boolean }> {
  const { number, epoch } = empty;
  const bytes = encodeWalObject({ ...empty, writerId, firstSequence: replay.lastSequence + 1, commits: [] });
  const outcome = await putSettled(store, walKey(number), bytes, { clock, signal: closing.signal });
  // Only a later writer lets a WAL object be removed.
  if (outcome.kind === 'vanished') throw fenced({ epochs: { own: epoch, successor: epoch + 1 } });
  const isCreated = outcome.kind === 'created';
  return { object: decodeWalObject(number, isCreated ? bytes : outcome.existing), isCreated };
}

/**
 * Checks that the WAL holds no object of a later epoch. Such an object is a successor's, whose epoch a manifest tells,
 * or belongs to another namespace (explainWal). @throws CORRUPTION
 */
function checkEpoch({ replay, nextNumber }: WalTail, epoch: number): void {
  if (replay.epoch > epoch) throw corruption(walKey(nextNumber - 1), `it is of epoch ${replay.epoch}, which no manifest knows`);
}

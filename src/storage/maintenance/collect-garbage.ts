/**
 * Garbage collection: removes objects that nothing needs any more (B6; docs/storage-format.md, "Removing").
 *
 * Kept: the current manifest; the newest `retainVersions`; those that were in force within the grace time; every file
 * and every child that one of them names; the WAL from the lowest floor of those in force within the grace time;
 * versions with a lease, and the objects that they name (leases.ts), unless leases are to end; uploads of this writer
 * that may still be published. Everything else that is older than the grace time is removed: manifests first, so that none names removed
 * objects.
 *
 * The WAL may have a shorter grace time than the files: a reader that misses a part of it begins again with a newer
 * manifest. Where changes are captured, the WAL is kept for their retention.
 *
 * Times are compared by the store's clock. A lower bound of its time is estimated from the current manifest, which was
 * put before the writer knew that it was stored. Clocks decide only how long superseded objects stay for readers, which
 * begin again when these are gone; objects that fence writers stay whatever a clock says (lasting-objects.ts, B10).
 * Objects of names that no writer gives are somebody else's, and stay.
 * Cost: five lists, one get per kept manifest that this writer has neither made nor read and for each of its children,
 * one delete per object.
 */
import { GraphDBError } from '../../base/index.ts';
import { isKey, type ObjectInfo } from '../../object-store/index.ts';
import type { GarbageOptions, GarbageOutcome } from '../api.ts';
import { mapConcurrently } from '../concurrency.ts';
import { corruption, fenced } from '../faults.ts';
import { DATA_PREFIX, MANIFEST_PREFIX, PROBE_PREFIX, parseManifestKey, parseWalKey, WAL_PREFIX } from '../keys.ts';
import type { ManifestOutline, ManifestOutlines } from '../manifest/manifest-outline.ts';
import { readOutline } from '../manifest/manifest-store.ts';
import type { NamespaceContext } from '../namespace-context.ts';
import type { ManifestInForce } from '../publisher.ts';
import { removableWal, type WalKinds } from './lasting-objects.ts';
import { listLeases } from './leases.ts';

const CONCURRENT_REQUESTS = 8;

/** The options of a collection. */
export interface CollectionOptions extends GarbageOptions {
  readonly epoch: number;
  /** Returns the manifest that the writer considers current. */
  readonly inForce: () => ManifestInForce;
  readonly pendingKeys: () => ReadonlySet<string>;
  /** The WAL number of this writer's epoch start. */
  readonly epochStart: number;
  /** The WAL numbers that this writer has given to seals. */
  readonly seals: ReadonlySet<number>;
  /** The kinds of WAL objects that earlier collections have read. */
  readonly walKinds: WalKinds;
  /** The outlines of manifests that this writer has made, and of those that its earlier collections have read. */
  readonly outlines: ManifestOutlines;
}

/** Collects the garbage of a namespace. */
export async function collectGarbage(context: NamespaceContext, options: CollectionOptions): Promise<GarbageOutcome> {
  const { store, logger, name } = context;
  // Files are listed first: files that are published or uploaded later are not in this listing.
  const files = await store.list(DATA_PREFIX);
  const pending = new Set(options.pendingKeys());
  const walObjects = await store.list(WAL_PREFIX);
  const manifests = await keptManifests(context, options);
  const nowMs = context.clock.now() + manifests.skewMs;
  const isOld = ({ lastModifiedMs }: ObjectInfo): boolean => nowMs - lastModifiedMs >= options.graceMs;
  const named = new Set(manifests.kept.flatMap(({ objectKeys }) => objectKeys));
  const { walGraceMs = options.graceMs } = options;
  // Readers of changes need the log for the retention of the manifest in force.
  const keptWalMs = Math.max(walGraceMs, options.inForce().manifest.capture?.retentionMs ?? 0);
  const oldFiles = files.filter((file) => isKey(file.key) && isOld(file) && !named.has(file.key) && !pending.has(file.key));
  const belowFloor = walObjects.filter(
    ({ key, lastModifiedMs }) => nowMs - lastModifiedMs >= keptWalMs && (parseWalKey(key) ?? Number.POSITIVE_INFINITY) < manifests.walFloor,
  );
  const { epochStart, seals, walKinds } = options;
  const [oldWal, oldEnds] = await removableWal(store, { listed: walObjects, candidates: belowFloor, epochStart, seals, kinds: walKinds });
  const probes = (await store.list(PROBE_PREFIX)).filter((object) => isKey(object.key) && isOld(object));
  for (const group of [manifests.garbage, oldFiles, oldWal, oldEnds, probes, manifests.endedLeases]) {
    await mapConcurrently(group, CONCURRENT_REQUESTS, ({ key }) => store.delete(key));
  }
  const outcome = {
    manifests: manifests.garbage.length,
    walObjects: oldWal.length + oldEnds.length,
    files: oldFiles.length,
    leased: manifests.leased,
    bytes: [...manifests.garbage, ...oldFiles, ...oldWal, ...oldEnds].reduce((sum, { size }) => sum + size, 0),
  };
  logger.info({ namespace: name, ...outcome }, 'garbage collected');
  return outcome;
}

interface ManifestSelection {
  readonly kept: readonly ManifestOutline[];
  readonly garbage: readonly ObjectInfo[];
  readonly endedLeases: readonly ObjectInfo[];
  /** The number of manifests that are kept only because of a lease. */
  readonly leased: number;
  readonly walFloor: number;
  /** A lower bound of the store's clock minus this process's clock, in milliseconds. */
  readonly skewMs: number;
}

async function keptManifests(context: NamespaceContext, options: CollectionOptions): Promise<ManifestSelection> {
  const { store, clock } = context;
  const { outlines } = options;
  const outlineOf = async (version: number): Promise<ManifestOutline | null> => outlines.get(version) ?? readOutline(store, version);
  const listed = (await store.list(MANIFEST_PREFIX)).filter(({ key }) => parseManifestKey(key) !== null);
  const currentInfo = listed.at(-1);
  if (currentInfo === undefined) throw corruption(MANIFEST_PREFIX, 'there is no manifest');
  const current = await outlineOf(parseManifestKey(currentInfo.key)!);
  if (current === null) throw justChanged();
  if (current.epoch !== options.epoch) throw fenced({ epochs: { own: options.epoch, successor: current.epoch } });
  // Published meanwhile, or an abandoned publication that the store completed late: the writer may take that one back,
  // under another generation.
  const { manifest: ours, confirmedAtMs } = options.inForce();
  if (current.version !== ours.version || current.generation !== ours.generation) throw justChanged();
  const skewMs = currentInfo.lastModifiedMs - confirmedAtMs;
  // In force until the next one came.
  const inForceWithin = (graceMs: number, index: number): boolean =>
    (listed[index + 1]?.lastModifiedMs ?? Number.POSITIVE_INFINITY) > clock.now() + skewMs - graceMs;
  const inForce = (index: number): boolean => inForceWithin(options.graceMs, index);
  // By number, not by index: a manifest that was put late, below those that are kept, is none of the newest.
  const oldestRetained = current.version - Math.max(options.retainVersions, 1) + 1;
  const leases = await listLeases(store, options.endsLeases === true ? Number.POSITIVE_INFINITY : clock.now() + skewMs);
  const isLeased = (index: number): boolean => leases.versions.has(parseManifestKey(listed[index]!.key)!);
  const isAmongNewest = (index: number): boolean => parseManifestKey(listed[index]!.key)! >= oldestRetained;
  const retained = (index: number): boolean => isAmongNewest(index) || isLeased(index);
  const read = async (infos: readonly ObjectInfo[]): Promise<ManifestOutline[]> => {
    const found = await mapConcurrently(infos, CONCURRENT_REQUESTS, ({ key }) => outlineOf(parseManifestKey(key)!));
    return found.filter((outline) => outline !== null);
  };
  const recent = await read(listed.slice(0, -1).filter((_, index) => inForce(index)));
  const graceOfWal = Math.min(options.walGraceMs ?? options.graceMs, options.graceMs);
  const withWal = new Set(listed.filter((_, index) => inForceWithin(graceOfWal, index)).map(({ key }) => parseManifestKey(key)));
  const older = await read(listed.slice(0, -1).filter((_, index) => !inForce(index) && retained(index)));
  const kept = [current, ...recent, ...older];
  // Outlines of newer versions may have been added meanwhile.
  for (const version of outlines.keys()) if (version < current.version) outlines.delete(version);
  for (const outline of kept) outlines.set(outline.version, outline);
  return {
    kept,
    garbage: listed.filter((_, index) => !inForce(index) && !retained(index)),
    endedLeases: leases.ended,
    leased: listed.filter((_, index) => !inForce(index) && !isAmongNewest(index) && isLeased(index)).length,
    walFloor: Math.min(current.walFloor, ...recent.filter(({ version }) => withWal.has(version)).map((manifest) => manifest.walFloor)),
    skewMs,
  };
}

function justChanged(): GraphDBError {
  return new GraphDBError('STORE_UNAVAILABLE', 'the manifest has just changed; try again');
}

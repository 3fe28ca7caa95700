/**
 * Children of manifests: immutable objects that hold changes of catalog, tables and artefacts (decision 0016). A
 * manifest names a few of them, oldest first, and holds itself only the changes since the newest one.
 *
 * The children form a log-structured tree. Once a manifest would hold more than `OWN_BYTES`, a new child takes all of
 * its changes. It also absorbs the newest children that are not more than `SIZE_RATIO` times as large as its own
 * content; entries that were added and removed again disappear. So each child is more than `SIZE_RATIO` times as large
 * as the next: their number grows with the logarithm of the list of files, and so does how often an entry is written.
 */
import type { ChildManifest, ChildPlace, Manifest, ManifestChanges } from '../api.ts';
import { corruption } from '../faults.ts';
import { applyChanges, changesBetween, EMPTY_STATE, type ManifestState } from './manifest-changes.ts';

/** The most bytes of changes that a manifest holds itself: small beside the files of a flush, and worth a request. */
export const OWN_BYTES = 8 * 2 ** 10;
const SIZE_RATIO = 2;

/** The division of a state into children and the rest. */
export interface Division {
  /** The children that stay. */
  readonly children: readonly ChildManifest[];
  /** The changes for a new child behind the others; null when none is needed, and the manifest holds the rest. */
  readonly changes: ManifestChanges | null;
}

const states = new WeakMap<readonly ChildManifest[], ManifestState>();

/** Returns the state that the children describe together. @throws CORRUPTION when a child does not fit those before it */
export function stateOf(children: readonly ChildManifest[]): ManifestState {
  if (children.length === 0) return EMPTY_STATE;
  let state = states.get(children);
  if (state === undefined) {
    state = children.reduce((before, { key, changes }) => applyChanges(before, changes, failFor(key)), EMPTY_STATE);
    states.set(children, state);
  }
  return state;
}

/** Returns a function that throws CORRUPTION for the object with this key. */
export function failFor(key: string): (what: string) => never {
  return (what) => {
    throw corruption(key, what);
  };
}

/** Returns the changes that the object of the manifest itself has to hold. */
export function ownChanges(manifest: ManifestState & Pick<Manifest, 'children'>): ManifestChanges {
  return changesBetween(stateOf(manifest.children), manifest);
}

/** The options of a division. */
export interface DivisionOptions {
  /** The most bytes that a manifest holds itself. */
  readonly ownBytes: number;
  /** Returns the size of encoded changes in bytes. */
  readonly bytesOf: (changes: ManifestChanges) => number;
}

/** Decides which children stay, and which changes a new child takes. */
export function divideManifest(manifest: Manifest, { ownBytes, bytesOf }: DivisionOptions): Division {
  let { children } = manifest;
  let changes = ownChanges(manifest);
  for (let bytes = bytesOf(changes); bytes > ownBytes; bytes = bytesOf(changes)) {
    const last = children.at(-1);
    if (last === undefined || last.bytes > SIZE_RATIO * bytes) return { children, changes };
    children = children.slice(0, -1);
    changes = changesBetween(stateOf(children), manifest);
  }
  return { children, changes: null };
}

/** Returns the place of a child. */
export function placeOf({ key, bytes, crc32 }: ChildPlace): ChildPlace {
  return { key, bytes, crc32 };
}

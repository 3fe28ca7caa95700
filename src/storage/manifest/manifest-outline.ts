/**
 * Outlines of manifests: the parts that garbage collection needs, kept in memory by version. A writer has made most of
 * the manifests itself, and a version never changes (B1).
 */
import type { Manifest } from '../api.ts';

/** The outline of a manifest. */
export interface ManifestOutline extends Pick<Manifest, 'version' | 'epoch' | 'generation' | 'walFloor'> {
  /** The keys of the children, and of the files of tables and artefacts. */
  readonly objectKeys: readonly string[];
}

/** Outlines by version, of manifests that are known to be in the store. */
export type ManifestOutlines = Map<number, ManifestOutline>;

/** Returns the outline of a manifest. */
export function outlineOf(manifest: Manifest): ManifestOutline {
  const { version, epoch, generation, walFloor } = manifest;
  return { version, epoch, generation, walFloor, objectKeys: objectKeysOf(manifest) };
}

/** Returns the keys of all objects below `data/` that a manifest needs. */
export function objectKeysOf({ tables, artefacts, children }: Manifest): string[] {
  const keys = [...tables, ...artefacts].flatMap(({ files }) => files.map(({ key }) => key));
  return [...keys, ...children.map(({ key }) => key)];
}

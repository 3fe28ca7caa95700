/**
 * The parts of a manifest that collecting garbage must know. Kept in memory by version: a writer has made most of them
 * itself, and a version never changes (B1).
 */
import type { Manifest } from '../api.ts';

/** The outline of a manifest. */
export interface ManifestOutline extends Pick<Manifest, 'version' | 'epoch' | 'generation' | 'walFloor'> {
  /** Keys of the children, and of the files of tables and artefacts. */
  readonly objectKeys: readonly string[];
}

/** Outlines by version, of manifests that are in the store for certain. */
export type ManifestOutlines = Map<number, ManifestOutline>;

/** Returns the outline of a manifest. */
export function outlineOf(manifest: Manifest): ManifestOutline {
  const { version, epoch, generation, walFloor } = manifest;
  return { version, epoch, generation, walFloor, objectKeys: objectKeysOf(manifest) };
}

/** Keys of all objects below `data/` that a manifest needs. */
export function objectKeysOf({ tables, artefacts, children }: Manifest): string[] {
  const keys = [...tables, ...artefacts].flatMap(({ files }) => files.map(({ key }) => key));
  return [...keys, ...children.map(({ key }) => key)];
}

/**
 * What collecting garbage must know of a manifest. Kept in memory by version, since reading the manifests of a large namespace takes the time of many
 * statements, and a writer has made most of them itself; a version never changes (B1).
 */
import type { Manifest } from '../api.ts';

export interface ManifestOutline extends Pick<Manifest, 'version' | 'epoch' | 'generation' | 'walFloor'> {
  /** Keys of the files of tables and artefacts. */
  readonly fileKeys: readonly string[];
}

/** By version: of manifests that are in the store for certain. */
export type ManifestOutlines = Map<number, ManifestOutline>;

export function outlineOf({ version, epoch, generation, walFloor, tables, artefacts }: Manifest): ManifestOutline {
  return { version, epoch, generation, walFloor, fileKeys: [...tables, ...artefacts].flatMap(({ files }) => files.map(({ key }) => key)) };
}

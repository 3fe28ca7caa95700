/**
 * The formats of manifests: 1 has tables only, 2 has artefacts beside them, 3 has children, and layouts in the files.
 * Every manifest is written in the current one.
 */
import type { Manifest } from '../api.ts';

/** The format of manifests that are written. */
export const CURRENT_FORMAT = 3;

const KNOWN_FORMATS: readonly Manifest['formatVersion'][] = [1, 2, CURRENT_FORMAT];

/** Tells whether a format of manifests is known here. */
export function isKnownFormat(value: unknown): value is Manifest['formatVersion'] {
  return KNOWN_FORMATS.some((known) => known === value);
}

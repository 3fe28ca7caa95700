/**
 * Tells an expired snapshot from damage. A file that a graph needs is missing either way: because the bucket is
 * damaged, or because a reader was away, or slow, for longer than files are kept (B6). The bucket tells which: while
 * the manifest that names the file is retained, the file must be there.
 */
import { GraphDBError } from '../../base/index.ts';
import { type Manifest, MissingFileError, type Namespace } from '../../storage/index.ts';

/** The namespace of a file that is missing. */
export interface MissingFileContext {
  readonly namespace: Namespace;
  /** The manifest that names the file. */
  readonly manifest: Manifest;
  readonly nowMs: number;
}

/** Returns whether an error says that something in the bucket is missing or damaged. */
export function isCorruption(error: unknown): boolean {
  return error instanceof GraphDBError && error.code === 'CORRUPTION';
}

/**
 * Returns the error that says why a file is missing: STORE_UNAVAILABLE, after which the caller may try again, for a
 * file that is no longer kept; otherwise the given error.
 */
export async function explainMissing(error: unknown, { namespace, manifest, nowMs }: MissingFileContext): Promise<unknown> {
  if (!(error instanceof MissingFileError) || (await namespace.isRetained(manifest.version))) return error;
  const age = ageText(nowMs - manifest.createdAtMs);
  return new GraphDBError(
    'STORE_UNAVAILABLE',
    `what is read here is manifest version ${manifest.version}, made ${age} ago and no longer kept; begin again with the ` +
      `newest. The writer's setting graceMs says how long a version is kept after the next one`,
    { cause: error },
  );
}

function ageText(ms: number): string {
  const seconds = Math.max(Math.round(ms / 1_000), 0);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/**
 * Turns change capture of a namespace on or off, or changes the retention of changes (decision 0039). The setting is in
 * the manifest, so that every later writer and garbage collection follows it. To be called before anything is written.
 * Cost: one manifest if the setting changes.
 */
import { freshCaptureId, type Namespace } from '../../storage/index.ts';

/**
 * Sets the change capture of a namespace. Capture that waits for commits which never came, since a restore ended before
 * it had appended them, begins anew behind the last one that is there.
 * @param retentionMs milliseconds for which changes stay readable; 0 turns capture off; null leaves it as it is
 */
export async function setCapture(namespace: Namespace, retentionMs: number | null): Promise<void> {
  const { capture } = namespace.manifest;
  const since = namespace.durableSequence;
  const known = capture !== null && capture.since <= since ? capture : null;
  const formerMs = capture?.retentionMs ?? 0;
  const wantedMs = retentionMs ?? formerMs;
  if (wantedMs === formerMs && known === capture) return;
  const wanted = wantedMs === 0 ? null : { ...(known ?? { id: freshCaptureId(), since }), retentionMs: wantedMs };
  await namespace.publish({ add: [], remove: [], capture: wanted });
}

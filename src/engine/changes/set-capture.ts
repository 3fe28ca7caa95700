/**
 * Turns change capture of a namespace on or off, or changes the retention of changes (decision 0039). The setting is in
 * the manifest, so that every later writer and garbage collection follows it. To be called before anything is written.
 * Cost: one manifest if the setting changes.
 */
import { freshCaptureId, type Namespace } from '../../storage/index.ts';

/** Sets the change capture of a namespace. @param retentionMs milliseconds for which changes stay readable; 0 turns capture off */
export async function setCapture(namespace: Namespace, retentionMs: number): Promise<void> {
  const { capture } = namespace.manifest;
  if ((capture?.retentionMs ?? 0) === retentionMs) return;
  const since = namespace.durableSequence;
  const wanted = retentionMs === 0 ? null : { ...(capture ?? { id: freshCaptureId(), since }), retentionMs };
  await namespace.publish({ add: [], remove: [], capture: wanted });
}

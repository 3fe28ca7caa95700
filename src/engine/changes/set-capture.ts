/**
 * Turns change capture of a namespace on or off, or changes how long changes are kept (decision 0039). It is a fact of
 * the namespace, in its manifest: whoever writes to it or collects from now on goes by it. To be called before anything
 * is written. Cost: one manifest where something changes.
 */
import { randomHex } from '../../base/index.ts';
import type { Namespace } from '../../storage/index.ts';

const ID_BYTES = 8;

/** @param retentionMs 0: off */
export async function setCapture(namespace: Namespace, retentionMs: number): Promise<void> {
  const { capture } = namespace.manifest;
  if ((capture?.retentionMs ?? 0) === retentionMs) return;
  const since = namespace.durableSequence;
  const wanted = retentionMs === 0 ? null : { ...(capture ?? { id: randomHex(ID_BYTES), since }), retentionMs };
  await namespace.publish({ add: [], remove: [], capture: wanted });
}

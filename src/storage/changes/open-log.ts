/**
 * Opens the log of a namespace for readers of changes, and finds out from where it can be read (decision 0039).
 *
 * All objects from the manifest's floor on exist; below it only those that collection has kept for the retention
 * (collect-garbage.ts). Reading begins at the object that a position names, if it exists and holds what the position
 * says, else at the lowest object from which on there is no gap up to the floor. Cost: one get if the object exists;
 * else that of `earliestPosition`.
 */
import { crc32 } from 'node:zlib';
import { assert } from '../../base/index.ts';
import type { ObjectStore } from '../../object-store/index.ts';
import type { LogCursor, LogPosition, Manifest } from '../api.ts';
import { gone } from '../faults.ts';
import { parseWalKey, WAL_PREFIX, walKey } from '../keys.ts';
import { decodeWalObject, type WalObject, WINDOW } from '../wal/wal-object.ts';
import { WalLogCursor } from './log-cursor.ts';

/** Opens the log behind a position. @throws GONE when the next commits are not kept any more */
export async function openLog(store: ObjectStore, manifest: Manifest, position: LogPosition): Promise<LogCursor> {
  assert(manifest.capture !== null, 'a log without change capture is not read');
  const { sequence } = position;
  const notKept = (): Error => gone(`what follows commit ${sequence} is not kept any more`);
  if (sequence < manifest.capture.since) throw notKept();
  const object = await readObject(store, position.walNumber);
  if (object !== null && reachesTo(object, position)) return new WalLogCursor(store, position);
  const earliest = await earliestPosition(store, manifest);
  if (sequence < earliest.sequence) throw notKept();
  const { walNumber, epoch } = earliest;
  return new WalLogCursor(store, { ...position, walNumber, epoch: Math.max(epoch, position.epoch) });
}

/** Whether reading can begin at the object. @throws GONE when another commit has the sequence of the position */
function reachesTo({ firstSequence, commits }: WalObject, { sequence, crc32: expected }: LogPosition): boolean {
  const commit = commits[sequence - firstSequence];
  if (commit !== undefined && expected !== 0 && crc32(commit.changes) !== expected) throw gone(`commit ${sequence} is another one now`);
  return firstSequence <= sequence + 1;
}

/** Returns the lowest position behind which every commit is kept. One list, up to four gets. */
export async function earliestPosition(store: ObjectStore, { walFloor, sequence, capture }: Manifest): Promise<LogPosition> {
  assert(capture !== null, 'a log without change capture is not read');
  const listed = (await store.list(WAL_PREFIX)).map(({ key }) => parseWalKey(key));
  const numbers = new Set(listed.filter((number) => number !== null && number <= walFloor));
  let first = walFloor;
  while (numbers.has(first - 1)) first--;
  // Behind the start of an epoch, which is kept, objects of the former writer may lie that do not count.
  const before = Array.from({ length: WINDOW - 1 }, (_, index) => first - 1 - index).filter((number) => numbers.has(number));
  const [object, ...starts] = await Promise.all([first, ...before].map((number) => readObject(store, number)));
  const epoch = Math.max(0, ...starts.map((start) => (start?.kind === 'epoch-start' ? start.epoch : 0)));
  const reached = object == null ? sequence : object.firstSequence - 1;
  return { sequence: Math.max(reached, capture.since), walNumber: first, epoch, crc32: 0 };
}

async function readObject(store: ObjectStore, number: number): Promise<WalObject | null> {
  const bytes = await store.get(walKey(number));
  return bytes === null ? null : decodeWalObject(number, bytes);
}

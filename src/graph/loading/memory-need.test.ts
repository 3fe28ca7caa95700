/** Loads that read tables whole are compared with the memory that is left, before they read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropMemoryStore, openMemoryStore } from '../../object-store/index.ts';
import { openNamespace } from '../../storage/index.ts';
import { openGraphStore } from '../open-graph-store.ts';
import { createNode, createRelationship } from '../testing/small-graph.ts';
import { EVERYTHING } from './requirements.ts';

const URI = { scheme: 'memory', name: 'memory-need', namespace: 'test' } as const;
const NODES = 1_000;

test('a table that memory has no room for is refused, and read when it has', async () => {
  const namespace = await openNamespace(openMemoryStore(URI), { name: 'test' });
  const written = await openGraphStore(namespace);
  const transaction = written.begin();
  for (let k = 0; k < NODES; k++) createNode(transaction, ['A'], { k, s: `text ${k}`.repeat(20) });
  for (let k = 1; k < NODES; k++) createRelationship(transaction, [k - 1, k], 'R', { w: k / 2 });
  const changes = transaction.changes();
  const sequence = transaction.commit();
  await namespace.append({ sequence, changes });
  written.publish(sequence);
  await namespace.publish(written.collectFlush()!.edit);

  let available = 0;
  const graph = await openGraphStore(namespace, { availableMemory: () => available });
  const view = graph.snapshot();
  const load = async (): Promise<void> => graph.require(view, EVERYTHING) ?? undefined;
  await assert.rejects(load(), { code: 'MEMORY_LIMIT', message: /take 1 MiB of memory, and 0 MiB are left/ });
  // Texts of 150 bytes and some numbers for each node, 24 bytes and a number for each relationship.
  available = NODES * 150;
  await assert.rejects(load(), { code: 'MEMORY_LIMIT' });
  available = NODES * 350;
  await load();
  assert.equal(view.nodeProperty(7, view.keys.find('k')), 7);
  available = 0;
  await load();
  await namespace.close();
  dropMemoryStore(URI);
});

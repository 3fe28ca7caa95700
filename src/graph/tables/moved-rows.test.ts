/** Loading what is not in memory after other files took the place of those that the graph was opened with. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dropMemoryStore, type ObjectStore, openMemoryStore, withFaults } from '../../object-store/index.ts';
import { type Namespace, openNamespace } from '../../storage/index.ts';
import type { GraphStore } from '../graph-store.ts';
import { openGraphStore } from '../open-graph-store.ts';
import { createNode, createRelationship, propertyOf } from '../testing/small-graph.ts';
import type { GraphTransaction } from '../view/view.ts';

const uris: { scheme: 'memory'; name: string; namespace: string }[] = [];
after(() => {
  for (const uri of uris) dropMemoryStore(uri);
});

function newStore(): ObjectStore {
  const uri = { scheme: 'memory' as const, name: `moved-rows-${uris.length}`, namespace: 'test' };
  uris.push(uri);
  return openMemoryStore(uri);
}

class Session {
  readonly namespace: Namespace;
  readonly graph: GraphStore;

  constructor(namespace: Namespace, graph: GraphStore) {
    this.namespace = namespace;
    this.graph = graph;
  }

  static async open(store: ObjectStore): Promise<Session> {
    const namespace = await openNamespace(store, { name: 'test' });
    return new Session(namespace, await openGraphStore(namespace));
  }

  async write(work: (transaction: GraphTransaction) => void, load = true): Promise<void> {
    const transaction = this.graph.begin();
    if (load) await this.graph.require(transaction.view);
    work(transaction);
    const changes = transaction.changes();
    const sequence = transaction.commit();
    await this.namespace.append({ sequence, changes });
    this.graph.publish(sequence);
  }

  async flush(): Promise<void> {
    const flush = this.graph.collectFlush();
    if (flush === null) return;
    const { manifest } = await this.namespace.publish(flush.edit);
    this.graph.flushed(flush);
    this.graph.takeFiles(manifest);
  }

  /** Merges everything into one file per table, and removes the others. */
  async merge(): Promise<void> {
    const { manifest } = await this.namespace.compact({ everything: true });
    this.graph.takeFiles(manifest);
    await this.namespace.collectGarbage({ graceMs: 0, retainVersions: 1 });
  }
}

/** Three files per table: nodes 1 and 4 changed, node 2 and a relationship deleted. */
async function threeFiles(): Promise<ObjectStore> {
  const store = newStore();
  const session = await Session.open(store);
  await session.write((tx) => {
    for (let i = 0; i < 6; i++) createNode(tx, ['A'], { p: i, q: `q${i}` });
    for (let i = 0; i < 6; i++) createRelationship(tx, [5 - i, (7 - i) % 6], 'R', { w: i });
  });
  await session.flush();
  await session.write((tx) => {
    tx.setNodeProperty(1, tx.internKey('p'), 10);
    tx.setNodeProperty(4, tx.internKey('p'), 40);
    for (const ordinal of [1, 3]) tx.deleteRelationship(...(tx.view.findRelationshipById(`r${ordinal}`) as [number, number]));
  });
  await session.flush();
  await session.write((tx) => tx.deleteNode(2));
  await session.flush();
  await session.namespace.close();
  return store;
}

const SOME = { labels: ['A'], ends: [], types: [], nodeKeys: ['p'], relationshipKeys: [], ids: false, lookups: false, writes: false };

function nodeValues(graph: GraphStore, key: string): unknown[] {
  const view = graph.snapshot();
  return [0, 1, 3, 4, 5, 6].map((node) => propertyOf(view, node, key));
}

function relationshipsOf(graph: GraphStore): unknown[] {
  const view = graph.snapshot();
  const w = view.keys.find('w');
  return [0, 2, 4, 5, 6].map((ordinal) => {
    const place = view.findRelationshipById(`r${ordinal}`);
    if (place === null) return null;
    const [type, row] = place;
    const table = view.relationshipTables[type]!;
    return [table.sources[row], table.targets[row], view.relationshipProperty(type, row, w)];
  });
}

const NODES_P = [0, 10, 3, 40, 5, null];
const NODES_Q = ['q0', 'q1', 'q3', 'q4', 'q5', null];
const RELATIONSHIPS = [[5, 1, 0], [3, 5, 2], [1, 3, 4], [0, 2, 5], null];

for (const [name, before] of [
  ['nothing was in memory', async () => {}],
  ['rows and a column were in memory', async (graph) => void (await graph.require(graph.snapshot(), SOME))],
] as [string, (graph: GraphStore) => Promise<void>][]) {
  test(`a table is read from merged files when ${name}`, async () => {
    const session = await Session.open(await threeFiles());
    await before(session.graph);
    await session.merge();
    await session.graph.require(session.graph.snapshot());
    assert.deepEqual([nodeValues(session.graph, 'p'), nodeValues(session.graph, 'q')], [NODES_P, NODES_Q]);
    assert.deepEqual(relationshipsOf(session.graph), RELATIONSHIPS);
  });

  test(`what was written meanwhile stands behind the rows of merged files when ${name}`, async () => {
    const store = await threeFiles();
    const session = await Session.open(store);
    await before(session.graph);
    await session.write((tx) => {
      createNode(tx, ['A'], { p: 'six' }, 'own-id');
      createRelationship(tx, [0, 6], 'R', { w: 'new' });
    }, false);
    await session.flush();
    await session.merge();
    await session.graph.require(session.graph.snapshot());
    const nodes = [...NODES_P.slice(0, 5), 'six'];
    const relationships = [...RELATIONSHIPS.slice(0, 4), [0, 6, 'new']];
    assert.deepEqual([nodeValues(session.graph, 'p'), relationshipsOf(session.graph)], [nodes, relationships]);
    assert.equal(session.graph.snapshot().findNodeById('own-id'), 6);
    const again = await Session.open(store);
    await again.graph.require(again.graph.snapshot());
    assert.deepEqual([nodeValues(again.graph, 'p'), relationshipsOf(again.graph)], [nodes, relationships]);
  });
}

test('a property that no living row has any more is nobody’s', async () => {
  const store = newStore();
  const first = await Session.open(store);
  await first.write((tx) => {
    createNode(tx, ['A'], { p: 1 });
    createNode(tx, ['A'], { gone: 1 });
  });
  await first.flush();
  await first.write((tx) => tx.deleteNode(1));
  await first.flush();
  await first.namespace.close();
  const session = await Session.open(store);
  await session.merge();
  const view = session.graph.snapshot();
  await session.graph.require(view);
  assert.deepEqual([propertyOf(view, 0, 'p'), propertyOf(view, 0, 'gone')], [1, null]);
  assert.equal(session.graph.require(session.graph.snapshot()), null);
});

test('a load that meets a vanished file goes on with the files that there are then', async () => {
  const inner = await threeFiles();
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  const store = withFaults(inner, {
    random: () => 0,
    onRequest: async ({ operation, key }) => {
      if (operation !== 'get' || !key.startsWith('data/') || waiting > 0) return null;
      waiting++;
      await gate.promise;
      return null;
    },
  });
  const session = await Session.open(store);
  const loading = session.graph.require(session.graph.snapshot());
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(waiting, 1);
  await session.merge();
  gate.resolve();
  await loading;
  assert.deepEqual([nodeValues(session.graph, 'p'), relationshipsOf(session.graph)], [NODES_P, RELATIONSHIPS]);
});

test('a missing file that the manifest names is CORRUPTION', async () => {
  const store = await threeFiles();
  const session = await Session.open(store);
  await store.delete(session.namespace.manifest.tables[0]!.files[0]!.key);
  await assert.rejects(async () => session.graph.require(session.graph.snapshot()), { code: 'CORRUPTION' });
});

test('a column that was read beside rows that could not be does not stand in their order', async () => {
  const store = newStore();
  const session = await Session.open(store);
  await session.write((tx) => {
    for (let i = 0; i < 6; i++) createNode(tx, ['A'], { p: i, q: `q${i}` });
  });
  await session.flush();
  await session.write((tx) => tx.deleteNode(2));
  await session.flush();
  const [, tombstone] = session.namespace.manifest.tables[0]!.files;
  let isRefused = true;
  const failing = withFaults(store, {
    random: () => 0,
    onRequest: ({ key }) => (isRefused && key === tombstone!.key ? 'refused' : null),
  });
  const namespace = await openNamespace(failing, { name: 'test', readOnly: true });
  const graph = await openGraphStore(namespace);
  await assert.rejects(Promise.resolve(graph.require(graph.snapshot())), { code: 'STORE_UNAVAILABLE' });
  isRefused = false;
  await session.merge();
  graph.takeFiles((await namespace.poll()).manifest);
  const view = graph.snapshot();
  await graph.require(view);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((ordinal) => [propertyOf(view, ordinal, 'p'), propertyOf(view, ordinal, 'q')]),
    [
      [0, 'q0'],
      [1, 'q1'],
      [null, null],
      [3, 'q3'],
      [4, 'q4'],
      [5, 'q5'],
    ],
  );
});

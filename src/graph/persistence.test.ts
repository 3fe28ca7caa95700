/** Single situations of opening, loading and flushing; many at once: persistence.property.test.ts. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { finish } from '../base/index.ts';
import { dropMemoryStore, openMemoryStore, withMetrics } from '../object-store/index.ts';
import { type Namespace, openNamespace } from '../storage/index.ts';
import type { GraphStore } from './graph-store.ts';
import { EVERYTHING } from './loading/requirements.ts';
import { openGraphStore } from './open-graph-store.ts';
import { createNode, createRelationship, lookupAt, propertyOf } from './testing/small-graph.ts';
import type { GraphTransaction } from './view/view.ts';

const URI = { scheme: 'memory', name: 'graph-persistence', namespace: 'test' } as const;
let opened = 0;
after(() => {
  for (let i = 0; i < opened; i++) dropMemoryStore({ ...URI, name: `${URI.name}-${i}` });
});

/** A graph over a namespace of its own that can be closed and opened again. */
class Database {
  readonly #uri = { ...URI, name: `${URI.name}-${opened++}` };
  namespace!: Namespace;
  graph!: GraphStore;
  reads = 0;

  static async open(): Promise<Database> {
    const database = new Database();
    await database.reopen();
    return database;
  }

  async reopen(): Promise<void> {
    await this.namespace?.close();
    const { store, metrics } = withMetrics(openMemoryStore(this.#uri));
    this.namespace = await openNamespace(store, { name: 'test' });
    const before = metrics.operations.get.requests;
    this.graph = await openGraphStore(this.namespace);
    this.reads = metrics.operations.get.requests - before;
  }

  async write<T>(work: (transaction: GraphTransaction) => T): Promise<T> {
    const transaction = this.graph.begin();
    await this.graph.require(transaction.view);
    const result = work(transaction);
    const changes = transaction.changes();
    const sequence = transaction.commit();
    await this.namespace.append({ sequence, changes });
    this.graph.publish(sequence);
    return result;
  }

  async flush(): Promise<void> {
    const flush = this.graph.collectFlush();
    assert(flush !== null, 'something to flush');
    await this.namespace.publish(flush.edit);
    this.graph.flushed(flush);
  }
}

test('opening reads no SST, and counts need none', async () => {
  const database = await Database.open();
  await database.write((tx) => {
    for (let i = 0; i < 10; i++) createNode(tx, ['A'], { p: i });
    createRelationship(tx, [1, 2], 'R', { w: 1 });
  });
  await database.flush();
  await database.reopen();
  const view = database.graph.snapshot();
  assert.equal(database.reads, 0);
  assert.deepEqual(
    [view.nodeCount, view.relationshipCount, view.statistics.nodesWithLabel('A'), view.statistics.relationshipsOfType('R')],
    [10, 1, 10, 1],
  );
  assert.deepEqual([view.nodeTables[0]!.liveCount, view.nodeTables[0]!.ordinalBase], [10, 0]);
  assert.equal(database.graph.collectFlush(), null);
});

test('statistics of what is not in memory come from the manifest', async () => {
  const database = await Database.open();
  await database.write((tx) => {
    for (let i = 0; i < 100; i++) createNode(tx, ['A'], { few: i % 5, key: `key ${i}` });
    for (let i = 0; i < 300; i++) createNode(tx, ['B']);
    for (let i = 0; i < 99; i++) createRelationship(tx, [i, 100 + i], 'R');
  });
  await database.flush();
  await database.reopen();
  const { statistics } = database.graph.snapshot();
  assert.deepEqual(
    [statistics.relationships('R', 'A', 'B'), statistics.relationships('R', 'B', null), statistics.relationships('R', null, 'A')],
    [99, 0, 0],
  );
  assert.equal(statistics.distinctValues('A', 'key'), 100);
  assert.equal(statistics.distinctValues('B', 'key'), null);
});

test('what is asked for is loaded, into the view that asks and into no other table', async () => {
  const database = await Database.open();
  await database.write((tx) => {
    createNode(tx, ['A'], { p: 'a', q: 1 });
    createNode(tx, ['B'], { p: 'b' });
  });
  await database.flush();
  await database.reopen();
  const view = database.graph.snapshot();
  const shape = view.shapeVersion;
  const wanted = { labels: ['A'], ends: [], types: [], nodeKeys: ['p'], relationshipKeys: [], ids: false, lookups: false, writes: false };
  const loading = database.graph.require(view, wanted);
  assert.notEqual(loading, null);
  await loading;
  assert.equal(database.graph.require(view, wanted), null);
  assert.ok(view.shapeVersion > shape);
  const [a, b] = view.nodeTables;
  const [p, q] = [view.keys.find('p'), view.keys.find('q')];
  assert.equal(a!.column(p)!.get(0), 'a');
  assert.deepEqual([a!.residency(p), a!.residency(q), b!.residency(p), b!.residency(q)], ['flat', 'notLoaded', 'notLoaded', 'absent']);
  assert.equal(b!.column(q), null);
});

test('reading what was not loaded is an error, and never an absent value', async () => {
  const database = await Database.open();
  await database.write((tx) => {
    createNode(tx, ['A'], { p: 'a' });
    createNode(tx, ['B'], { p: 'b' });
    createRelationship(tx, [0, 1], 'R', { w: 1 });
    tx.createIndex({ name: 'p', entity: 'node', labelOrType: 'A', keys: ['p'], kind: 'range' });
    tx.createIndex({ name: 'w', entity: 'relationship', labelOrType: 'R', keys: ['w'], kind: 'range' });
  });
  await database.flush();
  await database.reopen();
  const view = database.graph.snapshot();
  const missing = { code: 'INTERNAL', message: /was not loaded/ };
  const [a] = view.nodeTables;
  const r = view.relationshipTables[view.types.find('R')]!;
  assert.throws(() => a!.column(view.keys.find('p')), missing);
  assert.throws(() => r.column(view.keys.find('w')), missing);
  assert.throws(() => r.outgoing, missing);
  assert.throws(() => r.incoming, missing);
  for (const index of [0, 1]) {
    assert.throws(() => lookupAt(view, index, 'equality').findValue(7), missing);
    assert.throws(() => lookupAt(view, index, 'equality').find([7]), missing);
    assert.throws(() => lookupAt(view, index, 'range').range(7, true, null, false), missing);
    assert.throws(() => lookupAt(view, index, 'prefix').startingWith('b'), missing);
    assert.throws(() => lookupAt(view, index, 'area').area({ srid: 7203, boxes: [] }), missing);
  }
  await database.graph.require(view, EVERYTHING);
  assert.equal(a!.column(view.keys.find('p'))!.get(0), 'a');
  assert.equal(r.column(view.keys.find('w'))!.get(0), 1);
  assert.notEqual(r.outgoing, r.incoming);
  assert.deepEqual([...lookupAt(view, 0, 'prefix').startingWith('a')], [0]);
  assert.deepEqual([...lookupAt(view, 1, 'range').range(0, true, 2, false)], [0]);
});

test('a column is loaded below values of another type that were written first, and outlives their rollback', async () => {
  const database = await Database.open();
  await database.write((tx) => createNode(tx, ['A'], { p: 1 }));
  await database.flush();
  await database.reopen();
  const tx = database.graph.begin();
  createNode(tx, ['A'], { p: 'text' });
  createNode(tx, ['A'], { p: 0.5 });
  await database.graph.require(tx.view);
  assert.deepEqual(
    [0, 1, 2].map((node) => propertyOf(tx.view, node, 'p')),
    [1, 'text', 0.5],
  );
  tx.rollback();
  assert.equal(propertyOf(database.graph.snapshot(), 0, 'p'), 1);
});

test('what is written anew between two flushes is flushed as it was changed', async () => {
  const database = await Database.open();
  await database.write((tx) => {
    for (let i = 0; i < 3; i++) createNode(tx, ['A'], { p: i });
    for (let i = 0; i < 3; i++) createRelationship(tx, [i, (i + 1) % 3], 'R', { w: i });
  });
  await database.flush();
  await database.write((tx) => {
    tx.setNodeProperty(1, tx.internKey('p'), 10);
    tx.setRelationshipProperty(0, 1, tx.internKey('w'), 10);
    tx.deleteRelationship(0, 2);
  });
  database.graph.dropDeadRows(() => true);
  assert.deepEqual([database.graph.snapshot().nodeTables[0]!.rowCount, database.graph.snapshot().relationshipTables[0]!.rowCount], [3, 2]);
  await database.flush();
  await database.reopen();
  const view = database.graph.snapshot();
  await database.graph.require(view);
  assert.deepEqual(
    [0, 1, 2].map((node) => propertyOf(view, node, 'p')),
    [0, 10, 2],
  );
  const places = [0, 1, 2].map((ordinal) => view.findRelationshipById(`r${ordinal}`));
  const w = view.keys.find('w');
  assert.deepEqual(
    places.map((place) => place && view.relationshipProperty(...place, w)),
    [0, 10, null],
  );
});

test('what a flush under way has collected and is deleted and written anew before it ends stays deleted', async () => {
  const database = await Database.open();
  await database.write((tx) => {
    for (let i = 0; i < 4; i++) createNode(tx, ['A'], { p: i });
    for (let i = 0; i < 3; i++) createRelationship(tx, [i, i + 1], 'R', { w: i });
  });
  const flush = database.graph.collectFlush();
  assert.ok(flush !== null);
  await database.write((tx) => {
    tx.deleteRelationship(0, 2);
    tx.deleteNode(3);
  });
  database.graph.dropDeadRows(() => true);
  await database.namespace.publish(flush.edit);
  database.graph.flushed(flush);
  await database.flush();
  await database.reopen();
  const view = database.graph.snapshot();
  await database.graph.require(view);
  assert.deepEqual(
    [0, 1, 2, 3].map((node) => view.findNodeById(`n${node}`)),
    [0, 1, 2, -1],
  );
  const places = [0, 1, 2].map((ordinal) => view.findRelationshipById(`r${ordinal}`));
  assert.deepEqual(
    places.map((place) => place !== null),
    [true, true, false],
  );
});

test('identifiers that look computed are known before ordinals are given', async () => {
  const database = await Database.open();
  await database.write((tx) => createNode(tx, ['A'], {}, 'n2'));
  await database.flush();
  await database.reopen();
  const tx = database.graph.begin();
  assert.deepEqual([createNode(tx, ['A']), createNode(tx, ['A'])], [1, 3]);
  tx.rollback();
});

test('indexes and constraints come back with the catalog', async () => {
  const database = await Database.open();
  await database.write((tx) => {
    createNode(tx, ['A'], { p: 1 });
    tx.createIndex({ name: 'i', entity: 'node', labelOrType: 'A', keys: ['p'], kind: 'range' });
    finish(tx.createConstraint({ name: 'c', entity: 'node', labelOrType: 'A', keys: ['p'], kind: 'unique' }));
  });
  await database.flush();
  await database.reopen();
  const view = database.graph.snapshot();
  assert.deepEqual([view.schema.indexes.length, view.schema.constraints.length, view.indexes.length], [1, 1, 2]);
  await database.graph.require(view);
  assert.deepEqual(
    view.indexes.map((_, at) => [...lookupAt(view, at, 'equality').find([1])]),
    [[0], [0]],
  );
});

test('relationships come back sorted, and their lists are the table itself', async () => {
  const database = await Database.open();
  await database.write((tx) => {
    for (let i = 0; i < 2000; i++) createNode(tx, ['A']);
    for (let i = 0; i < 2000; i++) createRelationship(tx, [(i * 7) % 2000, (i * 13) % 2000], 'R');
  });
  await database.flush();
  await database.reopen();
  const view = database.graph.snapshot();
  await database.graph.require(view, {
    labels: [],
    ends: [],
    types: ['R'],
    nodeKeys: [],
    relationshipKeys: [],
    ids: false,
    lookups: false,
    writes: false,
  });
  const table = view.relationshipTables[0]!;
  assert.deepEqual(
    [table.outgoing.rows, table.outgoing.neighbours === table.targets, table.outgoing.hasLog, table.liveCount],
    [null, true, false, 2000],
  );
  assert.deepEqual(view.findRelationshipById('r1'), [0, [...table.sources.subarray(0, 2000)].indexOf(7)]);
});

test('tables whose labels read the same when they are written one after the other are told apart', async () => {
  const database = await Database.open();
  await database.write((tx) => {
    createNode(tx, ['a,b', 'c'], { x: 1 });
    createNode(tx, ['a', 'b,c'], { x: 2 });
  });
  await database.flush();
  await database.reopen();
  const view = database.graph.snapshot();
  await database.graph.require(view);
  assert.deepEqual([propertyOf(view, 0, 'x'), propertyOf(view, 1, 'x')], [1, 2]);
});

test('a manifest that would give ordinals out again, or more than there can be, is damage; so is an index of nothing', async () => {
  const database = await Database.open();
  await database.write((tx) => {
    for (let i = 0; i < 3; i++) createNode(tx, ['A'], { p: i });
    createRelationship(tx, [1, 2], 'R', {});
  });
  await database.flush();
  const { namespace } = database;
  const { manifest } = namespace;
  const index = { name: 'i', entity: 'node', kind: 'range', labelOrType: 'A', keys: ['p'] };
  const withIndex = (changed: object): object => ({ catalog: { ...manifest.catalog, indexes: [{ ...index, ...changed }] } });
  const opening = (changed: object): Promise<GraphStore> =>
    openGraphStore({
      manifest: { ...manifest, ...changed },
      openSst: (file) => namespace.openSst(file),
      openArtefact: (artefact) => namespace.openArtefact(artefact),
      foundDamaged: (artefact) => namespace.foundDamaged(artefact),
      recovered: [],
    });
  for (const sound of [{}, { nextNodeOrdinal: 17 }, withIndex({})]) await opening(sound);
  for (const damage of [
    { nextNodeOrdinal: 2 },
    { nextNodeOrdinal: Number.MAX_SAFE_INTEGER },
    { nextRelationshipOrdinal: 0 },
    withIndex({ labelOrType: '' }),
    withIndex({ keys: [''] }),
  ])
    await assert.rejects(opening(damage), { code: 'CORRUPTION' }, JSON.stringify(damage).slice(0, 80));
});

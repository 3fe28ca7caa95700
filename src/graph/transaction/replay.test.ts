/** The log of changes: what it holds, and what damage to it must never do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter, GraphDBError } from '../../base/index.ts';
import { createGraphStore, type GraphStore } from '../graph-store.ts';
import { assertViewIs } from '../testing/compare.ts';
import { ModelGraph } from '../testing/model-graph.ts';
import { RandomSource } from '../testing/random-source.ts';
import { RandomWriter } from '../testing/random-writer.ts';
import { createNode, createRelationship, propertyOf, write } from '../testing/small-graph.ts';
import type { GraphTransaction } from '../view/view.ts';
import { CHANGE } from './change-log.ts';

/** A store with some content, and commits that could follow it. */
function commitsOf(seed: number): { base: Uint8Array; next: Uint8Array; model: ModelGraph } {
  const writer = new RandomWriter(new RandomSource(seed));
  const model = new ModelGraph();
  const store = createGraphStore();
  const changes = [1, 2].map(() => {
    const tx = store.begin();
    for (let i = 0; i < 30; i++) writer.write(tx, model);
    const bytes = tx.changes();
    store.publish(tx.commit());
    return bytes;
  });
  return { base: changes[0] as Uint8Array, next: changes[1] as Uint8Array, model };
}

function storeAfter(base: Uint8Array): GraphStore {
  const store = createGraphStore();
  store.applyChanges({ sequence: 1, changes: base });
  return store;
}

test('a commit is refused that is not the next', () => {
  const { base, next, model } = commitsOf(1);
  const store = storeAfter(base);
  for (const sequence of [1, 3]) assert.throws(() => store.applyChanges({ sequence, changes: next }), { code: 'CORRUPTION' });
  store.applyChanges({ sequence: 2, changes: next });
  assertViewIs(store.snapshot(), model);
});

test('damaged changes are CORRUPTION or harmless, and leave nothing behind when refused', () => {
  let refused = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const random = new RandomSource(seed);
    const { base, next } = commitsOf(seed % 10);
    const damaged = damage(next, random);
    const store = storeAfter(base);
    const before = store.snapshot();
    try {
      store.applyChanges({ sequence: 2, changes: damaged });
    } catch (error) {
      refused++;
      assert.ok(error instanceof GraphDBError && error.code === 'CORRUPTION', `seed ${seed}: ${error}`);
      assert.equal(store.snapshot(), before);
      const expected = storeAfter(base).snapshot();
      assert.deepEqual([before.nodeCount, before.relationshipCount], [expected.nodeCount, expected.relationshipCount]);
      assert.equal(
        write(store, (tx) => createNode(tx, ['New'])),
        before.nodeLimit,
      );
    }
  }
  assert.ok(refused > 100, `${refused} of 400 were refused`);
});

function damage(bytes: Uint8Array, random: RandomSource): Uint8Array {
  if (random.chance(0.2)) return bytes.slice(0, random.below(bytes.length));
  const damaged = bytes.slice();
  for (let i = random.below(4); i >= 0; i--) damaged[random.below(damaged.length)] = random.below(256);
  return damaged;
}

test('numbers far out of turn are damage, not allocations', () => {
  const records: ((writer: ByteWriter) => void)[] = [
    (writer) => {
      writer.byte(CHANGE.createNode);
      writer.varint(4_000_000_000);
      for (const zero of [0, 0, 0]) writer.byte(zero);
    },
    (writer) => {
      writer.byte(CHANGE.defineLabel);
      writer.varint(4_000_000_000);
      writer.utf8('A');
    },
    (writer) => {
      writer.byte(CHANGE.deleteNode);
      writer.varint(4_000_000_000);
    },
    (writer) => {
      writer.byte(CHANGE.createIndex);
      writer.utf8('{"name": 1}');
    },
  ];
  for (const record of records) {
    const writer = new ByteWriter();
    writer.byte(1);
    record(writer);
    assert.throws(() => createGraphStore().applyChanges({ sequence: 1, changes: writer.toBytes() }), { code: 'CORRUPTION' });
  }
});

test('names are defined by the first commit that is not rolled back', () => {
  const store = createGraphStore();
  const lost = store.begin();
  createNode(lost, ['Lost', 'Kept'], { lost: 1, kept: 1 });
  lost.rollback();
  const tx = store.begin();
  createNode(tx, ['Kept'], { kept: 2 });
  const changes = tx.changes();
  store.publish(tx.commit());
  const replayed = createGraphStore();
  replayed.applyChanges({ sequence: 1, changes });
  const view = replayed.snapshot();
  assert.deepEqual([view.labels.find('Kept'), view.labels.find('Lost'), propertyOf(view, 0, 'kept')], [1, -1, 2]);
  write(replayed, (next) => createNode(next, ['Lost']));
  assert.deepEqual(replayed.snapshot().nodeLabels(1), [replayed.snapshot().labels.find('Lost')]);
});

test('what cannot be read again is refused before it is logged', () => {
  const store = createGraphStore();
  const refused: ((tx: GraphTransaction) => void)[] = [
    (tx) => createNode(tx, ['']),
    (tx) => createNode(tx, [], { '': 1 }),
    (tx) => createNode(tx, ['\ud800']),
    (tx) => tx.addLabels(createNode(tx, []), [tx.internLabel('')]),
    (tx) => createRelationship(tx, [createNode(tx, []), createNode(tx, [])], ''),
    (tx) => tx.createIndex({ name: 'i', entity: 'node', labelOrType: 'A', keys: [''], kind: 'range' }),
  ];
  for (const change of refused) assert.throws(() => write(store, change), { code: 'ARGUMENT_ERROR' });
  const key = store.data.keys.intern('twice');
  assert.throws(() => write(store, (tx) => tx.createNode([], [key, key], [1, 2], null)), /given twice/);
  assert.deepEqual([store.publishedSequence, store.snapshot().nodeCount], [0, 0]);
});

test('ordinals that were skipped for identifiers are no damage, however many', () => {
  const taken = 5000;
  const store = createGraphStore();
  const tx = store.begin();
  for (let i = 0; i < taken; i++) tx.createNode([], [], [], `n${taken + i}`);
  const base = tx.changes();
  store.publish(tx.commit());
  const next = store.begin();
  assert.equal(createNode(next, ['A']), 2 * taken);
  const changes = next.changes();
  const again = storeAfter(base);
  again.applyChanges({ sequence: 2, changes });
  assert.equal(again.snapshot().findNodeById(`n${2 * taken}`), 2 * taken);
});

test('after a million names of statements that were taken back, a commit with a new one can be read again', () => {
  const store = createGraphStore();
  const abandoned = store.begin();
  for (let i = 0; i <= 1 << 20; i++) abandoned.internKey(`k${i}`);
  abandoned.rollback();
  const tx = store.begin();
  const node = tx.createNode([], [tx.internKey('kept')], [1], null);
  const changes = tx.changes();
  store.publish(tx.commit());
  const again = createGraphStore();
  again.applyChanges({ sequence: 1, changes });
  assert.equal(propertyOf(again.snapshot(), node, 'kept'), 1);
});

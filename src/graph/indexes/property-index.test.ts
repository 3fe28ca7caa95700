/**
 * Look-ups before an index is filled: they answer what a filled one does, for every view and whatever is written
 * meanwhile, and the first ones make no entry.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '../../base/index.ts';
import { equals, type Value } from '../../value/index.ts';
import { createGraphStore, type GraphStore } from '../graph-store.ts';
import { RandomSource } from '../testing/random-source.ts';
import { createNode, lookupAt, propertyOf, write } from '../testing/small-graph.ts';
import type { GraphTransaction, GraphView, IndexDefinition } from '../view/view.ts';

const INDEX: IndexDefinition = { name: 'i', entity: 'node', labelOrType: 'A', keys: ['p'], kind: 'range' };

function entriesOf(store: GraphStore): number {
  return store.data.indexes[0]!.statistics(store.data.nodeTables).entries;
}

function find(view: GraphView, value: Value): number[] {
  return [...lookupAt(view, 0, 'equality').findValue(value)];
}

test('the first look-ups make no entry, later ones a part of them, and in the end all are made', () => {
  const store = createGraphStore();
  const count = 20_000;
  write(store, (tx) => {
    tx.createIndex(INDEX);
    for (let i = 0; i < count; i++) createNode(tx, ['A'], { p: i });
  });
  const view = store.snapshot();
  assert.deepEqual([find(view, 7), find(view, count - 1), find(view, count)], [[7], [count - 1], []]);
  assert.equal(entriesOf(store), 0);
  const entries: number[] = [];
  for (let i = 0; i < 30; i++) {
    assert.deepEqual(find(view, i * 600), [i * 600]);
    entries.push(entriesOf(store));
  }
  assert.ok(entries[5]! > 0 && entries[5]! < count, 'a part');
  assert.equal(entries.at(-1), count);
});

test('a write enters all rows at once: who writes goes on writing, and each look at all rows would be as long as the first', () => {
  const store = createGraphStore();
  write(store, (tx) => finish(tx.createConstraint({ name: 'u', entity: 'node', labelOrType: 'A', keys: ['p'], kind: 'unique' })));
  write(store, (tx) => finish(tx.createConstraint({ name: 'v', entity: 'node', labelOrType: 'B', keys: ['p'], kind: 'unique' })));
  // As after opening: nobody has looked anything up yet.
  const transaction = store.begin();
  for (let i = 0; i < 500; i++) createNode(transaction, ['A'], { p: `text ${i}` });
  store.publish(transaction.commit());
  assert.equal(entriesOf(store), 0);
  write(store, (tx) => createNode(tx, ['B'], { p: 'text 77' }));
  assert.equal(entriesOf(store), 0, 'of a label that has no new nodes');
  assert.throws(() => write(store, (tx) => createNode(tx, ['A'], { p: 'text 77' })), { code: 'CONSTRAINT_VIOLATION' });
  assert.equal(entriesOf(store), 501, 'and that of the node which was taken back');
  write(store, (tx) => createNode(tx, ['A'], { p: 'text 500' }));
});

const VALUES: readonly ((n: number) => Value)[] = [
  (n) => n,
  (n) => n * 2 ** 33,
  (n) => `text ${n}`,
  (n) => (n % 2 === 0 ? n : `${n}`),
  (n) => n / 2,
];

for (const [kind, valueOf] of VALUES.entries()) {
  test(`random writes between look-ups, values of kind ${kind}`, () => {
    const random = new RandomSource(kind + 1);
    const store = createGraphStore();
    write(store, (tx) => {
      tx.createIndex(INDEX);
      for (let i = 0; i < 3_000; i++)
        createNode(tx, [random.pick(['A', 'B'])], random.chance(0.9) ? { p: valueOf(random.below(900)) } : {});
    });
    const held: GraphView[] = [store.snapshot()];
    for (let step = 0; step < 60; step++) {
      const transaction = store.begin();
      for (let i = random.below(150); i > 0; i--) change(transaction, random, valueOf);
      transaction.refresh();
      if (random.chance(0.5)) agree(transaction.view, valueOf(random.below(900)));
      if (random.chance(0.3)) transaction.rollback();
      else store.publish(transaction.commit());
      held.push(store.snapshot());
      agree(random.pick(held), valueOf(random.below(900)));
      if (held.length > 4) held.splice(random.below(4), 1);
    }
  });
}

function change(transaction: GraphTransaction, random: RandomSource, valueOf: (n: number) => Value): void {
  const key = transaction.internKey('p');
  const node = random.below(transaction.view.nodeLimit);
  const exists = transaction.view.nodeExists(node);
  const roll = random.next();
  if (roll < 0.5) createNode(transaction, [random.pick(['A', 'B'])], { p: valueOf(random.below(900)) });
  else if (!exists) return;
  else if (roll < 0.8) transaction.setNodeProperty(node, key, random.chance(0.9) ? valueOf(random.below(900)) : null);
  else if (roll < 0.9) transaction.addLabels(node, [transaction.internLabel('A')]);
  else transaction.deleteNode(node);
}

function agree(view: GraphView, value: Value): void {
  const label = view.labels.find('A');
  const expected: number[] = [];
  for (let node = 0; node < view.nodeLimit; node++) {
    if (view.nodeExists(node) && view.nodeLabels(node).includes(label) && equals(propertyOf(view, node, 'p'), value) === true)
      expected.push(node);
  }
  assert.deepEqual(find(view, value), expected);
}

/** A replica shows what the snapshot shows, however the two threads come by each other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGraphStore } from '../graph-store.ts';
import { assertViewIs } from '../testing/compare.ts';
import { ModelGraph } from '../testing/model-graph.ts';
import { RandomIndexes } from '../testing/random-indexes.ts';
import { RandomSource } from '../testing/random-source.ts';
import { RandomWriter } from '../testing/random-writer.ts';
import { createNode, write } from '../testing/small-graph.ts';
import type { GraphTransaction } from '../view/view.ts';

import { GraphReplica } from './graph-replica.ts';
import { GraphSharer } from './graph-sharer.ts';

for (let seed = 1; seed <= 4; seed++) {
  test(`a replica follows random transactions (seed ${seed})`, () => {
    const random = new RandomSource(seed);
    const writer = new RandomWriter(random);
    const store = createGraphStore();
    const indexes = new RandomIndexes(store, random);
    const models = [new ModelGraph()];
    const [sharer, replica] = [new GraphSharer(), new GraphReplica()];
    let view = replica.follow(structuredClone(sharer.share(store.snapshot())!));
    for (let i = 0; i < 24; i++) {
      const transaction = store.begin();
      const model = models[store.committedSequence]!.copy();
      if (random.chance(0.15)) writer.changeSchema(transaction);
      for (let j = random.below(20); j >= 0; j--) writer.write(transaction, model);
      if (random.chance(0.8)) indexes.step();
      for (let j = random.below(5); j > 0; j--) writer.write(transaction, model);
      if (i === 12 && seed % 2 === 0) for (let j = 0; j < 1500; j++) writer.createRelationship(transaction, model);
      // While a transaction is open, before and after what is in memory anew.
      if (random.chance(0.2)) assertViewIs(view, models[view.sequence]!);
      if (random.chance(0.2)) transaction.rollback();
      else if (transaction.hasChanges) models[transaction.commit()] = model;
      else transaction.commit();
      if (random.chance(0.1)) store.rollbackTo(store.publishedSequence);
      if (random.chance(0.8)) indexes.step();
      if (random.chance(0.6)) store.publish(store.committedSequence);
      if (random.chance(0.1)) store.dropDeadRows(() => random.chance(0.7));
      if (random.chance(0.4)) {
        const shared = sharer.share(store.snapshot());
        if (shared !== null) view = replica.follow(structuredClone(shared));
      }
      if (random.chance(0.2)) assertViewIs(view, models[view.sequence]!);
    }
    store.publish(store.committedSequence);
    const shared = sharer.share(store.snapshot());
    if (shared !== null) view = replica.follow(structuredClone(shared));
    assertViewIs(view, models[store.publishedSequence]!);
  });
}

test('what a reader was given and needs no more is counted', () => {
  const store = createGraphStore();
  const sharer = new GraphSharer();
  const abandoned = (change: (transaction: GraphTransaction) => void): number => {
    write(store, change);
    return sharer.share(store.snapshot())!.abandonedBytes;
  };
  const create = (label: string, nodes: number) =>
    abandoned((transaction) => {
      for (let p = 0; p < nodes; p++) createNode(transaction, [label], { p });
    });
  assert.equal(create('A', 4096), 0);
  const given = sharer.givenBytes;
  assert.ok(given > 4096 * 2);
  assert.ok(create('B', 1) < given, 'the table of A is still needed');
  const rewritten = abandoned((transaction) => {
    for (let node = 0; node < 4096; node++) transaction.setNodeProperty(node, transaction.internKey('p'), node + 1);
  });
  assert.ok(rewritten >= 4096 * 2, `${rewritten} bytes`);
});

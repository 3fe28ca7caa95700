/** Which node tables the ends of relationships stand in: what a view is told holds for that view, whoever looked first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGraphStore, type GraphStore } from '../graph-store.ts';
import { GraphReplica } from '../replica/graph-replica.ts';
import { GraphSharer } from '../replica/graph-sharer.ts';
import { createNode, createRelationship, write } from '../testing/small-graph.ts';
import type { GraphView } from '../view/view.ts';

/** (:A)-[:R]->(:A). @returns the target */
function twoNodes(store: GraphStore): number {
  return write(store, (transaction) => {
    const [source, target] = [createNode(transaction, ['A']), createNode(transaction, ['A'])];
    createRelationship(transaction, [source, target], 'R');
    return target;
  });
}

function turnIntoB(store: GraphStore, node: number): void {
  write(store, (transaction) => {
    transaction.addLabels(node, [transaction.internLabel('B')]);
    transaction.removeLabels(node, [transaction.internLabel('A')]);
  });
}

function labelsOfTargets(view: GraphView): string[] {
  const tables = view.endpointTables(view.types.find('R'), 'target') ?? [];
  return tables.map((index) => view.nodeTables[index]!.labels.map((label) => view.labels.name(label)).join('&')).sort();
}

test('a reader in another thread learns that a node has moved, though its relationships are as before', () => {
  const store = createGraphStore();
  const target = twoNodes(store);
  assert.deepEqual(labelsOfTargets(store.snapshot()), ['A']);
  const [sharer, replica] = [new GraphSharer(), new GraphReplica()];
  const share = (): GraphView => replica.follow(structuredClone(sharer.share(store.snapshot())!));
  assert.deepEqual(labelsOfTargets(share()), ['A']);
  turnIntoB(store, target);
  assert.ok(labelsOfTargets(store.snapshot()).includes('B'));
  assert.ok(labelsOfTargets(share()).includes('B'));
});

test('a view with a directory that has been written anew is told nothing, and tells nothing', () => {
  const store = createGraphStore();
  const target = twoNodes(store);
  const before = store.snapshot();
  turnIntoB(store, target);
  store.dropDeadRows((table) => 'labels' in table);
  assert.equal(before.endpointTables(before.types.find('R'), 'target'), null);
  assert.deepEqual(labelsOfTargets(store.snapshot()), ['B']);
  assert.equal(before.endpointTables(before.types.find('R'), 'target'), null);
});

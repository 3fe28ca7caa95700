/** The table of kinds, and which questions indexes answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGraphStore } from '../graph-store.ts';
import { createNode, createRelationship, lookupAt, write } from '../testing/small-graph.ts';
import type { IndexKindName, IndexQuestion } from '../view/index-view.ts';
import type { IndexDefinition } from '../view/view.ts';
import { INDEX_KIND_NAMES, indexKinds } from './index-kinds.ts';
import { PropertyIndex } from './property-index.ts';

function definitionOf(kind: IndexKindName, subject: Pick<IndexDefinition, 'name' | 'entity' | 'keys'>): IndexDefinition {
  if (kind === 'vector' || kind === 'fulltext') return { ...subject, labelsOrTypes: ['A'], kind, settings: {} };
  return { ...subject, labelOrType: subject.keys.length === 0 ? '' : 'A', kind };
}

const ENTITIES = ['node', 'relationship'] as const;

test('every kind but lookup is in the view when it is declared, and is online from the beginning', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    createRelationship(tx, [createNode(tx, ['A'], { p: 1 }), createNode(tx, ['A'], { p: 2 })], 'A', { p: 1 });
    for (const kind of INDEX_KIND_NAMES) {
      const keys = indexKinds[kind].keys === 'none' ? [] : ['p'];
      for (const entity of ENTITIES) tx.createIndex(definitionOf(kind, { name: `${kind} ${entity}`, entity, keys }));
    }
  });
  const view = store.snapshot();
  assert.deepEqual(
    view.indexes.map(({ subject: { kind, entity } }) => `${kind} ${entity}`),
    (['range', 'text', 'point', 'vector', 'fulltext'] as const).flatMap((kind: IndexKindName) =>
      ENTITIES.map((entity) => `${kind} ${entity}`),
    ),
  );
  for (const [at, { state }] of view.indexes.entries()) {
    assert.deepEqual(state, { state: 'ONLINE', populationPercent: 100 });
    if (view.indexes[at]!.answers.equality !== undefined) assert.deepEqual([...lookupAt(view, at, 'equality').find([1])], [0]);
  }
});

test('an index on several keys answers equality, one that nobody declared too, and one on a single key everything', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    for (let i = 0; i < 10; i++) createNode(tx, ['A'], { p: i, q: i, r: i });
    tx.createIndex({ name: 'one', entity: 'node', labelOrType: 'A', keys: ['p'], kind: 'range' });
    tx.createIndex({ name: 'two', entity: 'node', labelOrType: 'A', keys: ['p', 'q'], kind: 'range' });
  });
  const automatic = store.beginIndex('A', 'r', 1)!;
  assert.equal(automatic.fill(100), true);
  automatic.show();
  const { statistics, indexes } = store.snapshot();
  assert.deepEqual(
    indexes.map(({ answers }) => Object.keys(answers)),
    [['equality', 'range', 'prefix', 'area'], ['equality'], ['equality']],
  );
  const find = (keys: readonly string[], question: IndexQuestion) =>
    statistics.findIndex({ entity: 'node', labelOrType: 'A', keys, question });
  assert.deepEqual(find(['p'], 'equality'), { name: 'one', unique: false, automatic: false, isExact: true });
  assert.deepEqual(find(['p'], 'range'), { name: 'one', unique: false, automatic: false, isExact: false });
  assert.equal(find(['r'], 'equality')?.automatic, true);
  assert.deepEqual([find(['r'], 'range'), find(['p', 'q'], 'range'), find(['q', 'p'], 'equality')], [null, null, null]);
});

test('an index over several labels has the nodes of each, once', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    for (const labels of [['A'], ['B'], ['A', 'B'], ['C']]) createNode(tx, labels, { p: 'text' });
  });
  const { data } = store;
  const labelsOrTypes = ['A', 'B'].map((label) => data.labels.find(label));
  const keys = [data.keys.find('p')];
  data.indexes = [
    new PropertyIndex({
      name: 'several',
      kind: 'range',
      entity: 'node',
      labelsOrTypes,
      keys,
      unique: false,
      automatic: false,
      settings: {},
    }),
  ];
  const transaction = store.begin();
  assert.deepEqual([...lookupAt(transaction.view, 0, 'equality').findValue('text')], [0, 1, 2]);
  assert.deepEqual([...lookupAt(transaction.view, 0, 'prefix').startingWith('te')], [0, 1, 2]);
  transaction.rollback();
});

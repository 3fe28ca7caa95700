/** Single situations of the store in memory; many at once: graph-store.property.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '../base/index.ts';
import { CypherFloat, equals, type Value } from '../value/index.ts';
import { createGraphStore } from './graph-store.ts';
import { assertViewIs } from './testing/compare.ts';
import { ModelGraph } from './testing/model-graph.ts';
import { RandomSource } from './testing/random-source.ts';
import { RandomWriter } from './testing/random-writer.ts';
import { createNode, createRelationship, lookupAt, propertyOf, write } from './testing/small-graph.ts';
import type { ColumnKind, ConstraintDefinition, GraphView, IndexDefinition } from './view/view.ts';

function columnKind(view: GraphView, key: string): ColumnKind | undefined {
  return view.nodeTables[0]?.column(view.keys.find(key))?.kind;
}

test('a column takes the narrowest form that holds its values', () => {
  const cases: [Value[], ColumnKind][] = [
    [[1, -2147483648], 'int32'],
    [[1, 2147483648], 'integer'],
    [[1, 2 ** 40, 2n ** 62n], 'int64'],
    [[2n ** 62n, 7], 'int64'],
    [[0.5, new CypherFloat(1)], 'float'],
    [[true, false], 'boolean'],
    [['a', 'b'], 'dictionary'],
    [[1, 0.5], 'any'],
    [[1, 'a'], 'any'],
    [['a', true, [1, 'x']], 'any'],
  ];
  for (const [values, kind] of cases) {
    const store = createGraphStore();
    write(store, (tx) => values.forEach((value) => createNode(tx, ['A'], { p: value })));
    const view = store.snapshot();
    assert.equal(columnKind(view, 'p'), kind, String(values));
    assert.deepEqual(
      values.map((_, node) => propertyOf(view, node, 'p')),
      values,
    );
  }
});

test('a rollback gives a widened column its form back', () => {
  const store = createGraphStore();
  write(store, (tx) => createNode(tx, ['A'], { p: 1 }));
  const tx = store.begin();
  createNode(tx, ['A'], { p: 'text' });
  tx.refresh();
  assert.equal(columnKind(tx.view, 'p'), 'any');
  tx.rollback();
  write(store, (again) => createNode(again, ['A'], { p: 2 }));
  assert.equal(columnKind(store.snapshot(), 'p'), 'int32');
});

test('a long text leaves the dictionary of a small table', () => {
  const store = createGraphStore();
  const texts = ['a', 'b', 'long '.repeat(1_000), 'b'];
  write(store, (tx) => texts.forEach((p) => createNode(tx, ['A'], { p })));
  const view = store.snapshot();
  assert.equal(columnKind(view, 'p'), 'string');
  assert.deepEqual(
    texts.map((_, node) => propertyOf(view, node, 'p')),
    texts,
  );
});

test('strings of a transaction that is rolled back take no memory', () => {
  const store = createGraphStore();
  write(store, (tx) => createNode(tx, ['A'], { p: 'kept' }));
  const before = store.data.dictionaryBytes;
  for (let i = 0; i < 10; i++) {
    const tx = store.begin();
    for (let j = 0; j < 1_000; j++) createNode(tx, ['A', 'B'], { p: `${i} ${j} ${'text '.repeat(800)}` });
    tx.rollback();
  }
  assert.ok(store.data.dictionaryBytes < before + 200_000, `${store.data.dictionaryBytes} bytes, ${before} before`);
  write(store, (tx) => createNode(tx, ['A'], { p: 'later' }));
  assert.equal(propertyOf(store.snapshot(), 0, 'p'), 'kept');
  assert.equal(propertyOf(store.snapshot(), 1, 'p'), 'later');
});

test('strings leave the dictionary when most of them are distinct', () => {
  const store = createGraphStore();
  const count = 1 << 16;
  write(store, (tx) => {
    for (let i = 0; i < count + 10; i++) createNode(tx, ['A'], { distinct: `string ${i}`, repeated: `string ${i % 100}` });
  });
  const view = store.snapshot();
  assert.equal(columnKind(view, 'distinct'), 'string');
  assert.equal(columnKind(view, 'repeated'), 'dictionary');
  for (const node of [0, 1, count - 1, count + 9]) assert.equal(propertyOf(view, node, 'distinct'), `string ${node}`);
});

test('a column without gaps has no bitmap, and the first gap is a change of form', () => {
  const store = createGraphStore();
  write(store, (tx) => createNode(tx, ['A'], { p: 1 }));
  const before = store.snapshot();
  assert.equal(before.nodeTables[0]?.column(0)?.valid, null);
  write(store, (tx) => createNode(tx, ['A'], { p: 2 }));
  assert.equal(store.snapshot().shapeVersion, before.shapeVersion);
  write(store, (tx) => createNode(tx, ['A']));
  const after = store.snapshot();
  assert.notEqual(after.nodeTables[0]?.column(0)?.valid, null);
  assert.ok(after.shapeVersion > before.shapeVersion);
  assert.equal(before.nodeTables[0]?.column(0)?.valid, null);
});

test('ordinals are dense until a node is changed', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    for (let i = 0; i < 5; i++) createNode(tx, ['A'], { p: i });
  });
  assert.equal(store.snapshot().nodeTables[0]?.ordinalBase, 0);
  const before = store.snapshot();
  write(store, (tx) => tx.setNodeProperty(2, tx.internKey('p'), 20));
  const [table] = store.snapshot().nodeTables;
  assert.equal(table?.ordinalBase, -1);
  assert.deepEqual([...table!.ordinals.subarray(0, table!.rowCount)], [0, 1, 2, 3, 4, 2]);
  assert.deepEqual([before.nodeTables[0]?.ordinalBase, before.nodeTables[0]?.rowCount], [0, 5]);
});

test('setting what is there already changes nothing', () => {
  const store = createGraphStore();
  write(store, (tx) => createNode(tx, ['A'], { p: 'same' }));
  const tx = store.begin();
  assert.equal(tx.setNodeProperty(0, tx.internKey('p'), 'same'), true);
  assert.equal(tx.setNodeProperty(0, tx.internKey('q'), null), false);
  assert.equal(tx.hasChanges, false);
  assert.equal(tx.commit(), 1);
  assert.equal(store.committedSequence, 1);
});

test('columns that a transaction adds, and those that its view looks at again, are told to who measures them', () => {
  const store = createGraphStore();
  write(store, (tx) => createNode(tx, ['A'], Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`p${i}`, i]))));
  const tx = store.begin();
  let bytes = 0;
  const looked: number[] = [];
  tx.measureColumns({ added: (more) => (bytes += more), lookedAt: (columns) => looked.push(columns) });
  tx.view;
  tx.setNodeProperty(0, tx.internKey('p0'), 1);
  tx.refresh();
  assert.deepEqual([bytes, looked], [0, [40]], 'the row is written anew');
  tx.setNodeProperty(0, tx.internKey('p0'), 2);
  tx.setNodeProperty(0, tx.internKey('p1'), 'text');
  tx.setNodeProperty(0, tx.internKey('p2'), null);
  tx.refresh();
  assert.deepEqual([bytes, looked], [0, [40, 3]], 'only what was written is looked at');
  assert.deepEqual(
    ['p0', 'p1', 'p2', 'p3'].map((key) => propertyOf(tx.view, 0, key)),
    [2, 'text', null, 3],
  );
  tx.setNodeProperty(0, tx.internKey('fresh'), 1);
  assert.ok(bytes > 0);
  tx.refresh();
  tx.refresh();
  assert.deepEqual(looked, [40, 3, 1]);
  tx.rollback();
});

test('M1: what was changed and deleted stays as it was for older snapshots', () => {
  const store = createGraphStore();
  const row = write(store, (tx) => {
    createNode(tx, ['A'], { p: 1 });
    createNode(tx, ['A'], { p: 2 });
    return createRelationship(tx, [0, 1], 'R', { w: 1 });
  });
  const old = store.snapshot();
  write(store, (tx) => {
    tx.setRelationshipProperty(0, row, tx.internKey('w'), 2);
    tx.setNodeProperty(0, tx.internKey('p'), 10);
  });
  const middle = store.snapshot();
  write(store, (tx) => {
    tx.deleteRelationship(0, row);
    tx.deleteNode(0);
  });
  const w = old.keys.find('w');
  assert.deepEqual([old.relationshipProperty(0, row, w), middle.relationshipProperty(0, row, w)], [1, 2]);
  assert.deepEqual(
    [old, middle, store.snapshot()].map((view) => propertyOf(view, 0, 'p')),
    [1, 10, null],
  );
  assert.deepEqual(
    [old, middle, store.snapshot()].map((view) => view.relationshipExists(0, row)),
    [true, true, false],
  );
  assert.deepEqual(
    [old, middle, store.snapshot()].map((view) => view.degree(1, 'both', -1)),
    [1, 1, 0],
  );
});

test('commits are seen when they are published, and can be taken back before', () => {
  const store = createGraphStore();
  const first = store.begin();
  createNode(first, ['A'], { p: 1 });
  assert.equal(first.commit(), 1);
  const second = store.begin();
  second.setNodeProperty(0, second.internKey('p'), 2);
  createNode(second, ['B']);
  assert.equal(second.commit(), 2);
  assert.equal(store.snapshot().nodeCount, 0);
  store.publish(1);
  assert.deepEqual([store.snapshot().nodeCount, propertyOf(store.snapshot(), 0, 'p')], [1, 1]);
  store.rollbackTo(1);
  assert.equal(
    write(store, (tx) => createNode(tx, ['C'])),
    1,
  );
  assert.deepEqual([store.snapshot().nodeCount, propertyOf(store.snapshot(), 0, 'p'), store.publishedSequence], [2, 1, 2]);
});

test('an index whose dropping is taken back knows nothing of rows that were taken back with it', () => {
  const store = createGraphStore();
  write(store, (tx) => tx.createIndex(INDEX));
  const node = write(store, (tx) => createNode(tx, ['B'], { p: 3 }));
  write(store, (tx) => createNode(tx, ['A'], { p: 1 }));
  const before = store.snapshot();
  const dropping = store.begin();
  dropping.dropIndex(INDEX.name);
  dropping.commit();
  const creating = store.begin();
  createNode(creating, ['A'], { p: 2 });
  creating.commit();
  assert.deepEqual([...lookupAt(before, 0, 'equality').find([2])], []);
  store.rollbackTo(store.publishedSequence);
  write(store, (tx) => {
    tx.removeLabels(node, [tx.internLabel('B')]);
    tx.addLabels(node, [tx.internLabel('A')]);
  });
  assert.deepEqual([...lookupAt(store.snapshot(), 0, 'equality').find([3])], [node]);
});

test('there are 65,535 combinations of labels; one more is refused, and nothing of it stays', () => {
  const store = createGraphStore();
  for (let label = 1; label <= 65535; label++) store.data.addNodeTable([label, 100_000]);
  assert.throws(() => write(store, (tx) => createNode(tx, ['A'])), { code: 'UNSUPPORTED' });
  assert.deepEqual([store.data.nodeTables.length, store.data.nodeCount, store.data.directory.limit], [65535, 0, 0]);
});

test('identifiers: set ones are unique, computed ones are kept free', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    assert.equal(createNode(tx, [], {}, 'first'), 0);
    assert.equal(createNode(tx, [], {}, 'n3'), 1);
    assert.equal(createNode(tx, []), 2);
    assert.equal(createNode(tx, []), 4, 'ordinal 3 is skipped: its identifier is taken');
    assert.throws(() => createNode(tx, [], {}, 'first'), { code: 'CONSTRAINT_VIOLATION' });
    assert.throws(() => createNode(tx, [], {}, 'n2'), { code: 'CONSTRAINT_VIOLATION' });
    tx.deleteNode(0);
    assert.equal(createNode(tx, [], {}, 'first'), 5, 'free again');
  });
  const view = store.snapshot();
  assert.deepEqual(
    ['first', 'n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'r0', 'n04', 'x'].map((id) => view.findNodeById(id)),
    [5, -1, -1, 2, 1, 4, -1, -1, -1, -1],
  );
  assert.deepEqual(
    [1, 2, 4, 5].map((node) => view.nodeId(node)),
    ['n3', 'n2', 'n4', 'first'],
  );
});

const INDEX: IndexDefinition = { name: 'i', entity: 'node', labelOrType: 'A', keys: ['p'], kind: 'range' };

test('an index finds values in columns of every form, and only equal ones', () => {
  const columns: Value[][] = [
    [1, 2, -2147483648, 2],
    [1, 2 ** 53 - 1, -(2 ** 40)],
    [2n ** 63n - 1n, -(2n ** 63n), 7],
    [0.5, new CypherFloat(-0), new CypherFloat(2), Number.POSITIVE_INFINITY],
    [true, false, true],
    ['', 'a', 'ä', '😀', 'a'],
    ['', '😀'.repeat(400), 'x'.repeat(4000), `${'x'.repeat(3999)}y`],
    [1, '1', true, 0.5, 'a'],
  ];
  for (const values of columns) {
    const store = createGraphStore();
    write(store, (tx) => {
      tx.createIndex(INDEX);
      for (const value of values) createNode(tx, ['A'], { p: value });
      createNode(tx, ['B'], { p: values[0]! });
    });
    const index = lookupAt(store.snapshot(), 0, 'equality');
    for (const [node, value] of values.entries()) {
      const equal = values.flatMap((other, at) => (equals(other, value) === true ? [at] : []));
      assert.ok(equal.includes(node));
      assert.deepEqual(index.findValue(value), equal, `${String(value).slice(0, 20)} of ${String(values).slice(0, 60)}`);
    }
    for (const absent of [null, Number.NaN, 3, 'b', '\u{1f601}', 2n ** 62n]) assert.deepEqual(index.findValue(absent), [], String(absent));
  }
});

test('an index follows changes within a transaction', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    tx.createIndex(INDEX);
    createNode(tx, ['A'], { p: 1 });
    tx.refresh();
    const index = lookupAt(tx.view, 0, 'equality');
    const sorted = lookupAt(tx.view, 0, 'range');
    assert.deepEqual([...index.find([1])], [0]);
    assert.deepEqual([...sorted.range(null, false, 5, false)], [0]);
    tx.setNodeProperty(0, tx.internKey('p'), 2);
    assert.deepEqual([[...index.find([1])], [...index.find([2])], [...sorted.range(1, false, null, false)]], [[], [0], [0]]);
    assert.deepEqual([...index.find([new CypherFloat(2)])], [0], 'an Integer equals a Float');
  });
});

test('a rolled-back transaction leaves an index without its changes', () => {
  const store = createGraphStore();
  write(store, (tx) => tx.createIndex(INDEX));
  const tx = store.begin();
  createNode(tx, ['A'], { p: 1 });
  tx.refresh();
  assert.deepEqual([...lookupAt(tx.view, 0, 'equality').find([1])], [0]);
  tx.rollback();
  write(store, (again) => createNode(again, ['A'], { p: 2 }));
  const index = lookupAt(store.snapshot(), 0, 'equality');
  assert.deepEqual([[...index.find([1])], [...index.find([2])]], [[], [0]]);
});

test('an index is listed by views since its creation, and its name is taken', () => {
  const store = createGraphStore();
  write(store, (tx) => createNode(tx, ['A'], { p: 1 }));
  const before = store.snapshot();
  write(store, (tx) => {
    assert.equal(tx.createIndex(INDEX), true);
    assert.equal(tx.createIndex({ ...INDEX, keys: ['q'] }), false);
    assert.equal(tx.createIndex({ ...INDEX, name: 'other' }), false);
  });
  assert.deepEqual([before.indexes.length, store.snapshot().indexes.length, store.snapshot().schema.indexes.length], [0, 1, 1]);
  assert.deepEqual([...lookupAt(store.snapshot(), 0, 'equality').find([1])], [0]);
  assert.deepEqual(store.snapshot().statistics.findIndex({ entity: 'node', labelOrType: 'A', keys: ['p'], question: 'equality' }), {
    name: 'i',
    unique: false,
    automatic: false,
    isExact: true,
  });
  write(store, (tx) => assert.equal(tx.dropIndex('i'), true));
  assert.deepEqual(store.snapshot().indexes, []);
});

function constraint(
  kind: 'unique' | 'exists' | 'key',
  keys: string[],
  entity: ConstraintDefinition['entity'] = 'node',
): ConstraintDefinition {
  return { name: `${kind} ${keys}`, entity, labelOrType: entity === 'node' ? 'A' : 'R', keys, kind };
}

const VIOLATION = { code: 'CONSTRAINT_VIOLATION' };

test('uniqueness is checked at the end of a transaction, over its changes', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    finish(tx.createConstraint(constraint('unique', ['p', 'q'])));
    createNode(tx, ['A'], { p: 1, q: 'a' });
    createNode(tx, ['A'], { p: 1, q: 'b' });
    createNode(tx, ['A'], { p: 1 });
    createNode(tx, ['A'], { p: 1 });
    createNode(tx, ['B'], { p: 1, q: 'a' });
  });
  assert.throws(() => write(store, (tx) => createNode(tx, ['A'], { p: 1, q: 'a' })), VIOLATION);
  assert.throws(() => write(store, (tx) => tx.setNodeProperty(1, tx.internKey('q'), 'a')), VIOLATION);
  assert.throws(() => write(store, (tx) => tx.addLabels(4, [tx.internLabel('A')])), VIOLATION);
  write(store, (tx) => {
    tx.setNodeProperty(0, tx.internKey('q'), 'b');
    tx.setNodeProperty(1, tx.internKey('q'), 'a');
  });
  write(store, (tx) => {
    tx.deleteNode(0);
    createNode(tx, ['A'], { p: 1, q: 'b' });
  });
});

test('existence and keys are checked, for nodes and relationships', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    finish(tx.createConstraint(constraint('exists', ['p'])));
    finish(tx.createConstraint(constraint('key', ['q'])));
    finish(tx.createConstraint(constraint('exists', ['w'], 'relationship')));
    createNode(tx, ['A'], { p: 1, q: 1 });
    createRelationship(tx, [0, 0], 'R', { w: 1 });
  });
  assert.throws(() => write(store, (tx) => createNode(tx, ['A'], { q: 2 })), VIOLATION);
  assert.throws(() => write(store, (tx) => createNode(tx, ['A'], { p: 2 })), VIOLATION);
  assert.throws(() => write(store, (tx) => createNode(tx, ['A'], { p: 2, q: 1 })), VIOLATION);
  assert.throws(() => write(store, (tx) => tx.setNodeProperty(0, tx.internKey('p'), null)), VIOLATION);
  assert.throws(() => write(store, (tx) => createRelationship(tx, [0, 0], 'R')), VIOLATION);
  assert.throws(() => write(store, (tx) => tx.setRelationshipProperty(0, 0, tx.internKey('w'), null)), VIOLATION);
  assert.equal(store.publishedSequence, 1);
});

test('relationships are unique by their properties, and have properties of a type', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    finish(tx.createConstraint(constraint('unique', ['w'], 'relationship')));
    finish(
      tx.createConstraint({
        ...{ name: 'type', entity: 'relationship', labelOrType: 'R', keys: ['t'], kind: 'type' },
        propertyType: { name: 'INTEGER', notNull: false, element: null, alternatives: null },
      }),
    );
    createNode(tx, ['A']);
    createRelationship(tx, [0, 0], 'R', { w: 1, t: 1 });
    createRelationship(tx, [0, 0], 'R', { w: 2 });
    createRelationship(tx, [0, 0], 'R');
    createRelationship(tx, [0, 0], 'R');
    createRelationship(tx, [0, 0], 'S', { w: 1, t: 'a' });
  });
  assert.throws(() => write(store, (tx) => createRelationship(tx, [0, 0], 'R', { w: 1 })), VIOLATION);
  assert.throws(() => write(store, (tx) => tx.setRelationshipProperty(0, 1, tx.internKey('w'), 1)), VIOLATION);
  assert.throws(() => write(store, (tx) => tx.setRelationshipProperty(0, 1, tx.internKey('t'), 'a')), VIOLATION);
  write(store, (tx) => {
    tx.setRelationshipProperty(0, 0, tx.internKey('w'), 2);
    tx.setRelationshipProperty(0, 1, tx.internKey('w'), 1);
  });
  write(store, (tx) => tx.deleteRelationship(0, 0));
  write(store, (tx) => createRelationship(tx, [0, 0], 'R', { w: 2, t: 7 }));
});

test('a constraint that the graph does not satisfy is not created', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    createNode(tx, ['A'], { p: 1 });
    createNode(tx, ['A'], { p: 1 });
  });
  assert.throws(() => write(store, (tx) => finish(tx.createConstraint(constraint('unique', ['p'])))), VIOLATION);
  assert.throws(() => write(store, (tx) => finish(tx.createConstraint(constraint('exists', ['q'])))), VIOLATION);
  assert.deepEqual([store.snapshot().schema.constraints, store.snapshot().indexes], [[], []]);
});

test('a value that cannot be stored is refused before anything is written', () => {
  const store = createGraphStore();
  const tx = store.begin();
  assert.throws(() => createNode(tx, ['A'], { ok: 1, p: new Map() }), { code: 'TYPE_ERROR' });
  assert.throws(() => createNode(tx, ['A'], { p: 'half \ud800' }), { code: 'ARGUMENT_ERROR' });
  assert.equal(tx.hasChanges, false);
  tx.refresh();
  assert.equal(tx.view.nodeCount, 0);
});

test('dead rows that cannot be dropped for waiting commits are overdue', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    for (let i = 0; i < 600; i++) createNode(tx, ['A'], { p: 0 });
  });
  for (let round = 1; round <= 4; round++) {
    const tx = store.begin();
    for (let i = 0; i < 600; i++) tx.setNodeProperty(i, tx.internKey('p'), round);
    tx.commit();
    store.publish(store.committedSequence - 1);
  }
  assert.equal(store.isOverdue, true);
  store.publish(store.committedSequence);
  assert.deepEqual([store.isOverdue, store.snapshot().nodeTables[0]!.rowCount], [false, 600]);
});

test('large tables that are mostly dead are written anew in steps, which a transaction makes begin again', () => {
  const store = createGraphStore();
  const count = 50_000;
  write(store, (tx) => {
    for (let i = 0; i < count; i++) createNode(tx, ['A'], { p: i });
  });
  write(store, (tx) => {
    for (let i = 0; i < count; i++) if (i % 10 !== 0) tx.deleteNode(i);
  });
  const before = store.snapshot();
  assert.deepEqual([store.canDropDeadRows, before.nodeTables[0]!.rowCount], [true, count]);
  assert.equal(store.dropSomeDeadRows(), false);
  write(store, (tx) => {
    tx.setNodeProperty(0, tx.internKey('p'), -1);
  });
  let steps = 1;
  while (!store.dropSomeDeadRows()) steps++;
  assert.ok(steps > 4, `${steps} steps`);
  const { nodeTables } = store.snapshot();
  assert.deepEqual([store.canDropDeadRows, nodeTables[0]!.rowCount], [false, count / 10]);
  const key = store.snapshot().keys.find('p');
  assert.deepEqual([store.snapshot().nodeProperty(0, key), before.nodeProperty(0, key), before.nodeProperty(10, key)], [-1, 0, 10]);
});

test('a long log becomes a CSR with sorted lists, off the transaction that wrote it', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    for (let i = 0; i < 100; i++) createNode(tx, ['A']);
    for (let i = 0; i < 3000; i++) createRelationship(tx, [i % 100, (i * 37) % 100], 'R');
  });
  const { outgoing, incoming } = store.snapshot().relationshipTables[0]!;
  assert.deepEqual([outgoing.hasLog, incoming.hasLog, outgoing.neighbours.length, incoming.neighbours.length], [false, false, 3000, 3000]);
  const before = store.snapshot();
  write(store, (tx) => createRelationship(tx, [5, 6], 'R'));
  const view = store.snapshot();
  assert.deepEqual([view.relationshipTables[0]!.outgoing.hasLog, before.relationshipTables[0]!.outgoing.hasLog], [true, false]);
  assert.ok(view.shapeVersion > before.shapeVersion);
  assert.deepEqual([view.degree(5, 'out', 0), before.degree(5, 'out', 0)], [31, 30]);
});

test('logs are merged into a CSR again and again, without what was deleted meanwhile', () => {
  const store = createGraphStore();
  const random = new RandomSource(1);
  const writer = new RandomWriter(random);
  const model = new ModelGraph();
  write(store, (tx) => {
    for (let i = 0; i < 50; i++) writer.createNode(tx, model);
  });
  for (let round = 0; round < 4; round++) {
    write(store, (tx) => {
      for (let i = 0; i < 2200; i++) writer.createRelationship(tx, model);
      for (const ordinal of [...model.relationships.keys()].filter(() => random.chance(0.1))) {
        tx.deleteRelationship(...(tx.view.findRelationshipById(`r${ordinal}`) as [number, number]));
        model.relationships.delete(ordinal);
      }
    });
    assertViewIs(store.snapshot(), model);
  }
});

test('few relationships over a wide range of nodes stay in the log', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    for (let i = 0; i < 200_000; i++) createNode(tx, ['A']);
    for (let i = 0; i < 2000; i++) createRelationship(tx, [i * 99, i * 99], 'R');
  });
  const { outgoing } = store.snapshot().relationshipTables[0]!;
  assert.deepEqual([outgoing.limit, outgoing.hasLog, outgoing.logHead(99)], [0, true, 1]);
});

test('statistics: exact counts, estimated shares and distinct values', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    for (let i = 0; i < 4000; i++) createNode(tx, i % 4 === 0 ? ['A', 'B'] : ['A'], { key: i, few: i % 10 });
    for (let i = 0; i < 4000; i++) createRelationship(tx, [i, (i + 1) % 4000], 'R');
    createRelationship(tx, [1, 2], 'S');
  });
  const { statistics } = store.snapshot();
  assert.deepEqual([statistics.nodesWithLabel('A'), statistics.nodesWithLabel('B'), statistics.nodesWithLabel('C')], [4000, 1000, 0]);
  assert.deepEqual(
    [statistics.relationshipsOfType('R'), statistics.relationships('R', 'A', 'A'), statistics.relationships(null, null, null)],
    [4000, 4000, 4001],
  );
  assert.deepEqual(
    [statistics.relationships('R', 'B', null), statistics.relationships('R', 'B', 'B'), statistics.relationships('X', null, null)],
    [1000, 0, 0],
  );
  const few = statistics.distinctValues('A', 'few') as number;
  assert.ok(few >= 10 && few <= 20, `${few} distinct values of few`);
  const keys = statistics.distinctValues('A', 'key') as number;
  assert.ok(keys >= 2500 && keys <= 4000, `${keys} distinct values of key`);
  assert.equal(statistics.distinctValues('A', 'none'), null);
});

test('dead rows are dropped when there are many, and old snapshots keep theirs', () => {
  const store = createGraphStore();
  write(store, (tx) => {
    for (let i = 0; i < 1000; i++) createNode(tx, ['A'], { p: 0 });
    for (let i = 0; i < 2000; i++) createRelationship(tx, [i % 1000, (i * 7) % 1000], 'R', { w: 0 });
  });
  const old = store.snapshot();
  for (let round = 1; round <= 2; round++) {
    write(store, (tx) => {
      for (let i = 0; i < 1000; i++) tx.setNodeProperty(i, tx.internKey('p'), round);
      for (let i = 0; i < 600; i++) tx.setRelationshipProperty(0, i, tx.internKey('w'), round);
    });
  }
  const view = store.snapshot();
  assert.deepEqual(
    [view.nodeTables[0]!.rowCount, view.nodeTables[0]!.ended, view.nodeVersioned, view.nodeTables[0]!.ordinalBase],
    [1000, null, null, 0],
  );
  assert.deepEqual([view.relationshipTables[0]!.rowCount, view.relationshipTables[0]!.outgoing.rows], [2000, null]);
  assert.deepEqual([propertyOf(view, 7, 'p'), propertyOf(old, 7, 'p')], [2, 0]);
  assert.deepEqual([view.degree(7, 'both', -1), old.degree(7, 'both', -1)], [4, 4]);
});

/**
 * Whatever a view is asked, it gives the right answer or says INTERNAL: snapshots, transactions and replicas, with any
 * part of the graph in memory. A member that comes to an interface of the view does not compile here before it has a
 * case.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { GraphDBError } from '../../base/index.ts';
import { dropMemoryStore, openMemoryStore } from '../../object-store/index.ts';
import { openNamespace } from '../../storage/index.ts';
import { coverOfBox, Point } from '../../value/index.ts';
import type { GraphStore } from '../graph-store.ts';
import type { Requirements } from '../loading/requirements.ts';
import { openGraphStore } from '../open-graph-store.ts';
import { GraphReplica } from '../replica/graph-replica.ts';
import { GraphSharer } from '../replica/graph-sharer.ts';
import { RandomSource } from '../testing/random-source.ts';
import { createNode, createRelationship } from '../testing/small-graph.ts';
import type { AreaLookup, EqualityLookup, IndexView, PrefixLookup, RangeLookup } from './index-view.ts';
import type { GraphTransaction, GraphView, NodeTableView, RelationshipTableView } from './view.ts';

/** Answers that need rows or columns, one for each node, row or key; 'known': said without any. */
type Cases<View> = { readonly [Member in keyof View]: 'known' | ((view: View) => readonly (() => unknown)[]) };

const NODES = 24;
const each = <T>(count: number, ask: (i: number) => T): (() => T)[] => Array.from({ length: count }, (_, i) => () => ask(i));
const keysOf = (view: GraphView): number[] => ['k', 's'].map((key) => view.keys.find(key));
const overRelationships = (view: GraphView, ask: (type: number, row: number) => unknown): (() => unknown)[] =>
  view.relationshipTables.flatMap((table) => (table === undefined ? [] : each(table.rowCount, (row) => ask(table.type, row))));

const VIEW: Cases<GraphView> = {
  labels: 'known',
  types: 'known',
  keys: 'known',
  sequence: 'known',
  shapeVersion: 'known',
  revision: 'known',
  nodeLimit: 'known',
  nodeCount: 'known',
  relationshipCount: 'known',
  // Says of a node that is not in memory that it is in no table: then `locateNode` is asked.
  nodeTableOf: 'known',
  nodeRowOf: 'known',
  nodeVersioned: 'known',
  locateNode: (view) => each(NODES, (node) => view.locateNode(node) >= 0),
  locatedTable: (view) => each(NODES, (node) => (view.locateNode(node) < 0 ? null : view.locatedTable)),
  nodeTables: 'known',
  relationshipTables: 'known',
  tablesWithLabel: 'known',
  indexes: 'known',
  indexesVersion: 'known',
  schema: 'known',
  nodeProperty: (view) => keysOf(view).flatMap((key) => each(NODES, (node) => view.nodeProperty(node, key))),
  nodePropertyReader: (view) =>
    keysOf(view).flatMap((key) => {
      const reader = view.nodePropertyReader(key);
      return each(NODES, (node) => reader.get(node));
    }),
  relationshipPropertyReader: (view) =>
    keysOf(view).flatMap((key) => {
      const readers = view.relationshipTables.map((_, type) => view.relationshipPropertyReader(type, key));
      return overRelationships(view, (type, row) => readers[type]!.get(row));
    }),
  relationshipProperty: (view) =>
    keysOf(view).flatMap((key) => overRelationships(view, (type, row) => view.relationshipProperty(type, row, key))),
  nodeProperties: (view) => each(NODES, (node) => view.nodeProperties(node)),
  relationshipProperties: (view) => overRelationships(view, (type, row) => view.relationshipProperties(type, row)),
  nodeLabels: (view) => each(NODES, (node) => view.nodeLabels(node)),
  // Null where it is not known.
  endpointTables: 'known',
  nodeExists: (view) => each(NODES, (node) => view.nodeExists(node)),
  relationshipExists: (view) => overRelationships(view, (type, row) => view.relationshipExists(type, row)),
  nodeId: (view) => each(NODES, (node) => view.nodeId(node)),
  relationshipId: (view) => overRelationships(view, (type, row) => view.relationshipId(type, row)),
  relationshipOrdinal: (view) => overRelationships(view, (type, row) => view.relationshipOrdinal(type, row)),
  findNodeById: (view) => each(NODES, (node) => [view.findNodeById(`n${node}`), view.findNodeById(`id ${node}`)]),
  findRelationshipById: (view) => each(NODES, (ordinal) => view.findRelationshipById(`r${ordinal}`)),
  degree: (view) =>
    (['out', 'in', 'both'] as const).flatMap((direction) =>
      [-1, 0].flatMap((type) => each(NODES, (node) => view.degree(node, direction, type))),
    ),
  statistics: 'known',
};

const columnsOf = (view: NodeTableView | RelationshipTableView): (() => unknown)[] =>
  each(2, (key) => {
    const column = view.column(key);
    return column === null ? null : Array.from({ length: view.rowCount }, (_, row) => column.get(row));
  });

const NODE_TABLE: Cases<NodeTableView> = {
  index: 'known',
  identity: 'known',
  labels: 'known',
  rowCount: 'known',
  liveCount: 'known',
  rowsLoaded: 'known',
  ordinalBase: 'known',
  ordinals: (view) => [() => [...view.ordinals.subarray(0, view.rowCount)]],
  ended: (view) => [() => view.ended !== null],
  isRowVisible: (view) => each(view.rowCount, (row) => view.isRowVisible(row)),
  column: columnsOf,
  residency: 'known',
  columnKeys: (view) => [() => view.columnKeys.toSorted()],
  presentKeys: 'known',
};

const listOf = ({ offsets, neighbours }: { readonly offsets: Uint32Array; readonly neighbours: Uint32Array }): unknown => [
  [...offsets],
  [...neighbours],
];

const RELATIONSHIP_TABLE: Cases<RelationshipTableView> = {
  type: 'known',
  identity: 'known',
  rowCount: 'known',
  liveCount: 'known',
  rowsLoaded: 'known',
  sources: (view) => [() => [...view.sources.subarray(0, view.rowCount)]],
  targets: (view) => [() => [...view.targets.subarray(0, view.rowCount)]],
  sourceOf: (view) => each(view.rowCount, (row) => view.sourceOf(row)),
  targetOf: (view) => each(view.rowCount, (row) => view.targetOf(row)),
  ordinalBase: 'known',
  ordinals: (view) => [() => [...view.ordinals.subarray(0, view.rowCount)]],
  ended: (view) => [() => view.ended !== null],
  isVisible: (view) => each(view.rowCount, (row) => view.isVisible(row)),
  currentRow: (view) => each(view.rowCount, (row) => view.currentRow(row)),
  isHomeRow: (view) => each(view.rowCount, (row) => view.isHomeRow(row)),
  // The first row that was written since the store was opened.
  versionsFrom: 'known',
  outgoing: (view) => [() => listOf(view.outgoing)],
  incoming: (view) => [() => listOf(view.incoming)],
  column: columnsOf,
  residency: 'known',
  columnKeys: (view) => [() => view.columnKeys.toSorted()],
  presentKeys: 'known',
};

const BOX = coverOfBox(point(0), point(30));

const INDEX: Cases<IndexView> = {
  subject: 'known',
  answers: 'known',
  state: 'known',
};

const EQUALITY: Cases<EqualityLookup> = {
  find: (lookup) => each(NODES, (k) => [...lookup.find([k])]),
  findValue: (lookup) => each(NODES, (k) => [...lookup.findValue(k)]),
  repeated: (lookup) => [() => [...lookup.repeated()].sort((a, b) => a - b)],
};

const RANGE: Cases<RangeLookup> = { range: (lookup) => [() => [...lookup.range(3, true, 9, false)]] };

const PREFIX: Cases<PrefixLookup> = { startingWith: (lookup) => [() => [...lookup.startingWith('s')]] };

const AREA: Cases<AreaLookup> = { area: (lookup) => [() => [...lookup.area(BOX!)]] };

function point(at: number): Point {
  return new Point(7203, at, at);
}

/** All questions of a view, by what is asked. */
function questionsOf(view: GraphView): Map<string, readonly (() => unknown)[]> {
  const found = new Map<string, readonly (() => unknown)[]>();
  const add = <View extends object>(name: string, cases: Cases<View>, one: View): void => {
    for (const [member, ask] of Object.entries(cases) as [string, Cases<View>[keyof View]][]) {
      if (ask !== 'known') found.set(`${name}.${member}`, ask(one));
    }
  };
  add('view', VIEW, view);
  for (const table of view.nodeTables) add(`nodes ${table.index}`, NODE_TABLE, table);
  for (const table of view.relationshipTables) if (table !== undefined) add(`relationships ${table.type}`, RELATIONSHIP_TABLE, table);
  for (const index of view.indexes) {
    const { name } = index.subject;
    const { equality, range, prefix, area } = index.answers;
    add(name, INDEX, index);
    if (equality !== undefined) add(name, EQUALITY, equality.lookup);
    if (range !== undefined) add(name, RANGE, range.lookup);
    if (prefix !== undefined) add(name, PREFIX, prefix.lookup);
    if (area !== undefined) add(name, AREA, area.lookup);
  }
  return found;
}

const NOT_LOADED = 'INTERNAL';

function answer(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    if (error instanceof GraphDBError && error.code === 'INTERNAL') return NOT_LOADED;
    throw error;
  }
}

const URI = { scheme: 'memory', name: 'graph-residency', namespace: 'test' } as const;
after(() => dropMemoryStore(URI));

function fill(transaction: GraphTransaction): void {
  const index = (name: string, labelOrType: string, key: string, entity: 'node' | 'relationship'): void =>
    void transaction.createIndex({ name, entity, labelOrType, keys: [key], kind: 'range' });
  for (const key of ['k', 's', 'p']) transaction.internKey(key);
  index('nodes by k', 'A', 'k', 'node');
  index('nodes by p', 'A', 'p', 'node');
  index('relationships by k', 'R', 'k', 'relationship');
  for (let k = 0; k < NODES; k++) {
    const label = ['A', 'B', 'C'][k % 3]!;
    createNode(transaction, [label], { k, s: `s${k}`, p: point(k) }, label === 'C' ? `id ${k}` : null);
  }
  for (let k = 1; k < NODES; k++) createRelationship(transaction, [k - 1, k], k % 2 === 0 ? 'R' : 'S', { k, s: `s${k}` });
}

/** In two flushes, so that later rows supersede and delete earlier ones. */
async function write(): Promise<void> {
  const namespace = await openNamespace(openMemoryStore(URI), { name: 'test' });
  const graph = await openGraphStore(namespace);
  for (const work of [
    fill,
    (transaction: GraphTransaction): void => {
      transaction.setNodeProperty(3, transaction.internKey('k'), 100);
      transaction.addLabels(6, [transaction.internLabel('B')]);
      transaction.setRelationshipProperty(transaction.internType('R'), 2, transaction.internKey('k'), 100);
      transaction.deleteRelationship(transaction.internType('S'), 4);
    },
  ]) {
    const transaction = graph.begin();
    work(transaction);
    const changes = transaction.changes();
    const sequence = transaction.commit();
    await namespace.append({ sequence, changes });
    graph.publish(sequence);
    const flush = graph.collectFlush()!;
    await namespace.publish(flush.edit);
    graph.flushed(flush);
  }
  await namespace.close();
}

async function withGraph<T>(run: (graph: GraphStore) => Promise<T>): Promise<T> {
  const namespace = await openNamespace(openMemoryStore(URI), { name: 'test' });
  try {
    return await run(await openGraphStore(namespace));
  } finally {
    await namespace.close();
  }
}

type ViewOf = (graph: GraphStore, requirements: Requirements | null) => Promise<GraphView>;

const VIEWS: Readonly<Record<string, ViewOf>> = {
  snapshot: async (graph, requirements) => {
    const view = graph.snapshot();
    if (requirements !== null) await graph.require(view, requirements);
    return view;
  },
  'older snapshot': async (graph, requirements) => {
    const view = graph.snapshot();
    const transaction = graph.begin();
    createNode(transaction, ['D']);
    graph.publish(transaction.commit());
    if (requirements !== null) await graph.require(graph.snapshot(), requirements);
    return view;
  },
  transaction: async (graph, requirements) => {
    const { view } = graph.begin();
    if (requirements !== null) await graph.require(view, requirements);
    return view;
  },
  replica: async (graph, requirements) => {
    const view = graph.snapshot();
    if (requirements !== null) await graph.require(view, requirements);
    return new GraphReplica().follow(structuredClone(new GraphSharer().share(view)!));
  },
};

const NOTHING: Requirements = {
  labels: [],
  ends: [],
  types: [],
  nodeKeys: [],
  relationshipKeys: [],
  ids: false,
  lookups: false,
  writes: false,
};
const ALL: Requirements = { ...NOTHING, labels: 'all', types: 'all', nodeKeys: 'all', relationshipKeys: 'all', ids: true };

function someRequirements(random: RandomSource): Requirements {
  const some = (choices: readonly string[]): readonly string[] => choices.filter(() => random.chance(0.4));
  return {
    ...NOTHING,
    labels: some(['A', 'B', 'C']),
    ends: random.chance(0.3) ? [{ type: random.pick(['R', 'S']), end: random.pick(['source', 'target']) }] : [],
    types: some(['R', 'S']),
    nodeKeys: some(['k', 's', 'p']),
    relationshipKeys: some(['k', 's']),
    ids: random.chance(0.3),
    lookups: random.chance(0.2),
    writes: random.chance(0.1),
  };
}

const answersOf = (view: GraphView): Map<string, unknown[]> =>
  new Map([...questionsOf(view)].map(([name, asks]) => [name, asks.map(answer)]));

test('what is not in memory is INTERNAL, all of it when nothing is, and what is said is right', async () => {
  await write();
  const right = await withGraph(async (graph) => answersOf(await VIEWS.snapshot!(graph, ALL)));
  for (const [name, answers] of right) assert.ok(!answers.includes(NOT_LOADED), name);
  for (const [kind, viewOf] of Object.entries(VIEWS)) {
    const found = await withGraph(async (graph) => answersOf(await viewOf(graph, null)));
    for (const [name, answers] of found) assert.ok(answers.includes(NOT_LOADED), `${name} of a ${kind}`);
  }
  const random = new RandomSource(1);
  for (let round = 0; round < 20; round++) {
    for (const [kind, viewOf] of Object.entries(VIEWS)) {
      const requirements = someRequirements(random);
      const found = await withGraph(async (graph) => answersOf(await viewOf(graph, requirements)));
      for (const [name, answers] of found) {
        const expected = answers.map((one, i) => (one === NOT_LOADED ? NOT_LOADED : right.get(name)![i]));
        assert.deepEqual(answers, expected, `${name} of a ${kind} with ${JSON.stringify(requirements)}`);
      }
    }
  }
});

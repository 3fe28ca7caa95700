/** Compares a view with the model, through every method that a reader can use. */
import assert from 'node:assert/strict';
import { ByteWriter } from '../../base/index.ts';
import { compare, encodeValue, equals, order, type Value } from '../../value/index.ts';
import type { IndexView } from '../view/index-view.ts';
import type { AdjacencyView, GraphView, NodeTableView, RelationshipTableView } from '../view/view.ts';
import type { ModelGraph, ModelNode, ModelRelationship } from './model-graph.ts';

/** Returns the encoding of a value as hexadecimal text, by which tests compare values. */
export function valueText(value: Value): string {
  const writer = new ByteWriter();
  encodeValue(value, writer);
  return Buffer.from(writer.view()).toString('hex');
}

function propertiesText(properties: ReadonlyMap<string, Value>): string {
  return [...properties]
    .map(([key, value]) => `${key}=${valueText(value)}`)
    .sort()
    .join();
}

function nodeText({ labels, properties, id }: ModelNode): string {
  return `${[...labels].sort().join(':')} ${id ?? ''} ${propertiesText(properties)}`;
}

function relationshipText({ type, source, target, properties }: ModelRelationship): string {
  return `${source}-${type}->${target} ${propertiesText(properties)}`;
}

function hasBit(bitmap: Uint8Array, index: number): boolean {
  return (((bitmap[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
}

/** Asserts that a view shows exactly the graph of the model. */
export function assertViewIs(view: GraphView, model: ModelGraph): void {
  assert.equal(view.nodeCount, model.nodes.size, 'node count');
  assert.equal(view.relationshipCount, model.relationships.size, 'relationship count');
  assert.deepEqual(scannedNodes(view), textsOf(model.nodes, nodeText), 'nodes by scan');
  assertDirectory(view, model);
  assert.deepEqual(scannedRelationships(view), textsOf(model.relationships, relationshipText), 'relationships by scan');
  assert.deepEqual(neighbours(view, 'outgoing'), textsOf(model.relationships, relationshipText), 'relationships by source');
  assert.deepEqual(neighbours(view, 'incoming'), textsOf(model.relationships, relationshipText), 'relationships by target');
  assertDegrees(view, model);
  assertRelationshipIds(view, model);
  for (const index of view.indexes) assertIndex(view, model, index);
}

function textsOf<T>(entries: ReadonlyMap<number, T>, text: (entry: T) => string): string[] {
  return [...entries].map(([ordinal, entry]) => `${ordinal}: ${text(entry)}`).sort();
}

function columnsAt(view: GraphView, table: NodeTableView | RelationshipTableView, row: number): Map<string, Value> {
  const properties = new Map<string, Value>();
  for (const key of table.columnKeys) {
    const column = table.column(key);
    assert(column !== null, 'a column of the listed key');
    const value = column.get(row);
    if (value !== null) properties.set(view.keys.name(key), value);
  }
  return properties;
}

function scannedNodes(view: GraphView): string[] {
  const found: string[] = [];
  for (const table of view.nodeTables) {
    let live = 0;
    for (let row = 0; row < table.rowCount; row++) {
      if (table.ended !== null && hasBit(table.ended, row) && !table.isRowVisible(row)) continue;
      live++;
      const ordinal = table.ordinalBase >= 0 ? row + table.ordinalBase : (table.ordinals[row] as number);
      const labels = new Set(table.labels.map((label) => view.labels.name(label)));
      const id = view.nodeId(ordinal) === `n${ordinal}` ? null : view.nodeId(ordinal);
      found.push(`${ordinal}: ${nodeText({ labels, properties: columnsAt(view, table, row), id })}`);
    }
    assert.equal(table.liveCount, live, 'live nodes of a table');
  }
  return found.sort();
}

function assertDirectory(view: GraphView, model: ModelGraph): void {
  for (let ordinal = 0; ordinal < view.nodeLimit; ordinal++) {
    const node = model.nodes.get(ordinal);
    assert.equal(view.nodeExists(ordinal), node !== undefined, `existence of node ${ordinal}`);
    const row = view.locateNode(ordinal);
    assert.equal(row >= 0, node !== undefined, `location of node ${ordinal}`);
    if (node === undefined) continue;
    const table = view.nodeTables[view.locatedTable] as NodeTableView;
    if (view.nodeVersioned === null || !hasBit(view.nodeVersioned, ordinal)) {
      assert.equal(view.nodeTableOf[ordinal], table.index, 'table by the plain array');
      assert.equal(view.nodeRowOf[ordinal], row, 'row by the plain array');
    }
    assert.equal(propertiesText(columnsAt(view, table, row)), propertiesText(node.properties));
    assert.equal(propertiesText(view.nodeProperties(ordinal)), propertiesText(node.properties));
    assert.deepEqual(new Set(view.nodeLabels(ordinal).map((label) => view.labels.name(label))), node.labels);
    assert.equal(view.findNodeById(view.nodeId(ordinal)), ordinal);
    assert.equal(view.nodeId(ordinal), node.id ?? `n${ordinal}`);
  }
}

function relationshipAt(view: GraphView, table: RelationshipTableView, homeRow: number): string | null {
  const mayHaveChanged = table.ended !== null && hasBit(table.ended, homeRow);
  if (mayHaveChanged && !table.isVisible(homeRow)) return null;
  const row = mayHaveChanged ? table.currentRow(homeRow) : homeRow;
  const ordinal = table.ordinalBase >= 0 ? homeRow + table.ordinalBase : (table.ordinals[homeRow] as number);
  const properties = columnsAt(view, table, row);
  const [source, target] = [table.sources[homeRow] as number, table.targets[homeRow] as number];
  return `${ordinal}: ${relationshipText({ type: view.types.name(table.type), source, target, properties })}`;
}

function scannedRelationships(view: GraphView): string[] {
  const found: string[] = [];
  for (const table of view.relationshipTables) {
    if (table === undefined) continue;
    let live = 0;
    for (let row = 0; row < table.rowCount; row++) {
      if (row >= table.versionsFrom && !table.isHomeRow(row)) continue;
      const text = relationshipAt(view, table, row);
      if (text === null) continue;
      live++;
      found.push(text);
    }
    assert.equal(table.liveCount, live, 'live relationships of a table');
  }
  return found.sort();
}

function neighbours(view: GraphView, direction: 'outgoing' | 'incoming'): string[] {
  const found: string[] = [];
  for (const table of view.relationshipTables) {
    if (table === undefined) continue;
    const adjacency = table[direction];
    for (let node = 0; node < view.nodeLimit; node++) {
      for (const homeRow of entriesOf(adjacency, table, node)) {
        const text = relationshipAt(view, table, homeRow);
        if (text !== null) found.push(text);
      }
    }
  }
  return found.sort();
}

function entriesOf(adjacency: AdjacencyView, table: RelationshipTableView, node: number): number[] {
  const rows: number[] = [];
  if (node >= adjacency.base && node < adjacency.limit) {
    const from = adjacency.offsets[node - adjacency.base] as number;
    const to = adjacency.offsets[node - adjacency.base + 1] as number;
    for (let i = from; i < to; i++) {
      rows.push(adjacency.rows === null ? i : (adjacency.rows[i] as number));
      if (i > from) assert((adjacency.neighbours[i - 1] as number) <= (adjacency.neighbours[i] as number), 'sorted neighbours');
    }
  }
  if (!adjacency.hasLog) return rows;
  for (let row = adjacency.logHead(node); row >= 0; row = adjacency.logNext[row - adjacency.logBase] as number) {
    if (row < table.rowCount) rows.push(row);
  }
  return rows;
}

function assertDegrees(view: GraphView, model: ModelGraph): void {
  const out = new Map<number, number>();
  const into = new Map<number, number>();
  const loops = new Map<number, number>();
  const count = (counts: Map<number, number>, node: number): unknown => counts.set(node, (counts.get(node) ?? 0) + 1);
  for (const { source, target } of model.relationships.values()) {
    count(out, source);
    count(into, target);
    if (source === target) count(loops, source);
  }
  for (const node of model.nodes.keys()) {
    const [o, i, l] = [out.get(node) ?? 0, into.get(node) ?? 0, loops.get(node) ?? 0];
    assert.deepEqual([view.degree(node, 'out', -1), view.degree(node, 'in', -1), view.degree(node, 'both', -1)], [o, i, o + i - l]);
  }
}

function assertRelationshipIds(view: GraphView, model: ModelGraph): void {
  for (const [ordinal, relationship] of model.relationships) {
    const place = view.findRelationshipById(`r${ordinal}`);
    assert(place !== null, `relationship ${ordinal} by identifier`);
    const [type, homeRow] = place;
    assertEndpoint(view, relationship.source, view.endpointTables(type, 'source'));
    assertEndpoint(view, relationship.target, view.endpointTables(type, 'target'));
    assert.equal(view.types.name(type), relationship.type);
    assert.equal(view.relationshipId(type, homeRow), `r${ordinal}`);
    assert.equal(propertiesText(view.relationshipProperties(type, homeRow)), propertiesText(relationship.properties));
  }
}

interface Answers {
  /** Returns ordinals, ascending. */
  find(values: readonly Value[]): number[];
  /** Returns ordinals in the order of the index; those with equal values ascending. */
  range(low: Value, high: Value): number[];
}

function assertIndex(view: GraphView, model: ModelGraph, index: IndexView): void {
  if (index.subject.entity === 'node') assertNodeIndex(view, model, index);
  else assertRelationshipIndex(view, model, index);
}

function assertNodeIndex(view: GraphView, model: ModelGraph, index: IndexView): void {
  const { labelsOrTypes } = index.subject;
  const labelled = [...model.nodes].filter(([, node]) => labelsOrTypes.some((label) => node.labels.has(view.labels.name(label))));
  assertAnswers(view, index, labelled, {
    find: (values) => [...index.answers.equality!.lookup.find(values)],
    range: (low, high) => [...index.answers.range!.lookup.range(low, true, high, false)],
  });
}

function assertRelationshipIndex(view: GraphView, model: ModelGraph, index: IndexView): void {
  const { subject } = index;
  const [type = -1] = subject.labelsOrTypes;
  const typed = [...model.relationships].filter(([, relationship]) => relationship.type === view.types.name(type));
  const ordinalOf = (row: number): number => view.relationshipOrdinal(type, row);
  const valueOf = (row: number): Value => view.relationshipProperty(type, row, subject.keys[0] as number);
  assertAnswers(view, index, typed, {
    find: (values) => Array.from(index.answers.equality!.lookup.find(values), ordinalOf).sort((a, b) => a - b),
    range: (low, high) => {
      const rows = [...index.answers.range!.lookup.range(low, true, high, false)];
      const sorted = rows.toSorted((a, b) => order(valueOf(a), valueOf(b)) || ordinalOf(a) - ordinalOf(b));
      assert(
        rows.every((row, i) => order(valueOf(row), valueOf(sorted[i] as number)) === 0),
        `order of index ${subject.name}`,
      );
      return sorted.map(ordinalOf);
    },
  });
}

function assertAnswers(
  view: GraphView,
  { subject: { name, keys: keyIds }, answers: { range } }: IndexView,
  entities: readonly (readonly [number, { readonly properties: ReadonlyMap<string, Value> }])[],
  answers: Answers,
): void {
  const keys = keyIds.map((key) => view.keys.name(key));
  const tuples = entities.map(([, { properties }]) => keys.map((key) => properties.get(key) ?? null));
  for (const values of tuples.slice(0, 20)) {
    const expected = entities.filter((_, i) => values.every((value, k) => equals((tuples[i] as Value[])[k] as Value, value) === true));
    assert.deepEqual(
      answers.find(values),
      expected.map(([ordinal]) => ordinal).sort((a, b) => a - b),
      `index ${name}`,
    );
  }
  const entries = entities.map(([ordinal], i) => ({ ordinal, value: (tuples[i] as Value[])[0] as Value }));
  if (range !== undefined) assertRanges(name, answers, entries);
}

function assertRanges(name: string, answers: Answers, entries: readonly { readonly ordinal: number; readonly value: Value }[]): void {
  const present = entries.filter(({ value }) => value !== null);
  const bounds = [null, ...present.slice(0, 5).map(({ value }) => value)];
  for (const low of bounds) {
    for (const high of bounds) {
      const inRange = ({ value }: { readonly value: Value }): boolean => {
        const [above, below] = [low === null ? 1 : compare(value, low), high === null ? -1 : compare(value, high)];
        return above !== null && below !== null && above >= 0 && below < 0;
      };
      const expected = present.filter(inRange).sort((a, b) => order(a.value, b.value) || a.ordinal - b.ordinal);
      assert.deepEqual(
        answers.range(low, high),
        expected.map(({ ordinal }) => ordinal),
        `range of index ${name}`,
      );
    }
  }
}

function assertEndpoint(view: GraphView, node: number, tables: readonly number[] | null): void {
  view.locateNode(node);
  if (tables !== null)
    assert(tables.includes(view.locatedTable), `node ${node} stands in none of the tables for the ends of its relationships`);
}

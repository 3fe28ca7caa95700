/**
 * Finds the shape of the graph: its labels and types, their properties with the types of the values, and the labels
 * that each type connects.
 *
 * Counts of nodes and relationships are exact. Types of properties are taken from the first `sample` rows of each table
 * (-1 for all rows), the ends of relationships from all rows, which takes O(relationships) array reads.
 */
import type { GraphView, NodeTableView, RelationshipTableView } from '../../graph/index.ts';
import { typeName, type Value } from '../../value/index.ts';

/** Rows whose ends are read before other statements may run. */
const COUNTED_TOGETHER = 32;

/** The types of a property, and how many rows have it. */
export interface PropertyShape {
  /** Cypher type names in the order of their first appearance: `Integer`, `String` … */
  readonly types: Set<string>;
  /** The number of sampled rows that have the property. */
  seen: number;
}

interface TableShape {
  /** The number of sampled rows. */
  readonly sampled: number;
  readonly count: number;
  readonly properties: ReadonlyMap<string, PropertyShape>;
}

/** The shape of the nodes that have exactly these labels. */
export interface NodeShape extends TableShape {
  readonly labels: readonly string[];
}

/** Labels of the source and the target of relationships, and how many relationships connect them. */
export interface EndsShape {
  readonly source: readonly string[];
  readonly target: readonly string[];
  readonly count: number;
}

/** The shape of a relationship type. */
export interface RelationshipShape extends TableShape {
  readonly type: string;
  readonly ends: readonly EndsShape[];
}

/** The shape of a graph. */
export interface GraphShape {
  readonly nodes: readonly NodeShape[];
  readonly relationships: readonly RelationshipShape[];
}

/** Work that returns a result, and yields null where other statements should run. */
export type Pieces<T> = Generator<null, T, void>;

/** The graph, and the counter of the work of reading it. */
interface Source {
  readonly view: GraphView;
  worked(steps: number): boolean;
}

/** Returns the shape of a graph. @param sample the most rows of each table from which types of properties are taken; -1 for all */
export function* graphShape(source: Source, sample: number): Pieces<GraphShape> {
  const { view } = source;
  const nodes: NodeShape[] = [];
  for (const table of view.nodeTables) if (table.liveCount > 0) nodes.push(yield* nodeShape(source, table, sample));
  const relationships: RelationshipShape[] = [];
  for (const table of view.relationshipTables) {
    if (table !== undefined && table.liveCount > 0) relationships.push(yield* relationshipShape(source, table, sample));
  }
  return { nodes, relationships };
}

/** Combines the shapes of all nodes with a label, by label. */
export function* byLabel({ worked }: Source, shape: GraphShape): Pieces<Map<string, TableShape>> {
  const found = new Map<string, TableShape>();
  for (const table of shape.nodes) {
    for (const label of table.labels) {
      const known = found.get(label);
      if (worked(1 + (known?.properties.size ?? 0) + table.properties.size)) yield null;
      found.set(label, known === undefined ? table : unite(known, table));
    }
  }
  return found;
}

function unite(left: TableShape, right: TableShape): TableShape {
  const properties = new Map([...left.properties].map(([key, { types, seen }]) => [key, { types: new Set(types), seen }]));
  for (const [key, { types, seen }] of right.properties) {
    const known = properties.get(key) ?? { types: new Set<string>(), seen: 0 };
    for (const type of types) known.types.add(type);
    known.seen += seen;
    properties.set(key, known);
  }
  return { sampled: left.sampled + right.sampled, count: left.count + right.count, properties };
}

function* nodeShape(source: Source, table: NodeTableView, sample: number): Pieces<NodeShape> {
  const { view } = source;
  const isVisible = (row: number): boolean => table.ended === null || table.isRowVisible(row);
  const { rows, properties } = yield* propertiesOf(source, table, isVisible, (row) => row, sample);
  return { labels: table.labels.map((id) => view.labels.name(id)), sampled: rows, count: table.liveCount, properties };
}

function* relationshipShape(source: Source, table: RelationshipTableView, sample: number): Pieces<RelationshipShape> {
  const { view } = source;
  const isVisible = (row: number): boolean =>
    (row < table.versionsFrom || table.isHomeRow(row)) && (!isEnded(table, row) || table.isVisible(row));
  const currentRow = (row: number): number => (isEnded(table, row) ? table.currentRow(row) : row);
  const { rows, properties } = yield* propertiesOf(source, table, isVisible, currentRow, sample);
  const ends = yield* endsOf(source, table, isVisible);
  return { type: view.types.name(table.type), sampled: rows, count: table.liveCount, properties, ends };
}

function isEnded({ ended }: RelationshipTableView, row: number): boolean {
  return ended !== null && ((ended[row >> 3]! >> (row & 7)) & 1) === 1;
}

function* propertiesOf(
  { view, worked }: Source,
  table: NodeTableView | RelationshipTableView,
  isVisible: (row: number) => boolean,
  currentRow: (row: number) => number,
  sample: number,
): Pieces<{ rows: number; properties: Map<string, PropertyShape> }> {
  const columns = table.columnKeys.map((key) => ({ name: view.keys.name(key), column: table.column(key) }));
  const properties = new Map<string, PropertyShape>();
  const see = (name: string, value: Value): void => {
    if (value === null) return;
    const shape = properties.get(name) ?? { types: new Set<string>(), seen: 0 };
    shape.types.add(typeName(value));
    shape.seen++;
    properties.set(name, shape);
  };
  let rows = 0;
  for (let row = 0; row < table.rowCount && rows !== sample; row++) {
    if (worked(1 + columns.length)) yield null;
    if (!isVisible(row)) continue;
    rows++;
    const current = currentRow(row);
    for (const { name, column } of columns) see(name, column?.get(current) ?? null);
  }
  return { rows, properties };
}

function* endsOf({ view, worked }: Source, table: RelationshipTableView, isVisible: (row: number) => boolean): Pieces<EndsShape[]> {
  const tables = view.nodeTables.length;
  const counts = new Map<number, number>();
  for (let row = 0; row < table.rowCount; row++) {
    if (row % COUNTED_TOGETHER === 0 && worked(COUNTED_TOGETHER)) yield null;
    if (!isVisible(row)) continue;
    const pair = tableOf(view, table.sources[row]!) * tables + tableOf(view, table.targets[row]!);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  const labels = (index: number): string[] => view.nodeTables[index]!.labels.map((id) => view.labels.name(id));
  return [...counts].map(([pair, count]) => ({ source: labels(Math.floor(pair / tables)), target: labels(pair % tables), count }));
}

function tableOf(view: GraphView, ordinal: number): number {
  const { nodeVersioned } = view;
  const isVersioned = nodeVersioned !== null && ((nodeVersioned[ordinal >> 3]! >> (ordinal & 7)) & 1) === 1;
  const table = view.nodeTableOf[ordinal]!;
  if (!isVersioned && table < view.nodeTables.length) return table;
  view.locateNode(ordinal);
  return view.locatedTable;
}

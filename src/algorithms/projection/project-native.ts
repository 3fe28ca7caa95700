/**
 * Native projection: makes a projected graph of labels, types and properties of a view. Rows that are not visible in
 * the view are passed over. O(rows of the tables that are read).
 */
import type { GraphView, NodeTableView, RelationshipTableView } from '../../graph/index.ts';
import { type Aggregation, buildRelationships, type DraftProperty } from '../graph/build-relationships.ts';
import type { NodeProperty } from '../graph/node-property.ts';
import { ProjectedGraph, type RelationshipSet } from '../graph/projected-graph.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';
import type { LabelRequest, ProjectionRequest, PropertyRequest, TypeRequest } from './projection-request.ts';
import { columnNumbers, PropertyBuilder } from './property-values.ts';

/** Rows of one piece: the limits of the statement are checked before each piece. */
const ROWS_TOGETHER = 4096;
const NONE = 0xffffffff;

/** Makes a projected graph. @throws ARGUMENT_ERROR, TYPE_ERROR when a property holds something other than numbers or lists of them */
export function* projectNative(view: GraphView, request: ProjectionRequest, work: Work): Pieces<ProjectedGraph> {
  const arrays = new Arrays(work);
  const byOrdinal = arrays.uint32(view.nodeLimit).fill(NONE);
  const tables = request.nodes.map(({ label }) => tablesOf(view, label));
  for (const table of new Set(tables.flat())) yield* mark(table, byOrdinal, work);
  const ordinals = yield* number(byOrdinal, arrays);
  const labels = new Map<string, Uint8Array>();
  for (const [i, { name }] of request.nodes.entries()) {
    const bitmap = labels.get(name) ?? arrays.uint8(ordinals.length);
    for (const table of tables[i]!) yield* markLabel(table, byOrdinal, bitmap, work);
    labels.set(name, bitmap);
  }
  const nodes: Nodes = { byOrdinal, count: ordinals.length };
  const properties = yield* nodeProperties(view, request.nodes, { tables, labels }, nodes, work);
  const relationships = new Map<string, RelationshipSet>();
  for (const type of request.relationships) relationships.set(type.name, yield* relationshipsOf(view, type, nodes, work));
  work.release(byOrdinal.byteLength);
  return new ProjectedGraph({ isOfDatabase: true, ordinals, labels, properties, relationships });
}

interface Nodes {
  /** For each ordinal its dense node, NONE where it is not projected. */
  readonly byOrdinal: Uint32Array;
  readonly count: number;
}

function tablesOf(view: GraphView, label: string | null): readonly NodeTableView[] {
  if (label === null) return view.nodeTables;
  const id = view.labels.find(label);
  return id < 0 ? [] : view.tablesWithLabel(id);
}

const isLive = (table: NodeTableView, row: number): boolean =>
  table.ended === null || ((table.ended[row >> 3]! >> (row & 7)) & 1) === 0 || table.isRowVisible(row);

const ordinalAt = (table: NodeTableView, row: number): number => (table.ordinalBase >= 0 ? row + table.ordinalBase : table.ordinals[row]!);

/** Calls `each` for the rows of a table, piece by piece. @param steps how many steps one row counts as */
function* inPieces(rowCount: number, work: Work, steps: number, each: (from: number, to: number) => void): Pieces<void> {
  for (let from = 0; from < rowCount; from += ROWS_TOGETHER) {
    const to = Math.min(rowCount, from + ROWS_TOGETHER);
    if (work.worked((to - from) * steps)) yield null;
    each(from, to);
  }
}

function* mark(table: NodeTableView, byOrdinal: Uint32Array, work: Work): Pieces<void> {
  yield* inPieces(table.rowCount, work, 1, (from, to) => {
    for (let row = from; row < to; row++) if (isLive(table, row)) byOrdinal[ordinalAt(table, row)] = 0;
  });
}

function* markLabel(table: NodeTableView, byOrdinal: Uint32Array, bitmap: Uint8Array, work: Work): Pieces<void> {
  yield* inPieces(table.rowCount, work, 1, (from, to) => {
    for (let row = from; row < to; row++) if (isLive(table, row)) bitmap[byOrdinal[ordinalAt(table, row)]!] = 1;
  });
}

/** Numbers the marked nodes from 0, by ascending ordinal. @returns the ordinals of the nodes */
function* number(byOrdinal: Uint32Array, arrays: Arrays): Pieces<Uint32Array> {
  let count = 0;
  yield* inPieces(byOrdinal.length, arrays.work, 1, (from, to) => {
    for (let ordinal = from; ordinal < to; ordinal++) if (byOrdinal[ordinal] !== NONE) byOrdinal[ordinal] = count++;
  });
  const ordinals = arrays.uint32(count);
  yield* inPieces(byOrdinal.length, arrays.work, 1, (from, to) => {
    for (let ordinal = from; ordinal < to; ordinal++) if (byOrdinal[ordinal] !== NONE) ordinals[byOrdinal[ordinal]!] = ordinal;
  });
  return ordinals;
}

function* nodeProperties(
  view: GraphView,
  requests: readonly LabelRequest[],
  { tables, labels }: { readonly tables: readonly (readonly NodeTableView[])[]; readonly labels: ReadonlyMap<string, Uint8Array> },
  { byOrdinal, count }: Nodes,
  work: Work,
): Pieces<Map<string, NodeProperty>> {
  const builders = new Map<string, PropertyBuilder>();
  for (const [i, { properties }] of requests.entries()) {
    for (const { name, key } of properties) {
      const builder = builders.get(name) ?? new PropertyBuilder({ name, count, isStored: name === key }, work);
      builders.set(name, builder);
      const id = view.keys.find(key);
      for (const table of id < 0 ? [] : tables[i]!) {
        const column = table.column(id);
        if (column === null) continue;
        yield* inPieces(table.rowCount, work, 4, (from, to) => {
          for (let row = from; row < to; row++) if (isLive(table, row)) builder.set(byOrdinal[ordinalAt(table, row)]!, column.get(row));
        });
      }
    }
  }
  for (const { name: label, properties } of requests)
    for (const { name, defaultValue } of properties) yield* builders.get(name)!.fill(labels.get(label)!, defaultValue);
  const built = new Map<string, NodeProperty>();
  for (const [name, builder] of builders) built.set(name, yield* builder.build());
  return built;
}

/** A property with the aggregation that it has, of its own or that of its type. */
interface AggregatedRequest extends PropertyRequest {
  readonly aggregation: Aggregation;
}

interface Collected {
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly properties: readonly { readonly request: AggregatedRequest; readonly values: Float64Array }[];
  count: number;
}

function* relationshipsOf(
  view: GraphView,
  request: TypeRequest,
  { byOrdinal, count: nodeCount }: Nodes,
  work: Work,
): Pieces<RelationshipSet> {
  const tables = typeTables(view, request.type);
  const most = tables.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const arrays = new Arrays(work);
  const collected: Collected = {
    sources: arrays.uint32(most),
    targets: arrays.uint32(most),
    properties: request.properties.map((property) => ({
      request: { ...property, aggregation: property.aggregation ?? request.aggregation },
      values: arrays.float64(most),
    })),
    count: 0,
  };
  for (const table of tables) yield* collect(view, table, byOrdinal, collected, work);
  const { sources, targets, count } = collected;
  const properties = collected.properties.map(({ request: { name, key, aggregation }, values }): DraftProperty => {
    return { name, values, aggregation: key === '*' && aggregation === 'NONE' ? 'COUNT' : aggregation };
  });
  const { name: type, orientation, aggregation } = request;
  const set = yield* buildRelationships({ type, orientation, aggregation, nodeCount, count, sources, targets, properties }, work);
  work.release(most * 8 * (1 + properties.length));
  return set;
}

function typeTables(view: GraphView, type: string | null): RelationshipTableView[] {
  if (type === null) return view.relationshipTables.filter((table) => table !== undefined);
  const table = view.relationshipTables[view.types.find(type)];
  return table === undefined ? [] : [table];
}

function* collect(view: GraphView, table: RelationshipTableView, byOrdinal: Uint32Array, collected: Collected, work: Work): Pieces<void> {
  const readers = collected.properties.map(({ request, values }) => ({
    read: columnNumbers(request, request.key === '*' ? null : table.column(view.keys.find(request.key))),
    values,
  }));
  const { ended, versionsFrom, sources, targets } = table;
  yield* inPieces(table.rowCount, work, 2 + 4 * readers.length, (from, to) => {
    let { count } = collected;
    for (let row = from; row < to; row++) {
      if (row >= versionsFrom && !table.isHomeRow(row)) continue;
      const isPlain = ended === null || ((ended[row >> 3]! >> (row & 7)) & 1) === 0;
      if (!isPlain && !table.isVisible(row)) continue;
      const source = byOrdinal[sources[row]!]!;
      const target = byOrdinal[targets[row]!]!;
      if (source === NONE || target === NONE) continue;
      collected.sources[count] = source;
      collected.targets[count] = target;
      if (readers.length > 0) {
        const current = isPlain ? row : table.currentRow(row);
        for (const { read, values } of readers) values[count] = read(current);
      }
      count++;
    }
    collected.count = count;
  });
}

/**
 * Native projection: makes a projected graph of labels, types and properties of a view. Rows that are not visible in
 * the view are passed over. O(rows of the tables that are read). Tables that do not fit into memory are read by page; the
 * projected graph itself is in memory.
 */
import type { GraphView, NodeTableView, RelationshipTableView } from '../../graph/index.ts';
import type { Value } from '../../value/index.ts';
import { type Aggregation, buildRelationships, type DraftProperty } from '../graph/build-relationships.ts';
import type { NodeProperty } from '../graph/node-property.ts';
import { ProjectedGraph, type RelationshipSet } from '../graph/projected-graph.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';
import { type PageReading, wholly } from './page-reading.ts';
import type { LabelRequest, ProjectionRequest, PropertyRequest, TypeRequest } from './projection-request.ts';
import { columnNumbers, PropertyBuilder } from './property-values.ts';

/** Rows of one piece: the limits of the statement are checked before each piece. */
const ROWS_TOGETHER = 4096;
const NONE = 0xffffffff;

/** A view, with what runs pieces of work over those of its parts that are read by page; null: all that is projected is in memory. */
export interface ProjectedView {
  readonly view: GraphView;
  readonly pages: PageReading | null;
}

/** Makes a projected graph. @throws ARGUMENT_ERROR, TYPE_ERROR when a property holds something other than numbers or lists of them */
export function* projectNative(from: ProjectedView, request: ProjectionRequest, work: Work): Pieces<ProjectedGraph> {
  const { view } = from;
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
  const properties = yield* nodeProperties(from, request.nodes, { tables, labels }, nodes, work);
  const relationships = new Map<string, RelationshipSet>();
  for (const type of request.relationships) relationships.set(type.name, yield* relationshipsOf(from, type, nodes, work));
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
  yield* inPagedPieces(rowCount, { work, pages: null, steps }, each);
}

interface PagedPieces {
  readonly work: Work;
  readonly pages: PageReading | null;
  readonly steps: number;
}

/** Calls `each` for rows that may be read by page, piece by piece; for a piece again until it has missed nothing. */
function* inPagedPieces(rowCount: number, { work, pages, steps }: PagedPieces, each: (from: number, to: number) => void): Pieces<void> {
  for (let from = 0; from < rowCount; from += ROWS_TOGETHER) {
    const to = Math.min(rowCount, from + ROWS_TOGETHER);
    if (work.worked((to - from) * steps)) yield null;
    yield* wholly(pages, () => each(from, to));
  }
}

/** Returns what gives a property of the node at a row; null when no row of the table has it. */
function nodeValues(view: GraphView, table: NodeTableView, key: number): ((row: number) => Value) | null {
  if (table.residency(key) === 'notLoaded') {
    const reader = view.nodePropertyReader(key);
    return (row) => reader.get(ordinalAt(table, row));
  }
  const column = table.column(key);
  return column === null ? null : (row) => column.get(row);
}

/** Returns what gives a property of a relationship by its home row; null when no row of the table has it. */
function relationshipValues(view: GraphView, table: RelationshipTableView, key: number): ((homeRow: number) => Value) | null {
  if (key < 0) return null;
  if (table.residency(key) === 'notLoaded') {
    const reader = view.relationshipPropertyReader(table.type, key);
    return (homeRow) => reader.get(homeRow);
  }
  const column = table.column(key);
  if (column === null) return null;
  const { ended } = table;
  if (ended === null) return (homeRow) => column.get(homeRow);
  return (homeRow) => column.get(((ended[homeRow >> 3]! >> (homeRow & 7)) & 1) === 0 ? homeRow : table.currentRow(homeRow));
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
  { view, pages }: ProjectedView,
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
        const valueAt = nodeValues(view, table, id);
        if (valueAt === null) continue;
        yield* inPagedPieces(table.rowCount, { work, pages, steps: 4 }, (from, to) => {
          for (let row = from; row < to; row++) if (isLive(table, row)) builder.set(byOrdinal[ordinalAt(table, row)]!, valueAt(row));
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
  from: ProjectedView,
  request: TypeRequest,
  { byOrdinal, count: nodeCount }: Nodes,
  work: Work,
): Pieces<RelationshipSet> {
  const tables = typeTables(from.view, request.type);
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
  for (const table of tables) yield* collect(from, table, byOrdinal, collected, work);
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

function* collect(
  { view, pages }: ProjectedView,
  table: RelationshipTableView,
  byOrdinal: Uint32Array,
  collected: Collected,
  work: Work,
): Pieces<void> {
  const readers = collected.properties.map(({ request, values }) => ({
    read: columnNumbers(request, request.key === '*' ? null : relationshipValues(view, table, view.keys.find(request.key))),
    values,
  }));
  const { ended, versionsFrom } = table;
  const flat = table.rowsLoaded ? { sources: table.sources, targets: table.targets } : null;
  const piece = { from: -1, begin: 0 };
  yield* inPagedPieces(table.rowCount, { work, pages, steps: 2 + 4 * readers.length }, (from, to) => {
    // A piece that is run again begins where it has begun before.
    if (from !== piece.from) {
      piece.from = from;
      piece.begin = collected.count;
    }
    let count = piece.begin;
    for (let row = from; row < to; row++) {
      if (row >= versionsFrom && !table.isHomeRow(row)) continue;
      if (ended !== null && ((ended[row >> 3]! >> (row & 7)) & 1) !== 0 && !table.isVisible(row)) continue;
      const source = byOrdinal[flat === null ? table.sourceOf(row) : flat.sources[row]!]!;
      const target = byOrdinal[flat === null ? table.targetOf(row) : flat.targets[row]!]!;
      if (source === NONE || target === NONE) continue;
      collected.sources[count] = source;
      collected.targets[count] = target;
      for (const { read, values } of readers) values[count] = read(row);
      count++;
    }
    collected.count = count;
  });
}

/** Procedures that describe the graph: `db.schema.*`, and those of APOC from which LangChain and LlamaIndex derive its schema. */
import { type ConstraintDefinition, type GraphView, type IndexDefinition, namesIn } from '../../graph/index.ts';
import { type HashKey, hashKey, isInteger, makeFloat, order, typeFault, type Value, type ValueMap } from '../../value/index.ts';
import { virtualNode, virtualRelationship } from '../functions/virtual.ts';
import type { Procedure, ProcedureField } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { constraintType, ownsIndex } from '../schema/constraint-types.ts';
import { byLabel, type EndsShape, graphShape, type Pieces, type PropertyShape } from './graph-shape.ts';

const DEFAULT_SAMPLE = 1000;
const STEPS_PER_PAIR = 8;
/** The assumed number of comparisons per value while many values are sorted. */
const STEPS_PER_SORTED = 16;
/** Steps for the counts and estimates of an index, which may read a sample of its column. */
const STEPS_PER_INDEX = 1024;
const NO_CONFIGURATION: Value = new Map();
const CONFIGURATION = { name: 'config', type: 'MAP', default: NO_CONFIGURATION } as const;

/** Returns `sample` of `{sample: n}`, the rows of each table to examine; -1 for all. */
function sampleOf(configuration: Value): number {
  const sample = configuration instanceof Map ? (configuration.get('sample') ?? null) : null;
  return isInteger(sample) ? Number(sample) : DEFAULT_SAMPLE;
}

function fields(text: string): ProcedureField[] {
  return text.split(', ').map((field) => {
    const [name, type] = field.split(' ') as [string, string];
    return { name, type };
  });
}

// ---------------------------------------------------------------- db.schema.*

/** Type names as `db.schema.nodeTypeProperties` spells them. */
const STORED_TYPES: Readonly<Record<string, string>> = {
  Integer: 'Long',
  Float: 'Double',
  List: 'List',
  Bytes: 'ByteArray',
};

function typeProperties(front: readonly Value[], shape: { properties: ReadonlyMap<string, PropertyShape>; sampled: number }): Value[][] {
  if (shape.properties.size === 0) return [[...front, null, null, false]];
  return [...shape.properties].map(([key, { types, seen }]) => [
    ...front,
    key,
    [...types].map((type) => STORED_TYPES[type] ?? type),
    seen === shape.sampled,
  ]);
}

const quoted = (names: readonly string[]): string => names.map((name) => `:\`${name}\``).join('');

type Rows = Generator<readonly Value[] | null>;

/** Returns the number of definitions that are searched for each name. */
const definitionsIn = ({ schema }: GraphView): number => schema.indexes.length + schema.constraints.length;

/** Yields a graph of virtual entities: a node per label, and a relationship per type and pair of labels. */
function* picture(context: ProcedureContext, properties: (name: string, count: number) => ValueMap): Rows {
  const { view } = context;
  const shape = yield* graphShape(context, 0);
  const labels = [...(yield* byLabel(context, shape))];
  const ordinals = new Map(labels.map(([label], i) => [label, -1 - i]));
  const nodes: Value[] = [];
  for (const [label, { count }] of labels) {
    if (context.worked(1 + definitionsIn(view))) yield null;
    nodes.push(virtualNode(ordinals.get(label)!, [label], nodeDetails(view, label, properties(label, count))));
  }
  let next = -1;
  const relationships: Value[] = [];
  for (const { type, ends } of shape.relationships) {
    for (const { source, target, count } of yield* labelPairs(context, ends)) {
      const places = { source: ordinals.get(source)!, target: ordinals.get(target)! };
      relationships.push(virtualRelationship(next--, type, places, properties(type, count)));
    }
  }
  yield [nodes, relationships];
}

function nodeDetails(view: GraphView, label: string, properties: ValueMap): ValueMap {
  const indexes = view.schema.indexes.filter((index) => index.entity === 'node' && namesIn(index).includes(label));
  const constraints = view.schema.constraints.filter((constraint) => constraint.entity === 'node' && constraint.labelOrType === label);
  properties.set(
    'indexes',
    indexes.map((index) => index.keys.join(',')),
  );
  properties.set(
    'constraints',
    constraints.map((constraint) => constraint.name),
  );
  return properties;
}

interface LabelPair {
  readonly source: string;
  readonly target: string;
  readonly count: number;
}

function* labelPairs({ worked }: ProcedureContext, ends: readonly EndsShape[]): Pieces<LabelPair[]> {
  const pairs = new Map<string, { source: string; target: string; count: number }>();
  for (const { source: sources, target: targets, count } of ends) {
    for (const source of sources) {
      for (const target of targets) {
        if (worked(STEPS_PER_PAIR)) yield null;
        const name = JSON.stringify([source, target]);
        const known = pairs.get(name) ?? { source, target, count: 0 };
        known.count += count;
        pairs.set(name, known);
      }
    }
  }
  return [...pairs.values()];
}

function counted(name: string, count: number): ValueMap {
  return new Map<string, Value>([
    ['name', name],
    ['type', name],
    ['count', count],
  ]);
}

// ---------------------------------------------------------------- apoc.meta.data

/** Type names as APOC spells them. */
const APOC_TYPES: Readonly<Record<string, string>> = {
  LocalTime: 'LOCAL_TIME',
  DateTime: 'DATE_TIME',
  LocalDateTime: 'LOCAL_DATE_TIME',
  Vector: 'LIST',
};

/**
 * Returns the type name of the first value examined, even if other values have other types, as in APOC: tools generate
 * queries from it, and expect a single name.
 */
function apocType(types: ReadonlySet<string>): string {
  const [first = 'Null'] = types;
  return APOC_TYPES[first] ?? first.toUpperCase();
}

const META_DATA = fields(
  'label STRING, property STRING, count INTEGER, unique BOOLEAN, index BOOLEAN, existence BOOLEAN, type STRING, array BOOLEAN, ' +
    'sample LIST<ANY>, left INTEGER, right INTEGER, other LIST<STRING>, otherLabels LIST<STRING>, elementType STRING',
);

interface MetaRow {
  readonly label: string;
  readonly property: string;
  readonly type: string;
  readonly elementType: 'node' | 'relationship';
  readonly count?: number;
  readonly other?: string[];
}

function metaRow(view: GraphView, row: MetaRow): Value[] {
  const { label, property, type, elementType, count = 0, other = [] } = row;
  const concerns = (each: IndexDefinition | ConstraintDefinition): boolean =>
    each.entity === elementType && namesIn(each).includes(label) && each.keys.includes(property);
  const rules = view.schema.constraints.filter(concerns);
  const unique = rules.some((rule) => ownsIndex(rule) && rule.keys.length === 1);
  const index = unique || view.schema.indexes.some(concerns);
  const existence = rules.some((rule) => rule.kind === 'exists' || rule.kind === 'key');
  return [label, property, count, unique, index, existence, type, type === 'LIST', null, 0, 0, other, [], elementType];
}

function* metaData(context: ProcedureContext, sample: number): Rows {
  const { view } = context;
  const shape = yield* graphShape(context, sample);
  const rows: MetaRow[] = [];
  for (const [label, { properties }] of yield* byLabel(context, shape)) {
    for (const [property, { types, seen }] of properties) {
      rows.push({ label, property, type: apocType(types), elementType: 'node', count: seen });
    }
  }
  for (const { type, properties, ends } of shape.relationships) {
    for (const [property, { types, seen }] of properties) {
      rows.push({ label: type, property, type: apocType(types), elementType: 'relationship', count: seen });
    }
    const targets = Map.groupBy(yield* labelPairs(context, ends), (pair) => pair.source);
    for (const [source, pairs] of targets) {
      if (context.worked(pairs.length)) yield null;
      const count = pairs.reduce((sum, pair) => sum + pair.count, 0);
      const other = pairs.map((pair) => pair.target);
      rows.push({ label: source, property: type, type: 'RELATIONSHIP', elementType: 'node', count, other });
      rows.push({ label: type, property: source, type: 'RELATIONSHIP', elementType: 'relationship', count, other });
    }
  }
  for (const row of rows) {
    if (context.worked(1 + definitionsIn(view))) yield null;
    yield metaRow(view, row);
  }
}

// ---------------------------------------------------------------- apoc.meta.schema

function* metaSchema(context: ProcedureContext, sample: number): Rows {
  const { view } = context;
  const shape = yield* graphShape(context, sample);
  const value: ValueMap = new Map();
  const joins: (EndsShape & { readonly type: string; readonly properties: Value })[] = [];
  for (const { type, count, properties, ends } of shape.relationships) {
    const described = yield* propertiesOf(context, { entity: 'relationship', name: type }, properties);
    value.set(type, mapOf({ type: 'relationship', count, properties: described }));
    for (const each of ends) joins.push({ ...each, type, properties: described });
  }
  for (const [label, { count, properties }] of yield* byLabel(context, shape)) {
    const described = yield* propertiesOf(context, { entity: 'node', name: label }, properties);
    const relationships: ValueMap = new Map();
    for (const direction of ['in', 'out'] as const) {
      for (const join of joins) {
        const [own, others] = direction === 'out' ? [join.source, join.target] : [join.target, join.source];
        if (context.worked(1 + own.length + others.length)) yield null;
        if (own.includes(label)) addRelationship(relationships, join, { direction, others });
      }
    }
    const others = shape.nodes.filter(({ labels }) => labels.includes(label)).flatMap(({ labels }) => labels);
    if (context.worked(others.length + definitionsIn(view))) yield null;
    const labels = [...new Set(others)].filter((each) => each !== label);
    value.set(label, mapOf({ type: 'node', count, labels, properties: described, relationships }));
  }
  yield [value];
}

/** Adds a type to the relationships of a label. If a type both leaves and enters a label, only the outgoing ones are kept. */
function addRelationship(
  relationships: ValueMap,
  { type, count, properties }: { readonly type: string; readonly count: number; readonly properties: Value },
  { direction, others }: { readonly direction: 'in' | 'out'; readonly others: readonly string[] },
): void {
  const known = relationships.get(type) as ValueMap | undefined;
  const isSame = known?.get('direction') === direction;
  const labels = isSame ? (known!.get('labels') as Value[]) : [];
  const all = isSame ? (known!.get('count') as number) + count : count;
  relationships.set(type, mapOf({ count: all, direction, labels: [...new Set([...labels, ...others])], properties }));
}

const mapOf = (entries: Readonly<Record<string, Value>>): ValueMap => new Map(Object.entries(entries));

function* propertiesOf(
  { view, worked }: ProcedureContext,
  { entity, name }: { readonly entity: 'node' | 'relationship'; readonly name: string },
  shapes: ReadonlyMap<string, PropertyShape>,
): Pieces<Value> {
  const described: ValueMap = new Map();
  for (const [property, { types }] of shapes) {
    if (worked(1 + definitionsIn(view))) yield null;
    const row = metaRow(view, { label: name, property, type: apocType(types), elementType: entity });
    const [unique, indexed, existence, type, array] = [row[3]!, row[4]!, row[5]!, row[6]!, row[7]!];
    described.set(property, entity === 'node' ? mapOf({ existence, type, indexed, unique }) : mapOf({ existence, type, array }));
  }
  return described;
}

// ---------------------------------------------------------------- apoc.schema.properties.distinct

/** Yields the distinct values of a property of the nodes with a label, in the order of ORDER BY. */
function* distinctValues(context: ProcedureContext, [label, key]: readonly Value[]): Rows {
  if (typeof label !== 'string' || typeof key !== 'string') throw typeFault('a label and a key are Strings');
  const { view } = context;
  const found = new Map<HashKey, Value>();
  for (const table of view.tablesWithLabel(view.labels.find(label))) {
    const column = table.column(view.keys.find(key));
    if (column === null) continue;
    for (let row = 0; row < table.rowCount; row++) {
      if (context.worked(1)) yield null;
      if (table.ended !== null && !table.isRowVisible(row)) continue;
      const value = column.get(row);
      if (value === null || found.has(hashKey(value))) continue;
      context.charge(1, 1);
      found.set(hashKey(value), value);
    }
  }
  if (context.worked(found.size * STEPS_PER_SORTED)) yield null;
  yield [[...found.values()].sort(order)];
}

// ---------------------------------------------------------------- apoc.schema.nodes

/** The types of indexes whose selectivity is that of their values. */
const COUNTED: ReadonlySet<string> = new Set(['RANGE', 'TEXT', 'POINT']);

/** Yields constraints, then indexes, each ordered by label as in APOC: tools use the first match. */
function* schemaNodes({ view, worked }: ProcedureContext): Rows {
  const { statistics } = view;
  const row = (name: string, label: string, keys: readonly string[], type: string): Value[] => {
    const size = statistics.nodesWithLabel(label);
    const distinct = keys.reduce((product, key) => Math.min(product * (statistics.distinctValues(label, key) ?? size), size), 1);
    const described = `:${label}(${keys.join(',')})`;
    const selectivity = makeFloat(size === 0 ? 0 : COUNTED.has(type) ? distinct / size : 1);
    return [described, label, [...keys], 'ONLINE', type, 'NO FAILURE', makeFloat(100), size, selectivity, `name='${name}', ${described}`];
  };
  const constraints = view.schema.constraints.filter(({ entity }) => entity === 'node');
  if (worked(definitionsIn(view))) yield null;
  for (const constraint of constraints.sort((a, b) => byText(a.labelOrType, b.labelOrType))) {
    if (worked(STEPS_PER_INDEX * constraint.keys.length)) yield null;
    yield row(constraint.name, constraint.labelOrType, constraint.keys, constraintType(constraint));
  }
  const indexes = view.schema.indexes.filter(({ entity, kind }) => entity === 'node' && kind !== 'lookup');
  const labelled = indexes.flatMap((index) => namesIn(index).map((label) => ({ index, label })));
  if (worked(definitionsIn(view))) yield null;
  for (const { index, label } of labelled.sort((a, b) => byText(a.label, b.label))) {
    if (worked(STEPS_PER_INDEX * index.keys.length)) yield null;
    yield row(index.name, label, index.keys, index.kind.toUpperCase());
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function* nodeTypeProperties(context: ProcedureContext): Rows {
  for (const shape of (yield* graphShape(context, -1)).nodes) yield* typeProperties([quoted(shape.labels), [...shape.labels]], shape);
}

function* relationshipTypeProperties(context: ProcedureContext): Rows {
  for (const shape of (yield* graphShape(context, -1)).relationships) yield* typeProperties([quoted([shape.type])], shape);
}

const PICTURE = fields('nodes LIST<NODE>, relationships LIST<RELATIONSHIP>');

/** Procedures that draw a graph of the schema, for which APOC has several names. */
const pictures: readonly Procedure[] = ['apoc.meta.graph', 'apoc.meta.graphSample', 'apoc.meta.subGraph'].map((name) => ({
  name,
  inputs: [CONFIGURATION],
  outputs: PICTURE,
  mode: 'READ',
  scans: 'everything',
  description: 'A virtual node for each label and a virtual relationship for each type and pair of labels, with counts.',
  call: (context) => picture(context, counted),
}));

/** The procedures that describe the schema and the graph. */
export const schemaProcedures: readonly Procedure[] = [
  {
    name: 'db.schema.visualization',
    inputs: [],
    outputs: PICTURE,
    mode: 'READ',
    scans: 'everything',
    description: 'A virtual node for each label and a virtual relationship for each type and pair of labels.',
    call: (context) => picture(context, (name) => new Map([['name', name]])),
  },
  {
    name: 'db.schema.nodeTypeProperties',
    inputs: [],
    outputs: fields('nodeType STRING, nodeLabels LIST<STRING>, propertyName STRING, propertyTypes LIST<STRING>, mandatory BOOLEAN'),
    mode: 'READ',
    scans: 'everything',
    description: 'The properties that nodes have, by their set of labels.',
    call: nodeTypeProperties,
  },
  {
    name: 'db.schema.relTypeProperties',
    inputs: [],
    outputs: fields('relType STRING, propertyName STRING, propertyTypes LIST<STRING>, mandatory BOOLEAN'),
    mode: 'READ',
    scans: 'everything',
    description: 'The properties that relationships have, by their type.',
    call: relationshipTypeProperties,
  },
  {
    name: 'apoc.meta.data',
    inputs: [CONFIGURATION],
    outputs: META_DATA,
    mode: 'READ',
    scans: 'everything',
    description: 'A row for each label and property, each type and property, and each label and type of its relationships.',
    call: (context, [configuration]) => metaData(context, sampleOf(configuration!)),
  },
  {
    name: 'apoc.meta.schema',
    inputs: [CONFIGURATION],
    outputs: fields('value MAP'),
    mode: 'READ',
    scans: 'everything',
    description: 'A map with an entry for each label and each type: counts, properties, and which relationships join which labels.',
    call: (context, [configuration]) => metaSchema(context, sampleOf(configuration!)),
  },
  {
    name: 'apoc.schema.properties.distinct',
    inputs: fields('label STRING, key STRING'),
    outputs: fields('value LIST<ANY>'),
    mode: 'READ',
    scans: 'everything',
    description: 'The values that a property of the nodes with a label has.',
    call: distinctValues,
  },
  ...pictures,
  {
    name: 'apoc.schema.nodes',
    inputs: [CONFIGURATION],
    outputs: fields(
      'name STRING, label ANY, properties LIST<STRING>, status STRING, type STRING, failure STRING, populationProgress FLOAT, ' +
        'size INTEGER, valuesSelectivity FLOAT, userDescription STRING',
    ),
    mode: 'READ',
    description: 'Indexes and constraints of nodes.',
    call: schemaNodes,
  },
];

/** Procedures that describe the graph: `db.schema.*`, and those of APOC that LangChain and LlamaIndex build their picture of it from. */
import type { GraphView } from '../../graph/index.ts';
import { isInteger, makeFloat, type Value, type ValueMap } from '../../value/index.ts';
import { virtualNode, virtualRelationship } from '../functions/virtual.ts';
import type { Procedure, ProcedureField } from '../runtime/procedure.ts';
import { constraintType, ownsIndex } from '../schema/constraint-types.ts';
import { byLabel, type EndsShape, type GraphShape, graphShape, type PropertyShape } from './graph-shape.ts';

const DEFAULT_SAMPLE = 1000;
const NO_CONFIGURATION: Value = new Map();
const CONFIGURATION = { name: 'config', type: 'MAP', default: NO_CONFIGURATION } as const;

/** `{sample: n}`: rows of each table to look at; -1: all. */
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

/** Types as `db.schema.nodeTypeProperties` has always named them. */
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

/** A node per label and a relationship per type and pair of labels. */
function picture(view: GraphView, shape: GraphShape, properties: (name: string, count: number) => ValueMap): Value[][] {
  const labels = [...byLabel(shape)];
  const ordinals = new Map(labels.map(([label], i) => [label, -1 - i]));
  const nodes = labels.map(([label, { count }]) =>
    virtualNode(ordinals.get(label)!, [label], nodeDetails(view, label, properties(label, count))),
  );
  let next = -1;
  const relationships: Value[] = [];
  for (const { type, ends } of shape.relationships) {
    for (const { source, target, count } of labelPairs(ends)) {
      const places = { source: ordinals.get(source)!, target: ordinals.get(target)! };
      relationships.push(virtualRelationship(next--, type, places, properties(type, count)));
    }
  }
  return [[nodes, relationships]];
}

function nodeDetails(view: GraphView, label: string, properties: ValueMap): ValueMap {
  const indexes = view.schema.indexes.filter((index) => index.entity === 'node' && index.labelOrType === label);
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

function labelPairs(ends: readonly EndsShape[]): { source: string; target: string; count: number }[] {
  const pairs = new Map<string, { source: string; target: string; count: number }>();
  for (const { source: sources, target: targets, count } of ends) {
    for (const source of sources) {
      for (const target of targets) {
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

/** Types as APOC names them. */
const APOC_TYPES: Readonly<Record<string, string>> = {
  LocalTime: 'LOCAL_TIME',
  DateTime: 'DATE_TIME',
  LocalDateTime: 'LOCAL_DATE_TIME',
  Vector: 'LIST',
};

/** Of the first value looked at, whatever types others have, as in APOC: tools build their next question from it, and know no name for several. */
function apocType(types: ReadonlySet<string>): string {
  const [first = 'Null'] = types;
  return APOC_TYPES[first] ?? first.toUpperCase();
}

const META_DATA = fields(
  'label STRING, property STRING, count INTEGER, unique BOOLEAN, index BOOLEAN, existence BOOLEAN, type STRING, array BOOLEAN, sample LIST<ANY>, left INTEGER, right INTEGER, other LIST<STRING>, otherLabels LIST<STRING>, elementType STRING',
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
  const concerns = (each: { entity: string; labelOrType: string; keys: readonly string[] }): boolean =>
    each.entity === elementType && each.labelOrType === label && each.keys.includes(property);
  const rules = view.schema.constraints.filter(concerns);
  const unique = rules.some((rule) => ownsIndex(rule) && rule.keys.length === 1);
  const index = unique || view.schema.indexes.some(concerns);
  const existence = rules.some((rule) => rule.kind === 'exists' || rule.kind === 'key');
  return [label, property, count, unique, index, existence, type, type === 'LIST', null, 0, 0, other, [], elementType];
}

function metaData(view: GraphView, shape: GraphShape): Value[][] {
  const rows: MetaRow[] = [];
  for (const [label, { properties }] of byLabel(shape)) {
    for (const [property, { types, seen }] of properties) {
      rows.push({ label, property, type: apocType(types), elementType: 'node', count: seen });
    }
  }
  for (const { type, properties, ends } of shape.relationships) {
    for (const [property, { types, seen }] of properties) {
      rows.push({ label: type, property, type: apocType(types), elementType: 'relationship', count: seen });
    }
    const pairs = labelPairs(ends);
    for (const source of new Set(pairs.map((pair) => pair.source))) {
      const targets = pairs.filter((pair) => pair.source === source);
      const count = targets.reduce((sum, pair) => sum + pair.count, 0);
      const other = targets.map((pair) => pair.target);
      rows.push({ label: source, property: type, type: 'RELATIONSHIP', elementType: 'node', count, other });
      rows.push({ label: type, property: source, type: 'RELATIONSHIP', elementType: 'relationship', count, other });
    }
  }
  return rows.map((row) => metaRow(view, row));
}

// ---------------------------------------------------------------- apoc.schema.nodes

function schemaNodes(view: GraphView): Value[][] {
  const { statistics } = view;
  const row = (name: string, label: string, keys: readonly string[], type: string): Value[] => {
    const size = statistics.nodesWithLabel(label);
    const distinct = keys.reduce((product, key) => Math.min(product * (statistics.distinctValues(label, key) ?? size), size), 1);
    const described = `:${label}(${keys.join(',')})`;
    const selectivity = makeFloat(size === 0 ? 0 : type === 'RANGE' ? distinct / size : 1);
    return [described, label, [...keys], 'ONLINE', type, 'NO FAILURE', makeFloat(100), size, selectivity, `name='${name}', ${described}`];
  };
  return [
    ...view.schema.indexes
      .filter((index) => index.entity === 'node' && index.kind !== 'lookup')
      .map((index) => row(index.name, index.labelOrType, index.keys, 'RANGE')),
    ...view.schema.constraints
      .filter((constraint) => constraint.entity === 'node')
      .map((constraint) => row(constraint.name, constraint.labelOrType, constraint.keys, constraintType(constraint))),
  ];
}

const PICTURE = fields('nodes LIST<NODE>, relationships LIST<RELATIONSHIP>');

/** The pictures that APOC draws under several names: all the same here. */
const pictures: readonly Procedure[] = ['apoc.meta.graph', 'apoc.meta.graphSample', 'apoc.meta.subGraph'].map((name) => ({
  name,
  inputs: [CONFIGURATION],
  outputs: PICTURE,
  mode: 'READ',
  scans: 'everything',
  description: 'A virtual node for each label and a virtual relationship for each type and pair of labels, with counts.',
  call: (context) => picture(context.view, graphShape(context, 0), counted),
}));

export const schemaProcedures: readonly Procedure[] = [
  {
    name: 'db.schema.visualization',
    inputs: [],
    outputs: PICTURE,
    mode: 'READ',
    scans: 'everything',
    description: 'A virtual node for each label and a virtual relationship for each type and pair of labels.',
    call: (context) => picture(context.view, graphShape(context, 0), (name) => new Map([['name', name]])),
  },
  {
    name: 'db.schema.nodeTypeProperties',
    inputs: [],
    outputs: fields('nodeType STRING, nodeLabels LIST<STRING>, propertyName STRING, propertyTypes LIST<STRING>, mandatory BOOLEAN'),
    mode: 'READ',
    scans: 'everything',
    description: 'The properties that nodes have, by their set of labels.',
    call: (context) => graphShape(context, -1).nodes.flatMap((shape) => typeProperties([quoted(shape.labels), [...shape.labels]], shape)),
  },
  {
    name: 'db.schema.relTypeProperties',
    inputs: [],
    outputs: fields('relType STRING, propertyName STRING, propertyTypes LIST<STRING>, mandatory BOOLEAN'),
    mode: 'READ',
    scans: 'everything',
    description: 'The properties that relationships have, by their type.',
    call: (context) => graphShape(context, -1).relationships.flatMap((shape) => typeProperties([quoted([shape.type])], shape)),
  },
  {
    name: 'apoc.meta.data',
    inputs: [CONFIGURATION],
    outputs: META_DATA,
    mode: 'READ',
    scans: 'everything',
    description: 'A row for each label and property, each type and property, and each label and type of its relationships.',
    call: (context, [configuration]) => metaData(context.view, graphShape(context, sampleOf(configuration!))),
  },
  ...pictures,
  {
    name: 'apoc.schema.nodes',
    inputs: [CONFIGURATION],
    outputs: fields(
      'name STRING, label ANY, properties LIST<STRING>, status STRING, type STRING, failure STRING, populationProgress FLOAT, size INTEGER, valuesSelectivity FLOAT, userDescription STRING',
    ),
    mode: 'READ',
    description: 'Indexes and constraints of nodes.',
    call: ({ view }) => schemaNodes(view),
  },
];

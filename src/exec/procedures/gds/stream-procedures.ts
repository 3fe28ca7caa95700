/** Procedures that stream, write to the database, and drop parts of projected graphs. */
import { fields, readConfiguration } from '../../../algorithms/index.ts';
import { monotonicMs } from '../../../base/index.ts';
import { makeFloat, NodeValue, type Value } from '../../../value/index.ts';
import { hasValue, propertyValue, widthOf } from '../../functions/libraries/projected-values.ts';
import type { Procedure, ProcedureField } from '../../runtime/procedure.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { checkWritable } from './graph-argument.ts';
import { filterOf, labelsOf, names, propertyOf, setOf, setsOf, weightsOf } from './graph-parts.ts';
import { mapOf, text } from './graph-procedures.ts';
import { openForWriting } from './open-parts.ts';

type Rows = Generator<readonly Value[] | null>;

const GRAPH_NAME = { name: 'graphName', type: 'STRING' } as const;
const ALL: Value = ['*'];
const LABELS = { name: 'nodeLabels', type: 'ANY', default: ALL };
const TYPES = { name: 'relationshipTypes', type: 'ANY', default: ALL };
const MAP = { name: 'configuration', type: 'MAP', default: new Map() } as const;
const COMMON_FIELDS = {
  concurrency: fields.integer(4, { min: 1 }),
  jobId: fields.optional(fields.string(undefined)),
  sudo: fields.boolean(false),
  username: fields.optional(fields.string(undefined)),
  logProgress: fields.boolean(true),
};
const STREAM_FIELDS = { ...COMMON_FIELDS, listNodeLabels: fields.boolean(false) };
const WRITE_FIELDS = {
  ...COMMON_FIELDS,
  writeConcurrency: fields.integer(4, { min: 1 }),
  writeBatchSize: fields.integer(10_000, { min: 1 }),
};

/** Yields a row for each node and property. @param withName whether the row contains the name of the property */
function* nodeProperties(context: ProcedureContext, [name, wanted, labels, configuration]: readonly Value[], withName: boolean): Rows {
  const { graph } = context.catalog.get(text('graphName', name));
  const { values } = readConfiguration(STREAM_FIELDS, mapOf('configuration', configuration));
  const properties = names('nodeProperties', wanted).map((key) => ({ key, property: propertyOf(graph, key) }));
  const isWanted = filterOf(graph, names('nodeLabels', labels));
  for (let node = 0; node < graph.nodeCount; node++) {
    for (const { key, property } of properties) {
      if (context.worked(widthOf(property, node))) yield null;
      if (!isWanted(node)) continue;
      const ownLabels = values.listNodeLabels ? labelsOf(graph, node) : [];
      const value = propertyValue(property, node);
      yield withName ? [graph.ordinals[node]!, key, value, ownLabels] : [graph.ordinals[node]!, value, ownLabels];
    }
  }
}

function* writeNodeProperties(context: ProcedureContext, [name, wanted, labels, configuration]: readonly Value[]): Rows {
  const began = monotonicMs();
  const { graph } = context.catalog.get(text('graphName', name));
  checkWritable(graph);
  const { values, shown } = readConfiguration(WRITE_FIELDS, mapOf('configuration', configuration));
  const renamed = propertyNames(wanted!).map(({ key, written }) => ({ key, written, property: propertyOf(graph, key) }));
  const isWanted = filterOf(graph, names('nodeLabels', labels));
  let count = 0;
  yield* openForWriting(context, graph);
  let { view } = context;
  for (let node = 0; node < graph.nodeCount; node++) {
    for (const { written, property } of renamed) {
      if (context.worked(1 + widthOf(property, node))) yield null;
      const ordinal = graph.ordinals[node]!;
      if (!isWanted(node) || !hasValue(property, node) || !view.nodeExists(ordinal)) continue;
      context.writes.setProperty(new NodeValue(ordinal), written, propertyValue(property, node));
      count++;
      if (count % values.writeBatchSize !== 0) continue;
      yield* context.commit();
      view = context.view;
    }
  }
  yield [Math.round(monotonicMs() - began), name!, renamed.map(({ key }) => key), count, shown];
}

/** Returns property names with the names under which they are written: equal, or given by a map `{name: 'written name'}`. */
function propertyNames(value: Value): { readonly key: string; readonly written: string }[] {
  if (Array.isArray(value)) return value.flatMap(propertyNames);
  if (value instanceof Map) return [...value].map(([key, written]) => ({ key, written: text('nodeProperties', written) }));
  return [{ key: text('nodeProperties', value), written: value as string }]; // as: it was checked
}

function dropNodeProperties({ catalog }: ProcedureContext, [name, wanted]: readonly Value[]): Value[][] {
  const entry = catalog.get(text('graphName', name));
  const keys = [...new Set(names('nodeProperties', wanted))];
  for (const key of keys) propertyOf(entry.graph, key);
  for (const key of keys) entry.graph.properties.delete(key);
  catalog.noteChange(entry);
  return [[name!, keys, keys.length * entry.graph.nodeCount]];
}

/** Yields a row for each relationship, or, with `keys`, for each of these properties; `withName` adds the name of the property. */
function* relationships(
  context: ProcedureContext,
  [name, types]: readonly Value[],
  keys: readonly string[] | null,
  withName: boolean,
): Rows {
  const { graph } = context.catalog.get(text('graphName', name));
  const { ordinals } = graph;
  for (const set of setsOf(graph, names('relationshipTypes', types))) {
    const columns = keys === null ? null : keys.map((key) => ({ key, values: weightsOf(set, key) }));
    const { offsets, targets } = set.csr;
    for (let node = 0; node < graph.nodeCount; node++) {
      if (context.worked(1)) yield null;
      for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
        if (context.worked(1 + (columns?.length ?? 0))) yield null;
        const front: Value[] = [ordinals[node]!, ordinals[targets[i]!]!, set.type];
        if (columns === null) yield front;
        else
          for (const { key, values } of columns)
            yield withName ? [...front, key, makeFloat(values[i]!)] : [...front, makeFloat(values[i]!)];
      }
    }
  }
}

function* writeRelationships(context: ProcedureContext, [name, type, property, configuration]: readonly Value[]): Rows {
  const began = monotonicMs();
  const { graph } = context.catalog.get(text('graphName', name));
  const { values, shown } = readConfiguration(WRITE_FIELDS, mapOf('configuration', configuration));
  checkWritable(graph);
  const set = setOf(graph, text('relationshipType', type));
  const key = text('relationshipProperty', property);
  const weights = key === '' ? null : weightsOf(set, key);
  const { offsets, targets } = set.csr;
  const keys = weights === null ? [] : [key];
  let count = 0;
  yield* openForWriting(context, graph);
  let { view } = context;
  for (let node = 0; node < graph.nodeCount; node++) {
    if (context.worked(1)) yield null;
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
      if (context.worked(2)) yield null;
      const [source, target] = [graph.ordinals[node]!, graph.ordinals[targets[i]!]!];
      if (!view.nodeExists(source) || !view.nodeExists(target)) continue;
      context.writes.createRelationship(set.type, source, target, keys, weights === null ? [] : [makeFloat(weights[i]!)]);
      count++;
      if (count % values.writeBatchSize !== 0) continue;
      yield* context.commit();
      view = context.view;
    }
  }
  yield [Math.round(monotonicMs() - began), name!, set.type, key === '' ? null : key, count, weights === null ? 0 : count, shown];
}

function dropRelationships({ catalog }: ProcedureContext, [name, type]: readonly Value[]): Value[][] {
  const entry = catalog.get(text('graphName', name));
  const set = setOf(entry.graph, text('relationshipType', type));
  entry.graph.relationships.delete(set.type);
  catalog.noteChange(entry);
  const count = set.csr.targets.length;
  return [[name!, set.type, count, new Map([...set.properties.keys()].map((key) => [key, count]))]];
}

const VALUE: readonly ProcedureField[] = [
  { name: 'propertyValue', type: 'ANY' },
  { name: 'nodeLabels', type: 'LIST<STRING>' },
];
const ENDS: readonly ProcedureField[] = [
  { name: 'sourceNodeId', type: 'INTEGER' },
  { name: 'targetNodeId', type: 'INTEGER' },
  { name: 'relationshipType', type: 'STRING' },
];
const RELATIONSHIP_TYPE = { name: 'relationshipType', type: 'STRING' } as const;

/** The procedures that stream, write and drop parts of projected graphs. */
export const streamProcedures: readonly Procedure[] = [
  {
    name: 'gds.graph.nodeProperty.stream',
    inputs: [GRAPH_NAME, { name: 'nodeProperties', type: 'STRING' }, LABELS, MAP],
    outputs: [{ name: 'nodeId', type: 'INTEGER' }, ...VALUE],
    mode: 'READ',
    usesCatalog: true,
    description: 'The values of a property of the nodes of a projected graph.',
    call: (context, args) => nodeProperties(context, args, false),
  },
  {
    name: 'gds.graph.nodeProperties.stream',
    inputs: [GRAPH_NAME, { name: 'nodeProperties', type: 'ANY' }, LABELS, MAP],
    outputs: [{ name: 'nodeId', type: 'INTEGER' }, { name: 'nodeProperty', type: 'STRING' }, ...VALUE],
    mode: 'READ',
    usesCatalog: true,
    description: 'The values of some properties of the nodes of a projected graph.',
    call: (context, args) => nodeProperties(context, args, true),
  },
  {
    name: 'gds.graph.nodeProperties.write',
    inputs: [GRAPH_NAME, { name: 'nodeProperties', type: 'ANY' }, LABELS, MAP],
    outputs: [
      { name: 'writeMillis', type: 'INTEGER' },
      GRAPH_NAME,
      { name: 'nodeProperties', type: 'LIST<STRING>' },
      { name: 'propertiesWritten', type: 'INTEGER' },
      { name: 'configuration', type: 'MAP' },
    ],
    mode: 'WRITE',
    projects: true,
    usesCatalog: true,
    description: 'Writes properties of the nodes of a projected graph to the database.',
    call: writeNodeProperties,
  },
  {
    name: 'gds.graph.nodeProperties.drop',
    inputs: [GRAPH_NAME, { name: 'nodeProperties', type: 'ANY' }, MAP],
    outputs: [GRAPH_NAME, { name: 'nodeProperties', type: 'LIST<STRING>' }, { name: 'propertiesRemoved', type: 'INTEGER' }],
    mode: 'READ',
    usesCatalog: true,
    description: 'Removes properties of nodes from a projected graph.',
    call: dropNodeProperties,
  },
  {
    name: 'gds.graph.relationships.stream',
    inputs: [GRAPH_NAME, TYPES, MAP],
    outputs: ENDS,
    mode: 'READ',
    usesCatalog: true,
    description: 'The relationships of a projected graph.',
    call: (context, [name, types]) => relationships(context, [name!, types!], null, false),
  },
  {
    name: 'gds.graph.relationshipProperty.stream',
    inputs: [GRAPH_NAME, { name: 'relationshipProperty', type: 'STRING' }, TYPES, MAP],
    outputs: [...ENDS, { name: 'propertyValue', type: 'FLOAT' }],
    mode: 'READ',
    usesCatalog: true,
    description: 'The values of a property of the relationships of a projected graph.',
    call: (context, [name, key, types]) => relationships(context, [name!, types!], [text('relationshipProperty', key)], false),
  },
  {
    name: 'gds.graph.relationshipProperties.stream',
    inputs: [GRAPH_NAME, { name: 'relationshipProperties', type: 'ANY' }, TYPES, MAP],
    outputs: [...ENDS, { name: 'relationshipProperty', type: 'STRING' }, { name: 'propertyValue', type: 'FLOAT' }],
    mode: 'READ',
    usesCatalog: true,
    description: 'The values of some properties of the relationships of a projected graph.',
    call: (context, [name, keys, types]) => relationships(context, [name!, types!], names('relationshipProperties', keys), true),
  },
  {
    name: 'gds.graph.relationship.write',
    inputs: [GRAPH_NAME, RELATIONSHIP_TYPE, { name: 'relationshipProperty', type: 'STRING', default: '' }, MAP],
    outputs: [
      { name: 'writeMillis', type: 'INTEGER' },
      GRAPH_NAME,
      RELATIONSHIP_TYPE,
      { name: 'relationshipProperty', type: 'STRING' },
      { name: 'relationshipsWritten', type: 'INTEGER' },
      { name: 'propertiesWritten', type: 'INTEGER' },
      { name: 'configuration', type: 'MAP' },
    ],
    mode: 'WRITE',
    projects: true,
    usesCatalog: true,
    description: 'Writes relationships of a projected graph to the database.',
    call: writeRelationships,
  },
  {
    name: 'gds.graph.relationships.drop',
    inputs: [GRAPH_NAME, RELATIONSHIP_TYPE],
    outputs: [GRAPH_NAME, RELATIONSHIP_TYPE, { name: 'deletedRelationships', type: 'INTEGER' }, { name: 'deletedProperties', type: 'MAP' }],
    mode: 'READ',
    usesCatalog: true,
    description: 'Removes relationships of a type from a projected graph.',
    call: dropRelationships,
  },
];

/** The aggregate `gds.graph.project(name, source, target, data, configuration)`: adds a graph made from rows to the catalog. */
import { fields, type GraphCatalog, type ProjectedGraph, RowProjection, readConfiguration } from '../../../algorithms/index.ts';
import { assert, monotonicMs, systemTimeMs } from '../../../base/index.ts';
import { argumentFault, isInteger, NodeValue, typeFault, typeName, type Value, type ValueMap } from '../../../value/index.ts';
import type { Accumulator } from '../definition.ts';

const CONFIGURATION = {
  undirectedRelationshipTypes: fields.strings([]),
  inverseIndexedRelationshipTypes: fields.strings([]),
  readConcurrency: fields.integer(4, { min: 1 }),
  jobId: fields.optional(fields.string(undefined)),
  sudo: fields.boolean(false),
  username: fields.optional(fields.string(undefined)),
  logProgress: fields.boolean(true),
};
const NODE_LIMIT = 2 ** 32;
const DATA_KEYS = [
  'sourceNodeLabels',
  'targetNodeLabels',
  'sourceNodeProperties',
  'targetNodeProperties',
  'relationshipType',
  'relationshipProperties',
];

function ordinalOf(what: string, value: Value): number {
  if (value instanceof NodeValue) return value.ordinal;
  if (isInteger(value) && value >= 0 && value < NODE_LIMIT) return Number(value);
  throw typeFault(`gds.graph.project takes a Node as its ${what}, not ${typeName(value)}`);
}

function mapOf(what: string, value: Value | undefined): ValueMap | undefined {
  if (value === undefined || value === null) return undefined;
  if (value instanceof Map) return value;
  throw typeFault(`gds.graph.project takes a Map as its ${what}, not ${typeName(value)}`);
}

function labelsOf(what: string, value: Value | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value as string[]; // as: each is one
  throw typeFault(`\`${what}\` must be a String or a List of Strings, not ${typeName(value)}`);
}

/** Makes the accumulator. The graph is added to the catalog when the result is first read; by page, it may be read again. */
export function projection(catalog?: GraphCatalog): Accumulator {
  let name: string | null = null;
  let rows: RowProjection | null = null;
  let graph: ProjectedGraph | null = null;
  let answer: ValueMap | null = null;
  let shown: ValueMap = new Map();
  const began = monotonicMs();
  return {
    add(given, source = null, target = null, data = null, configuration = null) {
      if (given === null) return;
      if (typeof given !== 'string') throw typeFault(`gds.graph.project takes a String as the name of the graph, not ${typeName(given)}`);
      if (rows === null) {
        assert(catalog !== undefined, 'the aggregate is given the catalog');
        catalog.checkNew(given);
        const read = readConfiguration(CONFIGURATION, mapOf('configuration', configuration) ?? new Map());
        rows = new RowProjection(read.values.undirectedRelationshipTypes);
        shown = read.shown;
        name = given;
      }
      if (given !== name) throw argumentFault('gds.graph.project is given one name for all rows of a graph');
      const map = mapOf('data', data);
      const unknown = map === undefined ? [] : [...map.keys()].filter((key) => !DATA_KEYS.includes(key));
      if (unknown.length > 0) throw argumentFault(`Unexpected configuration key${unknown.length === 1 ? '' : 's'}: ${unknown.join(', ')}`);
      const type = map?.get('relationshipType') ?? undefined;
      if (type !== undefined && typeof type !== 'string') throw typeFault(`\`relationshipType\` must be a String, not ${typeName(type)}`);
      const end = (what: 'source' | 'target', node: Value) => ({
        ordinal: ordinalOf(`${what} node`, node),
        isNode: node instanceof NodeValue,
        labels: labelsOf(`${what}NodeLabels`, map?.get(`${what}NodeLabels`)),
        properties: mapOf(`${what}NodeProperties`, map?.get(`${what}NodeProperties`)),
      });
      rows.add({
        source: end('source', source),
        target: target === null ? null : end('target', target),
        type,
        properties: mapOf('relationshipProperties', map?.get('relationshipProperties')),
      });
    },
    *finish(work) {
      if (rows !== null) graph = yield* rows.build(work);
    },
    result() {
      if (answer !== null || graph === null || name === null) return answer;
      assert(catalog !== undefined, 'the aggregate is given the catalog');
      const now = systemTimeMs();
      catalog.add({ name, graph, configuration: shown, createdMs: now, modifiedMs: now });
      answer = new Map<string, Value>([
        ['graphName', name],
        ['nodeCount', graph.nodeCount],
        ['relationshipCount', graph.relationshipCount],
        ['query', ''],
        ['projectMillis', Math.round(monotonicMs() - began)],
        ['configuration', shown],
      ]);
      return answer;
    },
  };
}

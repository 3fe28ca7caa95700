/** Scales properties of nodes one by one, and joins the results to one list for each node. O(nodes × properties). */
import { argumentFault, makeFloat, type Value, type ValueMap } from '../../value/index.ts';
import { strings } from '../configuration/fields.ts';
import { type NodeProperty, vectors } from '../graph/node-property.ts';
import type { Topology } from '../graph/topology.ts';
import { type Algorithm, type NodeOutcome, nodeAlgorithm } from '../table/algorithm.ts';
import { Arrays, overRange, type Phase } from '../work.ts';
import { scaleColumn, scaler } from './scalers.ts';

const FIELDS = { nodeProperties: strings(undefined), scaler: scaler(undefined) };

const pick: Phase<{ readonly property: NodeProperty; readonly topology: Topology; readonly at: number; readonly column: Float64Array }> = (
  { property, topology, at, column },
  from,
  to,
) => {
  for (let node = from; node < to; node++) {
    const member = topology.memberAt(node);
    column[node] = property.values[property.offsets === null ? member : property.offsets[member]! + at]!;
  }
};

const put: Phase<{ readonly column: Float64Array; readonly scaled: Float64Array; readonly at: number; readonly width: number }> = (
  state,
  from,
  to,
) => {
  const { column, scaled, at, width } = state;
  for (let node = from; node < to; node++) scaled[node * width + at] = column[node]!;
};

/** Returns the length of the lists of a property, 1 where it has single numbers. @throws ARGUMENT_ERROR when the lengths differ */
export function widthOfProperty(topology: Topology, name: string): number {
  const { offsets } = topology.property(name);
  if (offsets === null) return 1;
  const widths = new Set<number>();
  for (let node = 0; node < topology.nodeCount && widths.size < 2; node++) {
    const member = topology.memberAt(node);
    widths.add(offsets[member + 1]! - offsets[member]!);
  }
  if (widths.size > 1) throw argumentFault(`the lists of the node property \`${name}\` must have one length`);
  return [...widths][0] ?? 0;
}

/** Scales properties of nodes into one list for each node. */
export const scaleProperties: Algorithm<typeof FIELDS, NodeOutcome> = nodeAlgorithm({
  name: 'scaleProperties',
  description: 'Properties of nodes brought to a common scale.',
  modes: ['stream', 'stats', 'mutate', 'write'],
  fields: FIELDS,
  weights: 'none',
  needsUndirected: false,
  columns: [{ name: 'scaledProperty', type: 'LIST<FLOAT>' }],
  summary: [{ name: 'scalerStatistics', type: 'MAP' }],
  bytes: ({ nodeCount }, { nodeProperties }) => nodeCount * (8 * nodeProperties.length + 20),
  *run({ topology, configuration: { nodeProperties, scaler: chosen }, work }) {
    const { nodeCount } = topology;
    const widths = nodeProperties.map((name) => widthOfProperty(topology, name));
    const width = widths.reduce((sum, each) => sum + each, 0);
    const arrays = new Arrays(work);
    const scaled = arrays.float64(nodeCount * width);
    const column = arrays.float64(nodeCount);
    const statistics: ValueMap = new Map();
    let at = 0;
    for (const [i, name] of nodeProperties.entries()) {
      const own = new Map<string, Value[]>();
      for (let place = 0; place < widths[i]!; place++, at++) {
        yield* overRange(work, nodeCount, pick, { property: topology.property(name), topology, at: place, column });
        const found = yield* scaleColumn(column, chosen, work);
        yield* overRange(work, nodeCount, put, { column: found.values, scaled, at, width });
        work.release(found.values.byteLength);
        // as: lists of one
        for (const [fact, values] of found.statistics) own.set(fact, [...(own.get(fact) ?? []), ...(values as Value[])]);
      }
      statistics.set(name, own);
    }
    return {
      kind: 'nodes',
      properties: { '': vectors(scaled, width) },
      row: (node, id) => [id, Array.from(scaled.subarray(node * width, (node + 1) * width), makeFloat)],
      summary: { scalerStatistics: statistics },
    };
  },
});

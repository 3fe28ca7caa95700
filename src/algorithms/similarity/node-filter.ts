/** Reads `sourceNodeFilter` and `targetNodeFilter`: a label, or nodes; null: all nodes pass. */
import { argumentFault, quoted } from '../../value/index.ts';
import { sourcesIn } from '../graph/sources.ts';
import type { Topology } from '../graph/topology.ts';

/** Tells whether a node passes a filter. */
export type NodeFilter = (node: number) => boolean;

/** Returns the filter that a configuration describes. @throws ARGUMENT_ERROR when the label or a node is not in the graph */
export function filterOf(topology: Topology, name: string, given: string | readonly number[] | null): NodeFilter {
  if (given === null) return () => true;
  if (typeof given === 'string') {
    const bitmap = topology.graph.labels.get(given);
    if (bitmap === undefined) throw argumentFault(`The label ${quoted(given)} of \`${name}\` is not in the graph`);
    return (node) => bitmap[topology.memberAt(node)] === 1;
  }
  const wanted = new Set(sourcesIn(topology, name, given));
  return (node) => wanted.has(node);
}

/** Nodes that configurations name. */
import { argumentFault } from '../../value/index.ts';
import type { Topology } from './topology.ts';

/** The dense node of an ordinal. @throws ARGUMENT_ERROR: it is not among the selected nodes. */
export function sourceIn(topology: Topology, name: string, ordinal: number): number {
  const node = topology.nodeOf(ordinal);
  if (node < 0) throw argumentFault(`The value of \`${name}\` names the node ${ordinal}, which is not in the graph`);
  return node;
}

/** Maps ordinals of nodes to members of a topology. ARGUMENT_ERROR: one is not in it. */
export function sourcesIn(topology: Topology, name: string, ordinals: readonly number[]): number[] {
  return ordinals.map((ordinal) => sourceIn(topology, name, ordinal));
}

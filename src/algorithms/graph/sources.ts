/** Looks up the nodes that a configuration names. */
import { argumentFault } from '../../value/index.ts';
import type { Topology } from './topology.ts';

/** Returns the dense node of an ordinal. @throws ARGUMENT_ERROR when the node is not among the selected ones */
export function sourceIn(topology: Topology, name: string, ordinal: number): number {
  const node = topology.nodeOf(ordinal);
  if (node < 0) throw argumentFault(`The value of \`${name}\` names the node ${ordinal}, which is not in the graph`);
  return node;
}

/** Returns the dense nodes of ordinals, in their order. @throws ARGUMENT_ERROR when a node is not among the selected ones */
export function sourcesIn(topology: Topology, name: string, ordinals: readonly number[]): number[] {
  return ordinals.map((ordinal) => sourceIn(topology, name, ordinal));
}

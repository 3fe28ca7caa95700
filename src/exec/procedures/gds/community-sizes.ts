/** `minCommunitySize` and `minComponentSize`: nodes of smaller communities are neither streamed nor written. */
import type { Algorithm, NodeOutcome } from '../../../algorithms/index.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';

const STEPS_PER_NODE = 8;
const NODES_TOGETHER = 1024;

/** Returns a predicate that tells whether the community of a node is as large as the configuration requires. */
export function* largeEnough(
  { worked }: ProcedureContext,
  { minimumSize }: Algorithm,
  { communities }: NodeOutcome,
  values: Readonly<Record<string, unknown>>,
): Generator<null, (node: number) => boolean, void> {
  const least = minimumSize === undefined ? 0 : ((values[minimumSize] as number | undefined) ?? 0); // as: an integer field
  if (least <= 1 || communities === undefined) return () => true;
  const sizes = new Map<number, number>();
  for (let node = 0; node < communities.length; node++) {
    if (node % NODES_TOGETHER === 0 && worked(NODES_TOGETHER * STEPS_PER_NODE)) yield null;
    sizes.set(communities[node]!, (sizes.get(communities[node]!) ?? 0) + 1);
  }
  return (node) => sizes.get(communities[node]!)! >= least;
}

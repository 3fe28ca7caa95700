/** Converts paths to relationships: one from the first to the last node with the cost of the path, or one for each step. */
import type { PairOutcome, PathOutcome, Pieces, Work } from '../../../algorithms/index.ts';

/** Bytes of a pair while paths are converted. */
export const BYTES_PER_PAIR = 48;

/** Relationships as arrays of equal length, in the order of the paths. */
export interface Pairs {
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
}

/** Converts paths to relationships; with `isStepwise`, each step becomes one of weight 1. */
export function* pairsOfPaths(outcome: PathOutcome, work: Work): Pieces<Pairs> {
  const sources: number[] = [];
  const targets: number[] = [];
  const weights: number[] = [];
  for (const path of outcome.paths()) {
    if (path === null || work.worked(4)) yield null;
    if (path === null) continue;
    if (outcome.isStepwise) {
      work.charge(BYTES_PER_PAIR * path.nodes.length);
      for (let i = 1; i < path.nodes.length; i++) {
        sources.push(path.nodes[i - 1]!);
        targets.push(path.nodes[i]!);
        weights.push(1);
      }
      continue;
    }
    work.charge(BYTES_PER_PAIR);
    sources.push(path.nodes[0]!);
    targets.push(path.nodes.at(-1)!);
    weights.push(path.costs.at(-1) ?? 0);
  }
  return { sources: Uint32Array.from(sources), targets: Uint32Array.from(targets), weights: Float64Array.from(weights) };
}

/** Returns the relationships of an outcome in pairs; those of a tree lead from parents to children, and the root has none. */
export function relationshipsIn({ sources, targets, weights, isTree }: PairOutcome): Pairs {
  if (isTree !== true) return { sources, targets, weights };
  return { sources: targets.subarray(1), targets: sources.subarray(1), weights: weights.subarray(1) };
}

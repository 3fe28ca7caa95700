/**
 * Counters of a run. A case is one generated query, update, pair of queries or reader, over one generated graph; what
 * each is held against stands in `CASE`. A graph serves many cases, so that they cost little; the same text over the
 * same graph is not counted twice.
 */
export const KINDS = ['reads', 'updates', 'pairs', 'isolation'] as const;

export type Kind = (typeof KINDS)[number];

/** A description of one case of each kind, for whoever reads the figures. */
export const CASE: Record<Kind, string> = {
  reads:
    'one random query over one random graph, answered in several ways drawn from all stores and ways, each answer held against the oracle',
  updates: 'one random update of a graph in a session, its rows and counters and then the whole graph held against the oracle',
  pairs: 'a law drawn over a larger graph: two to five statements whose answers must agree with each other',
  isolation: 'one reader that was under way while others wrote, its rows held against those of when it began',
};

export interface Counts {
  readonly cases: Record<Kind, number>;
  graphs: number;
  /** Statements that were run to compare their answers. */
  runs: number;
  /** The oracle did not know, or it would have taken too long. Not counted as cases. */
  skipped: number;
  /** Both sides refused. */
  refused: number;
  rows: number;
  /** Runs that answered rows. */
  answered: number;
}

export const noCounts = (): Counts => ({
  cases: { reads: 0, updates: 0, pairs: 0, isolation: 0 },
  graphs: 0,
  runs: 0,
  skipped: 0,
  refused: 0,
  rows: 0,
  answered: 0,
});

export function casesOf({ cases }: Counts): number {
  return KINDS.reduce((sum, kind) => sum + cases[kind], 0);
}

/** All pairs, from lookups to the benchmark's own questions. */
import { AGGREGATES } from './aggregates.ts';
import { EXPANSIONS } from './expansions.ts';
import { LOOKUPS } from './lookups.ts';
import { OPTIONAL } from './optional.ts';
import type { QueryPair } from './pair.ts';
import { PATHS } from './paths.ts';
import { SOCIAL } from './social.ts';

export type { QueryPair } from './pair.ts';
export const QUERY_PAIRS: readonly QueryPair[] = [...LOOKUPS, ...EXPANSIONS, ...AGGREGATES, ...OPTIONAL, ...PATHS, ...SOCIAL];

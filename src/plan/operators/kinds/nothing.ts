/** Facts of kinds of which there is nothing to say: written out in their records all the same. */
import { type Effects, NO_EFFECTS } from '../../effects.ts';
import type { Load } from '../../loads.ts';

const NO_NAMES: readonly string[] = [];
const NO_LOADS: readonly Load[] = [];

/** The fact that no variables are named. */
export const noNames = (): readonly string[] => NO_NAMES;

/** The fact that the graph is neither read nor changed. */
export const noEffects = (): Effects => NO_EFFECTS;

/** The fact that nothing must be in memory. */
export const noLoads = (): readonly Load[] => NO_LOADS;

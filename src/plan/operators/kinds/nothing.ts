/** Facts of kinds that name no variables, have no effects or need no loads. Each record still names them one by one. */
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

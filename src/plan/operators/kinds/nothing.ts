/** Facts of kinds of which there is nothing to say: written out in their records all the same. */
import { type Effects, NO_EFFECTS } from '../../effects.ts';
import type { Load } from '../../loads.ts';

const NO_NAMES: readonly string[] = [];
const NO_LOADS: readonly Load[] = [];

export const noNames = (): readonly string[] => NO_NAMES;
export const noEffects = (): Effects => NO_EFFECTS;
export const noLoads = (): readonly Load[] => NO_LOADS;

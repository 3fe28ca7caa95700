/** Facts that many kinds of expression have in common: written out in their records all the same. */
export const noEntity = (): boolean => false;
export const perhapsEntity = (): boolean => true;

/** Share of rows that a predicate leaves when nothing is known about it. */
export const UNKNOWN_SELECTIVITY = 0.5;
export const unknownSelectivity = (): number => UNKNOWN_SELECTIVITY;
/** A box or a circle: whoever asks for one means a small part of the map. */
export const AREA_SELECTIVITY = 0.02;

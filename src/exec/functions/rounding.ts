/** Rounds Floats to decimal places in their shortest decimal form, so that 2.675 rounds as it reads, not as its binary neighbour. */
import { argumentFault, quoted } from '../../value/index.ts';

/** The modes of rounding. */
export const ROUNDING_MODES = ['UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_DOWN', 'HALF_EVEN'] as const;

/** A mode of rounding. */
export type RoundingMode = (typeof ROUNDING_MODES)[number];

/** Parses a rounding mode. @throws ARGUMENT_ERROR if it is unknown */
export function parseRoundingMode(name: string): RoundingMode {
  const mode = ROUNDING_MODES.find((known) => known === name.toUpperCase());
  if (mode === undefined) throw argumentFault(`round() knows no mode ${quoted(name)}: ${ROUNDING_MODES.join(', ')}`);
  return mode;
}

/** Rounds to the nearest whole number, ties towards positive infinity. */
export function roundHalfCeiling(x: number): number {
  const floor = Math.floor(x);
  return x - floor >= 0.5 ? floor + 1 : floor;
}

/** Rounds to decimal places, and returns the double nearest to the rounded decimal; 0.0 if it rounds to zero, never -0.0. */
export function roundToPlaces(x: number, places: number, mode: RoundingMode): number {
  if (!Number.isFinite(x) || x === 0) return x;
  const [mantissa = '', exponentText = '0'] = Math.abs(x).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const kept = Number(exponentText) + 1 + places;
  if (kept >= digits.length) return x;
  const whole = kept > 0 ? BigInt(digits.slice(0, kept)) : 0n;
  const rest = kept >= 0 ? digits.slice(kept) : `0${digits}`;
  const rounded = roundsAway(whole, rest, x < 0, mode) ? whole + 1n : whole;
  return Number(`${x < 0 && rounded !== 0n ? '-' : ''}${rounded}e${-places}`);
}

/** Tells whether the magnitude is rounded up. @param rest the digits that are cut off, as a fraction, not all zero */
function roundsAway(whole: bigint, rest: string, negative: boolean, mode: RoundingMode): boolean {
  const tie = /^50*$/.test(rest);
  const beyondHalf = (rest[0] as string) >= '5' && !tie;
  switch (mode) {
    case 'UP':
      return true;
    case 'DOWN':
      return false;
    case 'CEILING':
      return !negative;
    case 'FLOOR':
      return negative;
    case 'HALF_UP':
      return beyondHalf || tie;
    case 'HALF_DOWN':
      return beyondHalf;
    case 'HALF_EVEN':
      return beyondHalf || (tie && whole % 2n === 1n);
  }
}

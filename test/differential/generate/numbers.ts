/** Numbers at which rounding, means and deviations go wrong. */
import { source } from './expressions.ts';
import type { Scope, Writer } from './scope.ts';

const MODES = ['UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_DOWN', 'HALF_EVEN'] as const;
/** Ties in decimal, with doubles on either side of them, and what has no place to round to. */
const TIES = [
  '1.5',
  '-1.5',
  '2.5',
  '-2.5',
  '-0.5',
  '0.125',
  '-0.125',
  '2.675',
  '-1.005',
  '1.45',
  '-0.25',
  '1234.5678',
  '1e300',
  '5',
  '-7',
] as const;

/** A zero has no sign behind it: which one a rounded number has is open. */
export function roundedNumber(scope: Scope, writer: Writer): string {
  const { random } = writer;
  const number = random.chance(0.7) ? random.pick(TIES) : source('float', scope, writer);
  const places = random.pick(['', ', 0', ', 0', ', 1', ', 2', ', 3']);
  const mode = places === '' || random.chance(0.4) ? '' : `, '${random.pick(MODES)}'`;
  return `(round(${number}${places}${mode}) + 0.0)`;
}

/** Numbers of one sign, so that the last digits of a mean depend on the order of adding up, and no more. */
const HUGE = ['1.7e308', '1.6e308', '1.1e308', '8.9e307', '1.0e308', '3.0e307'] as const;

export function hugeNumbers({ random }: Writer): string {
  const sign = random.chance(0.3) ? '-' : '';
  return `[${Array.from({ length: random.between(1, 5) }, () => `${sign}${random.pick(HUGE)}`).join(', ')}]`;
}

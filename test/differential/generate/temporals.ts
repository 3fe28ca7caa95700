/** Temporal values as calls with a text, and numbers that tell modes of rounding apart. */
import type { Writer } from './scope.ts';

const DATES = ['2020-01-01', '1999-12-31', '2024-02-29'] as const;
const CLOCKS = ['08:40', '00:00', '23:59:00', '12:31:14', '08:40:00.001', '12:31:14.645', '00:00:00.645876', '12:31:14.645876123'] as const;
const OFFSETS = ['Z', '+01:00', '-05:30'] as const;

/** No fraction ends in a zero that groups of three digits would show. */
export function temporal({ random }: Writer): string {
  const [date, clock, offset] = [random.pick(DATES), random.pick(CLOCKS), random.pick(OFFSETS)];
  return random.pick([
    `date('${date}')`,
    `localtime('${clock}')`,
    `time('${clock}${offset}')`,
    `localdatetime('${date}T${clock}')`,
    `datetime('${date}T${clock}${offset}')`,
  ]);
}

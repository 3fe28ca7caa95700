/**
 * For tests of other layers: arbitrary values of every type, and values that a property can hold and that every text
 * form reads back. For the latter the offset of a DateTime must be that of its zone.
 */
import * as fc from 'fast-check';
import { CypherDateTime, parseTemporal, type Value } from '../index.ts';
import { scalar } from './arbitraries.ts';

export { anyValue } from './arbitraries.ts';

const zoned = fc
  .tuple(
    fc.constantFrom('0000-01-01', '1969-12-31', '2024-10-27', '2024-03-31', '+12024-02-29', '-0044-03-15'),
    fc.constantFrom('00:00', '02:30', '23:59:59.999999999', '12:00:00.001'),
    fc.constantFrom('Z', '+05:45', '-18:00', '[Europe/Stockholm]', '[Asia/Tokyo]'),
  )
  .map(([date, time, zone]) => parseTemporal('datetime', `${date}T${time}${zone}`));

const possible = fc.oneof(
  zoned,
  scalar.filter((value) => !(value instanceof CypherDateTime)),
);

export const storedProperty: fc.Arbitrary<Value> = fc.oneof(
  possible,
  fc.array(
    possible.filter((value) => !(value instanceof Uint8Array) && !(value instanceof Float32Array)),
    { maxLength: 3 },
  ),
  fc.array(fc.string({ unit: 'grapheme', maxLength: 3 }), { maxLength: 3 }),
);

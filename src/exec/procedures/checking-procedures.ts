/** `apoc.util.validate`: lets a statement throw an error of its own. */
import { argumentFault, typeFault, type Value } from '../../value/index.ts';
import { formatted } from '../functions/libraries/apoc/conversions.ts';
import type { Procedure } from '../runtime/procedure.ts';
import { bytesInside } from '../runtime/rows/value-bytes.ts';

/** Bytes of the text of a value for each byte of the value. */
const TEXT_BYTES = 2;

/** The procedure `apoc.util.validate`. */
export const checkingProcedures: readonly Procedure[] = [
  {
    name: 'apoc.util.validate',
    inputs: [
      { name: 'predicate', type: 'BOOLEAN' },
      { name: 'message', type: 'STRING' },
      { name: 'params', type: 'LIST<ANY>', default: [] },
    ],
    outputs: [],
    mode: 'READ',
    description: 'Raises an error with the message where the predicate is true; %s and %d in it stand for the parameters.',
    call({ chargeBytes, worked }, [predicate, message, params]): Value[][] {
      if (predicate !== true) return [];
      if (typeof message !== 'string') throw typeFault('a message is a String');
      const values = Array.isArray(params) ? params : [];
      chargeBytes(TEXT_BYTES * bytesInside(values, { count: (steps) => void worked(steps) }));
      throw argumentFault(formatted(message, values));
    },
  },
];

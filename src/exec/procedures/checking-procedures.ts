/** `apoc.util.validate`: lets a statement throw an error of its own. */
import { argumentFault, typeFault, type Value } from '../../value/index.ts';
import { formatted } from '../functions/libraries/apoc/conversions.ts';
import type { Procedure } from '../runtime/procedure.ts';

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
    call(_, [predicate, message, params]): Value[][] {
      if (predicate !== true) return [];
      if (typeof message !== 'string') throw typeFault('a message is a String');
      throw argumentFault(formatted(message, Array.isArray(params) ? params : []));
    },
  },
];

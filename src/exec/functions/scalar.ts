/** Functions that belong to no particular type of value. */
import type { scalarFacts } from '../../functions/index.ts';
import { equals, type Value } from '../../value/index.ts';
import type { FunctionContext, Implementations } from './definition.ts';
import { valueTypeText } from './value-type.ts';

function coalesce(_: unknown, ...inputs: Value[]): Value {
  for (const input of inputs) if (input !== null) return input;
  return null;
}

function timestamp({ statementTime: { epochSecond, nano } }: Pick<FunctionContext, 'statementTime'>): Value {
  return epochSecond * 1000 + Math.floor(nano / 1e6);
}

/** The functions that belong to no particular type of value. */
export const scalarFunctions: Implementations<typeof scalarFacts> = {
  coalesce: coalesce,
  nullIf: (_, value, other) => (equals(value, other) === true ? null : value),
  exists: (_, input) => input !== null,
  valueType: (_, input) => valueTypeText(input),
  timestamp: timestamp,
  randomUUID: (context) => context.randomUuid(),
  file: (context) => context.csvPlace()?.url ?? null,
  linenumber: (context) => context.csvPlace()?.line ?? null,
};

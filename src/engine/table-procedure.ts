/** Arguments of a procedure against their declared types. */
import { GraphDBError } from '../base/index.ts';
import { aType, isFloat, isInteger, type Value } from '../value/index.ts';
import type { ProcedureField } from './api.ts';

const TESTS: Readonly<Record<string, (value: Value) => boolean>> = {
  STRING: (value) => typeof value === 'string',
  INTEGER: isInteger,
  FLOAT: (value) => isFloat(value) || isInteger(value),
  NUMBER: (value) => isFloat(value) || isInteger(value),
  BOOLEAN: (value) => typeof value === 'boolean',
  ANY: () => true,
};

export function checkArguments(name: string, inputs: readonly ProcedureField[], args: readonly Value[]): void {
  inputs.forEach((input, i) => {
    const value = args[i] ?? null;
    const fits = value === null ? input.type.endsWith('?') : (TESTS[input.type.replace(/\?$/, '')] ?? (() => true))(value);
    if (fits) return;
    const tck = { type: 'SyntaxError', phase: 'compile time', detail: 'InvalidArgumentType' } as const;
    throw new GraphDBError('TYPE_ERROR', `${name}() takes a ${input.type} for ${input.name}, not ${aType(value)}`, { tck });
  });
}

/** How the TCK declares the procedures that its scenarios call: as tables. */
import { GraphDBError } from '../../src/base/index.ts';
import type { Procedure } from '../../src/exec/index.ts';
import { aType, equals, isFloat, isInteger, type Value } from '../../src/value/index.ts';

/** A procedure that answers from a table: CALL yields the outputs of the rows whose inputs equal the arguments, in table order. */
export interface ProcedureDefinition {
  /** With its namespace: `test.my.proc`. */
  readonly name: string;
  readonly inputs: readonly ProcedureField[];
  /** Empty for a procedure that yields nothing. */
  readonly outputs: readonly ProcedureField[];
  /** Each row holds one value per input, then one per output. */
  readonly rows: readonly (readonly Value[])[];
}

interface ProcedureField {
  readonly name: string;
  /** As declared: `STRING?`, `INTEGER?`, `FLOAT?`, `NUMBER?`, `BOOLEAN?`, `ANY?`; the question mark admits null. */
  readonly type: string;
}

export function tableProcedure({ name, inputs, outputs, rows }: ProcedureDefinition): Procedure {
  return {
    name,
    inputs,
    outputs,
    mode: 'READ',
    description: 'Answers from a table.',
    call(_context, args) {
      checkArguments(name, inputs, args);
      const fits = rows.filter((row) => inputs.every((_, i) => row[i] === args[i] || equals(row[i]!, args[i]!) === true));
      return fits.map((row) => row.slice(inputs.length));
    },
  };
}

const TESTS: Readonly<Record<string, (value: Value) => boolean>> = {
  STRING: (value) => typeof value === 'string',
  INTEGER: isInteger,
  FLOAT: (value) => isFloat(value) || isInteger(value),
  NUMBER: (value) => isFloat(value) || isInteger(value),
  BOOLEAN: (value) => typeof value === 'boolean',
  ANY: () => true,
};

/** TYPE_ERROR: an argument is not of the declared type. */
function checkArguments(name: string, inputs: readonly ProcedureField[], args: readonly Value[]): void {
  inputs.forEach((input, i) => {
    const value = args[i] ?? null;
    const fits = value === null ? input.type.endsWith('?') : (TESTS[input.type.replace(/\?$/, '')] ?? (() => true))(value);
    if (fits) return;
    const tck = { type: 'SyntaxError', phase: 'compile time', detail: 'InvalidArgumentType' } as const;
    throw new GraphDBError('TYPE_ERROR', `${name}() takes a ${input.type} for ${input.name}, not ${aType(value)}`, { tck });
  });
}

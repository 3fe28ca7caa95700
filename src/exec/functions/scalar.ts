/** Functions that belong to no type of value. */
import { randomUUID } from 'node:crypto';
import { equals, type Value } from '../../value/index.ts';
import { define, parameter, repeated } from './define.ts';
import type { FunctionContext, FunctionDefinition } from './definition.ts';
import { valueTypeText } from './value-type.ts';

const INPUT = parameter('input', 'Any');

function coalesce(_: FunctionContext, ...inputs: Value[]): Value {
  for (const input of inputs) if (input !== null) return input;
  return null;
}

function timestamp(context: FunctionContext): Value {
  const { epochSecond, nano } = context.statementTime;
  return epochSecond * 1000 + Math.floor(nano / 1e6);
}

export const scalarFunctions: readonly FunctionDefinition[] = [
  define({
    name: 'coalesce',
    parameters: [repeated('input', 'Any')],
    returns: 'Any',
    category: 'Scalar',
    description: 'The first argument that is not null.',
    takesNulls: true,
    evaluate: coalesce,
  }),
  define({
    name: 'nullIf',
    parameters: [parameter('value', 'Any'), parameter('other', 'Any')],
    returns: 'Any',
    category: 'Scalar',
    description: 'Null when the two are equal, else the first.',
    takesNulls: true,
    evaluate: (_, value, other) => (equals(value, other) === true ? null : value),
  }),
  define({
    name: 'exists',
    parameters: [INPUT],
    returns: 'Boolean',
    category: 'Predicate',
    description: 'Whether the value is not null.',
    takesNulls: true,
    evaluate: (_, input) => input !== null,
  }),
  define({
    name: 'valueType',
    parameters: [INPUT],
    returns: 'String',
    category: 'Scalar',
    description: 'The type of the value.',
    takesNulls: true,
    evaluate: (_, input) => valueTypeText(input),
  }),
  define({
    name: 'timestamp',
    parameters: [],
    returns: 'Integer',
    category: 'Scalar',
    description: 'Milliseconds from 1970-01-01T00:00Z to the start of the statement.',
    volatile: true,
    evaluate: timestamp,
  }),
  define({
    name: 'randomUUID',
    parameters: [],
    returns: 'String',
    category: 'Scalar',
    description: 'A random UUID.',
    volatile: true,
    evaluate: () => randomUUID(),
  }),
  define({
    name: 'file',
    parameters: [],
    returns: 'String',
    category: 'Scalar',
    description: 'The URL of the file that LOAD CSV reads; null outside of it.',
    volatile: true,
    evaluate: (context) => context.csvPlace()?.url ?? null,
  }),
  define({
    name: 'linenumber',
    parameters: [],
    returns: 'Integer',
    category: 'Scalar',
    description: 'The line on which the row that LOAD CSV gave last begins; null outside of it.',
    volatile: true,
    evaluate: (context) => context.csvPlace()?.line ?? null,
  }),
];

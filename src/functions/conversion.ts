/**
 * Facts of conversions between scalar types: `toX` (null for text that is no such value, TypeError for other types),
 * `toXOrNull` (null instead of any error) and `toXList` (each element as `toXOrNull`).
 */
import type { FunctionTable, TypeName } from './facts.ts';
import { checkedWhenCalled, PURE, parameter } from './parameters.ts';

function checked(returns: TypeName, ...accepted: TypeName[]) {
  return {
    ...PURE,
    parameters: [checkedWhenCalled(parameter('input', ...accepted))],
    returns,
    cost: { linearIn: ['input'] },
    category: 'Scalar',
    description: `The input as ${returns}, null for text that is none.`,
  } as const;
}

function orNull(returns: TypeName) {
  return {
    ...PURE,
    parameters: [parameter('input', 'Any')],
    returns,
    cost: { linearIn: ['input'] },
    category: 'Scalar',
    description: `The input as ${returns}, null for what cannot be converted.`,
  } as const;
}

function ofElements(element: TypeName) {
  return {
    ...PURE,
    parameters: [parameter('input', 'List')],
    returns: 'List',
    infers: { listOf: element },
    cost: { deepIn: ['input'] },
    category: 'List',
    description: `The elements as ${element}, null for those that cannot be converted.`,
  } as const;
}

/** The facts of conversions between scalar types. */
export const conversionFacts = {
  toInteger: checked('Integer', 'Number', 'String', 'Boolean'),
  toIntegerOrNull: orNull('Integer'),
  toIntegerList: ofElements('Integer'),
  toFloat: checked('Float', 'Number', 'String'),
  toFloatOrNull: orNull('Float'),
  toFloatList: ofElements('Float'),
  toBoolean: checked('Boolean', 'Boolean', 'String', 'Integer'),
  toBooleanOrNull: orNull('Boolean'),
  toBooleanList: ofElements('Boolean'),
  toString: checked('String', 'String', 'Number', 'Boolean', 'Date', 'Time', 'LocalTime', 'DateTime', 'LocalDateTime', 'Duration', 'Point'),
  toStringOrNull: orNull('String'),
  toStringList: ofElements('String'),
} as const satisfies FunctionTable;

/** Functions on lists and other containers. */
import {
  argumentFault,
  assertListLength,
  codePointLength,
  type Integer,
  makeInteger,
  NodeValue,
  RelationshipValue,
  type Value,
} from '../../value/index.ts';
import { integerArgument, listArgument, wrongArgument } from './arguments.ts';
import { define, optional, parameter } from './define.ts';
import type { FunctionContext, FunctionDefinition } from './definition.ts';

const LIST = parameter('list', 'List');

function size(input: Value): Value {
  if (Array.isArray(input) || input instanceof Float32Array || input instanceof Uint8Array) return input.length;
  if (typeof input === 'string') return codePointLength(input);
  throw wrongArgument('size', 'a List or a String', input);
}

function isEmpty(input: Value): Value {
  if (Array.isArray(input) || typeof input === 'string') return input.length === 0;
  if (input instanceof Map) return input.size === 0;
  throw wrongArgument('isEmpty', 'a List, a Map or a String', input);
}

/** The Integers from start to end, both included, in steps; empty when the step leads away. */
export function range(start: Value, end: Value, step: Value = 1): Value[] {
  const from = integerArgument('range', start);
  const to = integerArgument('range', end);
  const by = integerArgument('range', step);
  if (by === 0) throw argumentFault('the step of range() must not be 0', 'NumberOutOfRange');
  if (by > 0 ? from > to : from < to) return [];
  const length = rangeLength(from, to, by);
  assertListLength(length, 'range()');
  if (typeof from === 'number' && typeof to === 'number' && typeof by === 'number')
    return Array.from({ length }, (_, index) => from + index * by);
  return Array.from({ length }, (_, index) => makeInteger(BigInt(from) + BigInt(index) * BigInt(by)));
}

function rangeLength(from: Integer, to: Integer, by: Integer): number {
  return Number((BigInt(to) - BigInt(from)) / BigInt(by)) + 1;
}

/** Of nodes and relationships in one order, however they came to have them: who groups by them gets one group. */
function keys(context: FunctionContext, input: Value): Value {
  if (input instanceof Map) return [...input.keys()];
  if (input instanceof NodeValue) return [...context.graph.nodeProperties(input).keys()].sort();
  if (input instanceof RelationshipValue) return [...context.graph.relationshipProperties(input).keys()].sort();
  throw wrongArgument('keys', 'a Map, a Node or a Relationship', input);
}

export const listFunctions: readonly FunctionDefinition[] = [
  define({
    name: 'head',
    parameters: [LIST],
    returns: 'Any',
    category: 'List',
    description: 'The first element, null for none.',
    evaluate: (_, list) => listArgument('head', list)[0] ?? null,
  }),
  define({
    name: 'last',
    parameters: [LIST],
    returns: 'Any',
    category: 'List',
    description: 'The last element, null for none.',
    evaluate: (_, list) => listArgument('last', list).at(-1) ?? null,
  }),
  define({
    name: 'tail',
    parameters: [LIST],
    returns: 'List',
    category: 'List',
    description: 'All elements but the first.',
    evaluate: (_, list) => listArgument('tail', list).slice(1),
  }),
  define({
    name: 'range',
    parameters: [parameter('start', 'Integer'), parameter('end', 'Integer'), optional('step', 'Integer')],
    returns: 'List',
    category: 'List',
    description: 'The Integers from start to end, both included, in steps of 1 or the given one.',
    evaluate: (_, start, end, step) => range(start, end, step),
  }),
  define({
    name: 'size',
    parameters: [parameter('input', 'List', 'String', 'Vector', 'Bytes')],
    returns: 'Integer',
    category: 'List',
    description: 'The number of elements or characters.',
    evaluate: (_, input) => size(input),
  }),
  define({
    name: 'isEmpty',
    parameters: [parameter('input', 'List', 'Map', 'String')],
    returns: 'Boolean',
    category: 'Predicate',
    description: 'Whether there is nothing in it.',
    evaluate: (_, input) => isEmpty(input),
  }),
  define({
    name: 'keys',
    parameters: [parameter('input', 'Map', 'Node', 'Relationship')],
    returns: 'List',
    category: 'List',
    description: 'The names of the entries or properties.',
    volatile: true,
    evaluate: keys,
  }),
];

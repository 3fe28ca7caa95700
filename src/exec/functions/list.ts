/** Functions on lists and other containers. */
import type { listFacts } from '../../functions/index.ts';
import {
  argumentFault,
  assertListLength,
  codePointLength,
  type Integer,
  listWithRoom,
  makeInteger,
  NodeValue,
  RelationshipValue,
  type Value,
} from '../../value/index.ts';
import { integerArgument, listArgument, wrongArgument } from './arguments.ts';
import type { Allowed, GraphReads, Implementations } from './definition.ts';

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

/** Lists with at most this many elements are made without counting steps. */
const FEW = 64;
const BYTES_PER_NUMBER = 8;

/** Returns the Integers from start to end, both included, with a step; none if the step leads away from the end. */
function range({ allowance }: Allowed, start: Value, end: Value, step: Value = 1): Value[] {
  const from = integerArgument('range', start);
  const to = integerArgument('range', end);
  const by = integerArgument('range', step);
  if (by === 0) throw argumentFault('the step of range() must not be 0', 'NumberOutOfRange');
  if (by > 0 ? from > to : from < to) return [];
  const length = rangeLength(from, to, by);
  assertListLength(length, 'range()');
  if (length > FEW) {
    allowance.count(length);
    allowance.hold(BYTES_PER_NUMBER * length);
  }
  if (typeof from === 'number' && typeof to === 'number' && typeof by === 'number') {
    const list = listWithRoom<Value>(length);
    // Each sum is an element, and so exact, which a product of index and step need not be.
    for (let index = 0, element = from; index < length; index++, element += by) list[index] = element;
    return list;
  }
  return Array.from({ length }, (_, index) => makeInteger(BigInt(from) + BigInt(index) * BigInt(by)));
}

function rangeLength(from: Integer, to: Integer, by: Integer): number {
  return Number((BigInt(to) - BigInt(from)) / BigInt(by)) + 1;
}

/** Returns the keys of a value. Those of entities are sorted, so that grouping by them does not depend on how they were set. */
function keys({ graph }: GraphReads['properties'], input: Value): Value {
  if (input instanceof Map) return [...input.keys()];
  if (input instanceof NodeValue) return [...graph.nodeProperties(input).keys()].sort();
  if (input instanceof RelationshipValue) return [...graph.relationshipProperties(input).keys()].sort();
  throw wrongArgument('keys', 'a Map, a Node or a Relationship', input);
}

/** The functions on lists. */
export const listFunctions: Implementations<typeof listFacts> = {
  head: (_, list) => listArgument('head', list)[0] ?? null,
  last: (_, list) => listArgument('last', list).at(-1) ?? null,
  tail: (_, list) => listArgument('tail', list).slice(1),
  range,
  size: (_, input) => size(input),
  isEmpty: (_, input) => isEmpty(input),
  keys,
};

/**
 * Counts the work of a call by the cost in its facts before the call, and holds the memory of its result (requirement
 * S2). The result of a function of linear cost takes no more memory than the values that it traverses; a function with
 * a larger result holds the memory itself.
 */
import type { Cost, FunctionFacts, Parameter, TypeName } from '../../functions/index.ts';
import { NodeValue, PathValue, RelationshipValue, type Value } from '../../value/index.ts';
import type { Allowance, FunctionContext } from './definition.ts';

/** Binary logarithm of the characters traversed in the time of one step. */
const CHARACTERS_PER_STEP = 3;
const BYTES_PER_STEP = 8;
/** Calls with texts of at most this many characters count no extra work. */
const FEW_CHARACTERS = 64;
/** Steps to read the properties of an entity: each is short, or its size was counted when it was made. */
const STEPS_OF_ENTITY = 8;
/** More steps than may ever pass between two checks of the clock. */
const MOST_STEPS = 2 ** 24;

/** Returns the steps to traverse a value once (its characters, elements, entries or bytes); 0 for a short one. */
function lengthOf(value: Value | undefined): number {
  if (typeof value === 'string') return value.length >> CHARACTERS_PER_STEP;
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  if (value instanceof Float32Array || value instanceof Uint8Array) return value.length;
  if (value instanceof PathValue) return value.nodes.length;
  return value instanceof NodeValue || value instanceof RelationshipValue ? STEPS_OF_ENTITY : 0;
}

function textLengthOf(value: Value | undefined): number {
  return typeof value === 'string' ? value.length >> CHARACTERS_PER_STEP : 0;
}

type Steps = (allowance: Allowance, value: Value | undefined) => number;

const length: Steps = (_, value) => lengthOf(value);
const textLength: Steps = (_, value) => textLengthOf(value);

const deepSize: Steps = (allowance, value) =>
  typeof value === 'object' && value !== null ? Math.floor(allowance.bytesOf(value) / BYTES_PER_STEP) : textLengthOf(value);

/** Whether a function that returns a type may make a value of considerable size. */
const MAKES: Readonly<Record<TypeName, boolean>> = {
  Any: true,
  Boolean: false,
  Integer: false,
  Float: false,
  Number: false,
  String: true,
  Bytes: true,
  Vector: true,
  List: true,
  Map: true,
  Node: false,
  Relationship: false,
  Path: false,
  Date: false,
  Time: false,
  LocalTime: false,
  DateTime: false,
  LocalDateTime: false,
  Duration: false,
  Point: false,
};

/** Returns how parameters count, added up or multiplied; null if the call counts nothing beforehand. */
function priceOf(cost: Cost): { readonly names: readonly string[]; readonly steps: Steps; readonly isProduct: boolean } | null {
  if (cost === 'constant' || cost === 'answer') return null;
  if ('linearIn' in cost) return { names: cost.linearIn, steps: length, isProduct: false };
  if ('textOf' in cost) return { names: cost.textOf, steps: textLength, isProduct: false };
  if ('deepIn' in cost) return { names: cost.deepIn, steps: deepSize, isProduct: false };
  return { names: cost.productOf, steps: deepSize, isProduct: true };
}

type Prepare = (context: FunctionContext, a: Value | undefined, b: Value | undefined, c: Value | undefined) => void;

/** How the work of a call is counted. */
export interface Counting {
  /** Whether each of the first three arguments counts. */
  readonly first: boolean;
  readonly second: boolean;
  readonly third: boolean;
  /** Counts the work of a call. Call it if one of the arguments that count `isLong`. */
  readonly prepare: Prepare;
}

/** Tells whether an argument may take a call more than a few steps. */
export function isLong(value: Value | undefined): boolean {
  return typeof value === 'string' ? value.length > FEW_CHARACTERS : typeof value === 'object' && value !== null;
}

/** Returns how calls of a function are counted; null if their cost is constant, or if the function counts by itself. */
export function countingOf({ cost, parameters, returns }: FunctionFacts): Counting | null {
  const price = priceOf(cost);
  if (price === null) return null;
  const { steps, isProduct } = price;
  const [first = false, second = false, third = false] = parameters.map(({ name }: Parameter) => price.names.includes(name));
  const makes = MAKES[returns];
  const prepare: Prepare = ({ allowance }, a, b, c) => {
    const one = first ? steps(allowance, a) : 0;
    const two = second ? steps(allowance, b) : 0;
    const three = third ? steps(allowance, c) : 0;
    const sum = one + two + three;
    const product = isProduct ? Math.max(1, one) * Math.max(1, two) * Math.max(1, three) : sum;
    allowance.count(Math.min(Math.max(sum, product), MOST_STEPS));
    if (makes) allowance.hold(BYTES_PER_STEP * sum);
  };
  return { first, second, third, prepare };
}

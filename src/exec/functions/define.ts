/**
 * Makes the function that is called of an implementation and its facts: its work is counted, null arguments and Vectors
 * that stand for Lists are seen to.
 */
import type { Pieces } from '../../algorithms/index.ts';
import type { DescribedFunction, Parameter } from '../../functions/index.ts';
import { elementsOf, type Value } from '../../value/index.ts';
import type { Evaluate, FunctionContext, FunctionDefinition, InPieces } from './definition.ts';
import { type Counting, countingOf, isLong } from './work.ts';

/** Makes the definition of a function of its facts and its implementation. */
export function define(described: DescribedFunction, implementation: Evaluate | InPieces): FunctionDefinition {
  if (typeof implementation === 'function') return { ...described, evaluate: adapted(described, implementation), begin: null };
  const begin = adapted(described, implementation.pieces);
  return { ...described, evaluate: (context, ...values: Value[]) => atOnce(begin(context, ...values)), begin };
}

/** Whether a call has begun work in pieces, and its value is still to come. */
export function isInPieces(begun: Value | Pieces<Value>): begun is Pieces<Value> {
  return begun instanceof Iterator;
}

/** Makes a value whose pieces follow each other. */
function atOnce(begun: Value | Pieces<Value>): Value {
  if (!isInPieces(begun)) return begun;
  for (;;) {
    const { done, value } = begun.next();
    if (done === true) return value;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as in definition.ts
type Call<Result> = (context: FunctionContext, ...args: any[]) => Result;

function adapted<Result>(described: DescribedFunction, call: Call<Result>): Call<Result | null> {
  const { parameters, nulls } = described.facts;
  if (parameters.length > WRITTEN_OUT) return wide(described, call);
  const applied = withListsForVectors(parameters, call);
  const counting = countingOf(described.facts);
  if (nulls === 'own') return counting === null ? applied : counted(counting, applied);
  return counting === null ? nullPropagating(applied) : countedUnlessNull(counting, applied);
}

/** Parameters of the functions whose calls are written out by arity. */
const WRITTEN_OUT = 3;

/** Adapts a function of more than three parameters, of which the first three count. */
function wide<Result>({ facts }: DescribedFunction, call: Call<Result>): Call<Result | null> {
  const { parameters, nulls } = facts;
  const counting = countingOf(facts);
  const takesList = parameters.map(({ types }) => types.includes('List') && !types.includes('Vector'));
  return (context, ...values: Value[]) => {
    if (nulls === 'propagate' && values.includes(null)) return null;
    counting?.prepare(context, values[0], values[1], values[2]);
    return call(context, ...values.map((value, i) => (takesList[i] ? asList(value) : value)));
  };
}

/** Calls with long arguments count their work first. Written out by arity, as below. */
function counted<Result>({ first, second, third, prepare }: Counting, call: Call<Result>): Call<Result> {
  return (context, a, b, c) => {
    if ((first && isLong(a)) || (second && isLong(b)) || (third && isLong(c))) prepare(context, a, b, c);
    return call(context, a, b, c);
  };
}

function countedUnlessNull<Result>({ first, second, third, prepare }: Counting, call: Call<Result>): Call<Result | null> {
  return (context, a, b, c) => {
    if (a === null || b === null || c === null) return null;
    if ((first && isLong(a)) || (second && isLong(b)) || (third && isLong(c))) prepare(context, a, b, c);
    return c === undefined ? (b === undefined ? call(context, a) : call(context, a, b)) : call(context, a, b, c);
  };
}

/** A vector is a list of Floats to the parameters that take lists, unless they take vectors as they are. Written out by arity, as below. */
function withListsForVectors<Result>(parameters: readonly Parameter[], call: Call<Result>): Call<Result> {
  const [first, second, third] = parameters.map(({ types }) => types.includes('List') && !types.includes('Vector'));
  if (!first && !second && !third) return call;
  return (context, a, b, c) => call(context, first ? asList(a) : a, second ? asList(b) : b, third ? asList(c) : c);
}

function asList(value: Value): Value {
  return value instanceof Float32Array ? elementsOf(value) : value;
}

/** Null for any null argument. Written out by arity: a rest parameter costs an array per call. */
function nullPropagating<Result>(call: Call<Result>): Call<Result | null> {
  return (context, a, b, c) => {
    if (a === null || b === null || c === null) return null;
    return c === undefined ? (b === undefined ? call(context, a) : call(context, a, b)) : call(context, a, b, c);
  };
}

/**
 * Makes callable functions from implementations and their facts. The wrapper counts work, propagates nulls, and
 * converts Vectors for parameters that take Lists.
 */
import type { Pieces } from '../../algorithms/index.ts';
import type { DescribedFunction, Parameter } from '../../functions/index.ts';
import { elementsOf, type Value } from '../../value/index.ts';
import type { Evaluate, FunctionContext, FunctionDefinition, InPieces } from './definition.ts';
import { type Counting, countingOf, isLong } from './work.ts';

/** Makes the definition of a function from its facts and its implementation. */
export function define(described: DescribedFunction, implementation: Evaluate | InPieces): FunctionDefinition {
  if (typeof implementation === 'function') return { ...described, evaluate: adapted(described, implementation), begin: null };
  const begin = adapted(described, implementation.pieces);
  return { ...described, evaluate: (context, ...values: Value[]) => atOnce(begin(context, ...values)), begin };
}

/** Tells whether a call has begun work in pieces, whose result is the value. */
export function isInPieces(begun: Value | Pieces<Value>): begun is Pieces<Value> {
  return begun instanceof Iterator;
}

/** Completes work in pieces without a pause, and returns its value. */
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

/** The most parameters of a function whose wrappers are written out by arity. */
const WRITTEN_OUT = 3;

/** Wraps a function of more than three parameters; only the first three count as work. */
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

/** Wraps a function so that calls with long arguments count their work first. Written out by arity, as `nullPropagating`. */
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

/** Wraps a function so that Vectors become lists for parameters that take Lists but not Vectors. Written out by arity. */
function withListsForVectors<Result>(parameters: readonly Parameter[], call: Call<Result>): Call<Result> {
  const [first, second, third] = parameters.map(({ types }) => types.includes('List') && !types.includes('Vector'));
  if (!first && !second && !third) return call;
  return (context, a, b, c) => call(context, first ? asList(a) : a, second ? asList(b) : b, third ? asList(c) : c);
}

function asList(value: Value): Value {
  return value instanceof Float32Array ? elementsOf(value) : value;
}

/** Wraps a function so that a null argument gives null. Written out by arity: a rest parameter costs an array per call. */
function nullPropagating<Result>(call: Call<Result>): Call<Result | null> {
  return (context, a, b, c) => {
    if (a === null || b === null || c === null) return null;
    return c === undefined ? (b === undefined ? call(context, a) : call(context, a, b)) : call(context, a, b, c);
  };
}

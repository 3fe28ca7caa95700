/**
 * Makes the function that is called of an implementation and its facts: its work is counted, null arguments and Vectors
 * that stand for Lists are seen to.
 */
import type { DescribedFunction, Parameter } from '../../functions/index.ts';
import { elementsOf, type Value } from '../../value/index.ts';
import type { Evaluate, FunctionDefinition } from './definition.ts';
import { type Counting, countingOf, isLong } from './work.ts';

/** Makes the definition of a function of its facts and its implementation. */
export function define(described: DescribedFunction, evaluate: Evaluate): FunctionDefinition {
  const { parameters, nulls } = described.facts;
  if (parameters.length > WRITTEN_OUT) return { ...described, evaluate: wide(described, evaluate) };
  const applied = withListsForVectors(parameters, evaluate);
  const counting = countingOf(described.facts);
  if (nulls === 'own') return { ...described, evaluate: counting === null ? applied : counted(counting, applied) };
  return { ...described, evaluate: counting === null ? nullPropagating(applied) : countedUnlessNull(counting, applied) };
}

/** Parameters of the functions whose calls are written out by arity. */
const WRITTEN_OUT = 3;

/** Adapts a function of more than three parameters, of which the first three count. */
function wide({ facts }: DescribedFunction, evaluate: Evaluate): Evaluate {
  const { parameters, nulls } = facts;
  const counting = countingOf(facts);
  const takesList = parameters.map(({ types }) => types.includes('List') && !types.includes('Vector'));
  return (context, ...values: Value[]) => {
    if (nulls === 'propagate' && values.includes(null)) return null;
    counting?.prepare(context, values[0], values[1], values[2]);
    return evaluate(context, ...values.map((value, i) => (takesList[i] ? asList(value) : value)));
  };
}

/** Calls with long arguments count their work first. Written out by arity, as below. */
function counted({ first, second, third, prepare }: Counting, evaluate: Evaluate): Evaluate {
  return (context, a, b, c) => {
    if ((first && isLong(a)) || (second && isLong(b)) || (third && isLong(c))) prepare(context, a, b, c);
    return evaluate(context, a, b, c);
  };
}

function countedUnlessNull({ first, second, third, prepare }: Counting, evaluate: Evaluate): Evaluate {
  return (context, a, b, c) => {
    if (a === null || b === null || c === null) return null;
    if ((first && isLong(a)) || (second && isLong(b)) || (third && isLong(c))) prepare(context, a, b, c);
    return c === undefined ? (b === undefined ? evaluate(context, a) : evaluate(context, a, b)) : evaluate(context, a, b, c);
  };
}

/** A vector is a list of Floats to the parameters that take lists, unless they take vectors as they are. Written out by arity, as below. */
function withListsForVectors(parameters: readonly Parameter[], evaluate: Evaluate): Evaluate {
  const [first, second, third] = parameters.map(({ types }) => types.includes('List') && !types.includes('Vector'));
  if (!first && !second && !third) return evaluate;
  return (context, a, b, c) => evaluate(context, first ? asList(a) : a, second ? asList(b) : b, third ? asList(c) : c);
}

function asList(value: Value): Value {
  return value instanceof Float32Array ? elementsOf(value) : value;
}

/** Null for any null argument. Written out by arity: a rest parameter costs an array per call. */
function nullPropagating(evaluate: Evaluate): Evaluate {
  return (context, a, b, c) => {
    if (a === null || b === null || c === null) return null;
    return c === undefined ? (b === undefined ? evaluate(context, a) : evaluate(context, a, b)) : evaluate(context, a, b, c);
  };
}

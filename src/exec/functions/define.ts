/** Makes the function that is called of an implementation and its facts: its work is counted, null arguments and Vectors that stand for Lists are seen to. */
import type { DescribedFunction, Parameter } from '../../functions/index.ts';
import { elementsOf, type Value } from '../../value/index.ts';
import type { Evaluate, FunctionDefinition } from './definition.ts';
import { counting } from './work.ts';

export function define(described: DescribedFunction, evaluate: Evaluate): FunctionDefinition {
  const { parameters, nulls } = described.facts;
  const applied = counting(described.facts, withListsForVectors(parameters, evaluate));
  return { ...described, evaluate: nulls === 'own' ? applied : nullPropagating(applied) };
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

/** Makes function definitions from short descriptions: the arity, the accepted types and the signature follow from the parameters. */
import { elementsOf, type Value } from '../../value/index.ts';
import type { Evaluate, FunctionCategory, FunctionDefinition, TypeHint } from './definition.ts';

export interface Parameter {
  readonly name: string;
  readonly types: readonly TypeHint[];
  readonly optional?: true;
  /** Stands for any number of arguments; last only. */
  readonly repeated?: true;
}

/** `parameter('text', 'String')`, `parameter('input', 'String', 'List')`. */
export function parameter(name: string, ...types: TypeHint[]): Parameter {
  return { name, types };
}

export function optional(name: string, ...types: TypeHint[]): Parameter {
  return { name, types, optional: true };
}

export function repeated(name: string, ...types: TypeHint[]): Parameter {
  return { name, types, repeated: true };
}

export interface FunctionSpecification {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly returns: TypeHint;
  readonly category: FunctionCategory;
  readonly description: string;
  /** Depends on the graph, the clock or chance. */
  readonly volatile?: true;
  /** Decides about nulls by itself. */
  readonly takesNulls?: true;
  readonly evaluate: Evaluate;
}

export function define(specification: FunctionSpecification): FunctionDefinition {
  const { name, parameters, returns, category, description, evaluate } = specification;
  const applied = withListsForVectors(parameters, evaluate);
  const repeats = parameters.some((each) => each.repeated === true);
  const shown = parameters.map((each) => `${each.name}${each.repeated ? '…' : ''}${each.optional ? '?' : ''} :: ${each.types.join(' | ')}`);
  return {
    name,
    minArgs: parameters.filter((each) => each.optional !== true).length,
    maxArgs: repeats ? Number.POSITIVE_INFINITY : parameters.length,
    nullPropagating: specification.takesNulls !== true,
    argumentTypes: parameters.map((each) => each.types),
    returnType: returns,
    deterministic: specification.volatile !== true,
    category,
    description,
    signature: `${name}(${shown.join(', ')}) :: ${returns}`,
    evaluate: specification.takesNulls === true ? applied : nullPropagating(applied),
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

/** Short descriptions of parameters, and the facts that most functions have in common. */
import type { Parameter, TypeName } from './facts.ts';

/** Describes a parameter: `parameter('text', 'String')`, `parameter('input', 'String', 'List')`. */
export function parameter(name: string, ...types: TypeName[]): Parameter {
  return { name, types, bound: types };
}

/** Describes a parameter that may be left out. */
export function optional(name: string, ...types: TypeName[]): Parameter {
  return { ...parameter(name, ...types), optional: true };
}

/** Describes a parameter that stands for any number of arguments. */
export function repeated(name: string, ...types: TypeName[]): Parameter {
  return { ...parameter(name, ...types), repeated: true };
}

/** Lets the binder accept every type, so that the call refuses wrong ones: a TypeError at run time, as the TCK expects. */
export function checkedWhenCalled(one: Parameter): Parameter {
  return { ...one, bound: ['Any'] };
}

/** Lets the binder accept these types too, so that the call refuses them with a message that says what to do instead. */
export function alsoBound(one: Parameter, ...types: TypeName[]): Parameter {
  return { ...one, bound: [...one.bound, ...types] };
}

/** The facts of a function whose result depends on its arguments alone. */
export const PURE = { nulls: 'propagate', determinism: 'pure', reads: 'nothing' } as const;

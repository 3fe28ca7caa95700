/** Short descriptions of parameters, and what most rows have in common. */
import type { Parameter, TypeName } from './facts.ts';

/** `parameter('text', 'String')`, `parameter('input', 'String', 'List')`. */
export function parameter(name: string, ...types: TypeName[]): Parameter {
  return { name, types, bound: types };
}

/** Describes a parameter that may be left out. */
export function optional(name: string, ...types: TypeName[]): Parameter {
  return { ...parameter(name, ...types), optional: true };
}

/** Describes a parameter that may come again and again. */
export function repeated(name: string, ...types: TypeName[]): Parameter {
  return { ...parameter(name, ...types), repeated: true };
}

/** Wrong types are refused by the call, not by the binder: a TypeError at run time, as the TCK has it. */
export function checkedWhenCalled(one: Parameter): Parameter {
  return { ...one, bound: ['Any'] };
}

/** The binder lets these types through too, so that the call can say what to do instead. */
export function alsoBound(one: Parameter, ...types: TypeName[]): Parameter {
  return { ...one, bound: [...one.bound, ...types] };
}

/** A function of its arguments alone. */
export const PURE = { nulls: 'propagate', determinism: 'pure', reads: 'nothing' } as const;

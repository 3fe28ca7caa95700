/** Adds variables to an environment, and finds nodes in it. */
import { assert } from '../../base/index.ts';
import type { Codegen, Environment } from './codegen.ts';
import { node, type Typed } from './typed.ts';

/** Returns the environment with further variables; each replaces a variable with the same name. */
export function bind(environment: Environment, ...pairs: readonly (readonly [string, Typed])[]): Environment {
  const extended = new Map(environment);
  for (const [name, typed] of pairs) extended.set(name, typed);
  return extended;
}

/** Returns the node in a variable; null when the variable is always null. A dynamically typed value becomes an ordinal, -1 for null. */
export function nodeOf(cg: Codegen, environment: Environment, name: string): Typed | null {
  const typed = environment.get(name);
  assert(typed !== undefined, `node ${name} is not in scope`);
  if (typed.type === 'null') return null;
  if (typed.type === 'node') return typed;
  return node(cg.f.local('n', `ordinalOf(${typed.code})`), true);
}

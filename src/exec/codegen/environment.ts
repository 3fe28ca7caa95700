/** Adds variables to an environment and looks nodes up in it. */
import { assert } from '../../base/index.ts';
import type { Codegen, Environment } from './codegen.ts';
import { node, type Typed } from './typed.ts';

/** The environment with further variables, or others of the same name. */
export function bind(environment: Environment, ...pairs: readonly (readonly [string, Typed])[]): Environment {
  const extended = new Map(environment);
  for (const [name, typed] of pairs) extended.set(name, typed);
  return extended;
}

/** The node in a variable; a dynamically typed one is converted, null stays null (-1). null: always null. */
export function nodeOf(cg: Codegen, environment: Environment, name: string): Typed | null {
  const typed = environment.get(name);
  assert(typed !== undefined, `node ${name} is not in scope`);
  if (typed.type === 'null') return null;
  if (typed.type === 'node') return typed;
  return node(cg.f.local('n', `ordinalOf(${typed.code})`), true);
}

/** Builds a named path from the variables of its pattern. */
import { assert } from '../../../base/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { any, type Typed } from '../typed.ts';
import { toValue } from './to-value.ts';

/** Compiles a named path. */
export function compilePathBuild(cg: Codegen, environment: Environment, elements: readonly string[]): Typed {
  const parts = elements.map((name) => {
    const typed = environment.get(name);
    assert(typed !== undefined, `path element ${name} is not in scope`);
    return toValue(typed);
  });
  return any(cg.f.local('path', `buildPath([${parts.join(', ')}])`));
}

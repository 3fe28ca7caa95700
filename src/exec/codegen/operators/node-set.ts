/** Sets of nodes for generated code. */
import type { Codegen } from '../codegen.ts';

/** Returns a local with a set that is empty when the function begins, and that no other code uses. */
export function nodeSet(cg: Codegen): string {
  const name = cg.f.hoist(cg.f.fresh('nodes of'), 'nodes', `takeNodeSet(${cg.viewName}.nodeLimit)`);
  cg.f.atEnd(`giveNodeSet(${name});`);
  return name;
}

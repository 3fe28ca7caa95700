/** Sets of nodes for generated code. */
import type { Codegen } from '../codegen.ts';

/** The local with a set that is empty when the function begins, and which nobody else uses. */
export function nodeSet(cg: Codegen): string {
  const name = cg.f.hoist(cg.f.fresh('nodes of'), 'nodes', `takeNodeSet(${cg.viewName}.nodeLimit)`);
  cg.f.atEnd(`giveNodeSet(${name});`);
  return name;
}

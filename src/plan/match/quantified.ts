/**
 * The inside of a quantified path pattern `((a)-[r:R]->(b) WHERE …){1,5}` as a sub-plan that runs one repetition: from
 * its first node to its last, or the other way when the whole pattern is walked from its right end. The variables
 * inside get names of their own, for outside the same names are lists.
 */
import { assert } from '../../base/index.ts';
import type { PathPattern, QuantifiedPattern, VariableType } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { renameVariables } from '../expressions/rename.ts';
import { narrowArguments } from '../operators/arguments.ts';
import type { VariableExpand } from '../operators/kinds/table.ts';
import { type QueryRelationship, quantifiedVariables } from '../pattern/query-graph.ts';

/**
 * Plans one repetition of a quantified pattern. `relationships` of the result are in the order of the walk, so
 * reversing the whole list gives pattern order.
 */
export function quantifiedStep(
  context: PlanContext,
  relationship: QueryRelationship,
  options: { readonly fromLeft: boolean; readonly scope: ReadonlySet<string> },
): NonNullable<VariableExpand['quantified']> {
  const pattern = relationship.quantified;
  assert(pattern !== null, 'a quantified pattern');
  const names = new Map(
    quantifiedVariables(pattern).map((name, at) => [name, context.fresh(`${name}~`, at % 2 === 0 ? 'node' : 'relationship')]),
  );
  const inner = renameVariables(pattern, names) as QuantifiedPattern;
  const { nodes, relationships } = split(inner.path);
  const [from, to] = options.fromLeft ? [nodes[0]!, nodes.at(-1)!] : [nodes.at(-1)!, nodes[0]!];
  const outer = [...options.scope].filter((name) => !names.has(name));
  const plan = context.planPatterns({ patterns: [inner.path], where: inner.where }, new Set([...outer, from]));
  const groups = [...names].filter(([name]) => context.used.has(name)).map(([name, innerName]) => ({ inner: innerName, outer: name }));
  for (const { inner: innerName, outer: outerName } of groups) context.types.set(outerName, listOf(context.types.get(innerName)));
  return {
    plan: narrowArguments(plan, [from]),
    from,
    to,
    relationships: options.fromLeft ? relationships : relationships.toReversed(),
    groups,
  };
}

const listOf = (type: VariableType | undefined): VariableType =>
  type === 'node' ? 'nodeList' : type === 'relationship' ? 'relationshipList' : 'list';

function split(path: PathPattern): { nodes: readonly string[]; relationships: readonly string[] } {
  const nodes: string[] = [];
  const relationships: string[] = [];
  for (const element of path.elements) {
    assert(element.kind !== 'quantifiedPattern', 'quantified patterns do not nest');
    (element.kind === 'nodePattern' ? nodes : relationships).push(element.variable!.name);
  }
  return { nodes, relationships };
}

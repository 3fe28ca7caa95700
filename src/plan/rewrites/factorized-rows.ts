/**
 * Rows that differ in nothing that is read again become one row with a count, where a walk comes to the same node again
 * and again. The operators that follow then run once per node.
 *
 *     Aggregate(keys of c, count(*))          Aggregate(keys of c, sum(n))
 *       Expand(from b, to c)                    Expand(from b, to c)
 *         Expand(from a, to b)                    Aggregate(b, count(*) AS n)
 *           Scan(a)                                 Expand(from a, to b)
 *                                                     Scan(a)
 *
 * Sound where every aggregate above is a count of rows, a sum of such counts, or ignores duplicates.
 */
import type { PlanContext } from '../context.ts';
import { variable } from '../expressions/build.ts';
import { hasSubplans, isVolatile } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type {
  Aggregate,
  AllNodesScan,
  Expand,
  Filter,
  LabelScan,
  NodeIndexSeek,
  Project,
  RelationshipScan,
} from '../operators/kinds/table.ts';
import { expressionsOf, namesBoundBy, namesReadBy, withInputs } from '../operators/references.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { times } from './counted-expand.ts';
import { ignoresDuplicates } from './distinct-ends.ts';
import { mapOperators } from './traverse.ts';

/** Rows per node from which it pays to group the rows of a node. */
const COMES_AGAIN = 3;

/** Rewrites rows that differ in nothing to counts. */
export function factorizeRows(context: PlanContext, root: Operator): Operator {
  return mapOperators(root, (operator) => (operator.kind === 'aggregate' ? factorized(context, operator) : operator));
}

function factorized(context: PlanContext, aggregate: Aggregate): Aggregate {
  if (!aggregate.aggregations.every((each) => ignoresDuplicates(each) || weighs(context, each))) return aggregate;
  const expressions = [...aggregate.grouping.map((item) => item.expression), ...aggregate.aggregations.flatMap((each) => each.arguments)];
  const count = context.fresh('same', 'integer');
  const input = groupBelow(context, aggregate.input, { read: new Set(expressions.flatMap((each) => [...freeVariables(each)])), count });
  if (input === null) return aggregate;
  context.rewrites.add('factorized rows');
  const weighed = (each: Aggregate['aggregations'][number]): Aggregate['aggregations'][number] => {
    if (ignoresDuplicates(each)) return each;
    const weight = variable(count);
    const [argument] = each.arguments;
    return { ...each, function: 'sum', arguments: [each.function === 'sum' ? times(argument!, weight) : weight] };
  };
  return { ...aggregate, input, aggregations: aggregate.aggregations.map(weighed) };
}

/** Tells whether a row can stand for several in an aggregate, which counts rows or sums counts. */
function weighs({ types }: PlanContext, { function: name, arguments: [argument] }: Aggregate['aggregations'][number]): boolean {
  if (name === 'count') return argument === undefined;
  return name === 'sum' && argument?.kind === 'variable' && argument.name.startsWith('#') && types.get(argument.name) === 'integer';
}

interface Above {
  /** Variables that are read again. */
  readonly read: ReadonlySet<string>;
  readonly count: string;
}

type Link = Expand | Filter | Project;

/** Returns the plan with rows grouped below the last expand where that is possible; null if it is nowhere. */
function groupBelow(context: PlanContext, operator: Operator, above: Above): Operator | null {
  if (!isLink(operator)) return null;
  const read = new Set([...above.read, ...namesReadBy(operator), ...expressionsOf(operator).flatMap((each) => [...freeVariables(each)])]);
  const { input } = operator;
  const grouped = operator.kind === 'expand' ? groupedBy(context, input, operator.from, { ...above, read }) : null;
  const below = grouped ?? groupBelow(context, input, { ...above, read });
  return below === null ? null : withInputs(operator, [below]);
}

function isLink(operator: Operator): operator is Link {
  if (expressionsOf(operator).some((each: PlanExpression) => isVolatile(each) || (operator.kind !== 'project' && hasSubplans(each))))
    return false;
  if (operator.kind === 'expand') return !operator.relationshipBound;
  return operator.kind === 'filter' || (operator.kind === 'project' && !operator.discard);
}

/** Groups rows by the node that an expand starts from; null if anything else of them is read, or if a node does not come often enough. */
function groupedBy(context: PlanContext, input: Operator, node: string, { read, count }: Above): Operator | null {
  const bound = boundIn(input);
  if (bound === null || ![...bound].every((name) => name === node || !read.has(name))) return null;
  const nodes = nodesLike(context, node);
  if (input.estimatedRows < COMES_AGAIN * nodes) return null;
  return factorized(context, {
    kind: 'aggregate',
    input,
    grouping: [{ variable: node, expression: variable(node) }],
    aggregations: [{ variable: count, function: 'count', distinct: false, arguments: [] }],
    estimatedRows: nodes,
  });
}

/** Returns all variables of rows that begin with a scan; null if the plan has operators of other kinds, or an outer row. */
function boundIn(operator: Operator): ReadonlySet<string> | null {
  if (operator.kind === 'argument') return operator.variables.length === 0 ? new Set() : null;
  if (!isFactor(operator)) return null;
  const below = boundIn(operator.input);
  return below === null ? null : new Set([...below, ...namesBoundBy(operator)]);
}

type Factor = AllNodesScan | LabelScan | NodeIndexSeek | RelationshipScan | Expand | Filter;

function isFactor(operator: Operator): operator is Factor {
  return ['allNodesScan', 'labelScan', 'nodeIndexSeek', 'relationshipScan', 'expand', 'filter'].includes(operator.kind);
}

/** Estimates how many nodes a variable could be. */
function nodesLike({ statistics, labels }: PlanContext, name: string): number {
  return Math.min(statistics.nodeCount, ...[...(labels.get(name) ?? [])].map((label) => statistics.nodesWithLabel(label)));
}

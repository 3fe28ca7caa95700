/**
 * Counting the relationships of a node instead of making a row for each (Q2): `MATCH (a)-[:R]->(b) RETURN a, count(*)`
 * needs no rows of `b`.
 *
 *     Aggregate(keys, count(*))                Aggregate(keys, sum(n))
 *       Expand(from a, relationship r, to b)     Filter(n > 0)
 *         X                                        Project(n = COUNT { (a)-[:R]->() })
 *                                                    X
 *
 * Sound when nothing above reads `r` or `b` but `count(r)`, `count(b)`, which are never null, and every aggregate is a
 * count of rows or ignores duplicates.
 *
 * When X ends in such an expand too, from the same node, the two are counted together: pairs are the product of the two
 * counts, less those of one relationship with itself. `MATCH (a)-[:R]->(b)-[:R]->(c) RETURN count(*)` is a sum over `b`
 * (the expands are reversed to start there).
 *
 * When X comes to the same node again and again, and counting there means walking, its rows are counted by node first:
 * each node is walked from once.
 */
import type { PlanContext } from '../context.ts';
import { compare, literal, variable } from '../expressions/build.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { Aggregate } from '../operators/kinds/table.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { type CountedExpand, countedExpand, countOf, countWhere, doublyCountedConditions, minus, oneIf, times } from './counted-expand.ts';
import { ignoresDuplicates } from './distinct-ends.ts';
import { reverseExpand } from './reverse-expand.ts';
import { mapOperators } from './traverse.ts';

/** Rewrites counts of relationships to counts of degrees. */
export function countByDegree(context: PlanContext, root: Operator): Operator {
  return mapOperators(root, (operator) => (operator.kind === 'aggregate' ? (rewrite(context, operator) ?? operator) : operator));
}

/** A count for each row of `below`. */
interface Count {
  readonly expression: PlanExpression;
  readonly below: Operator;
}

function rewrite(context: PlanContext, aggregate: Aggregate): Operator | null {
  const last = lastExpand(context, aggregate);
  if (last === null) return null;
  const count = productOf(context, aggregate, last) ?? groupedOf(context, aggregate, last) ?? singleOf(last);
  if (count === null) return null;
  context.rewrites.add('count by degree');
  const counted = withCount(context, count.expression, count.below);
  const isPlainCount = aggregate.grouping.length === 0 && aggregate.aggregations.every((each) => isRowCount(each, last));
  const input = isPlainCount ? counted.plan : above0(counted);
  const aggregations = aggregate.aggregations.map((each): Aggregate['aggregations'][number] =>
    isRowCount(each, last) ? { ...each, function: 'sum', distinct: false, arguments: [variable(counted.name)] } : each,
  );
  return { ...aggregate, input, aggregations };
}

/**
 * Returns the last expand, whose rows are only counted; null if there is none. A scan of relationships counts as an
 * expand from the end that the grouping reads.
 */
function lastExpand(context: PlanContext, aggregate: Aggregate): CountedExpand | null {
  const read = scannedEnds(aggregate.input).filter((end) => aggregate.grouping.some((item) => readsAny(item.expression, [end])));
  const scanned = read.map((end) => reverseExpand(context, aggregate.input, end));
  for (const plan of [aggregate.input, ...scanned]) {
    const last = plan === null ? null : countedExpand(plan);
    if (last !== null && countsOnly(aggregate, last)) return last;
  }
  return null;
}

function scannedEnds(plan: Operator): readonly string[] {
  if (plan.kind === 'filter') return scannedEnds(plan.input);
  return plan.kind === 'relationshipScan' ? [plan.from, plan.to] : [];
}

function singleOf(last: CountedExpand): Count | null {
  const excluded = doublyCountedConditions(last);
  if (excluded === null) return null;
  return { expression: excluded.map(oneIf).reduce(minus, countOf(last)), below: last.below };
}

/** Counts the last expand together with the one before it, from the same node; null if that cannot be done. */
function productOf(context: PlanContext, aggregate: Aggregate, last: CountedExpand): Count | null {
  const first = countedExpand(reverseExpand(context, last.below, last.expand.from) ?? last.below);
  if (first === null || first.expand.from !== last.expand.from || !countsOnly(aggregate, first)) return null;
  const { relationship, to, uniqueAgainst } = first.expand;
  if (uniqueAgainst.length > 0 || last.expand.uniqueAgainst.some((name) => name !== relationship)) return null;
  if (last.filters.some((filter) => readsAny(filter, [to, relationship]))) return null;
  // What the last expand must differ from is looked for below it: there it stands turned round.
  const excluded = doublyCountedConditions({ ...last, expand: { ...last.expand, input: first.expand } });
  if (excluded === null) return null;
  // Where most nodes have no such relationship, or counting walks, the first count decides for them; else a jump costs
  // more than the product.
  const counted = withCount(context, countOf(first), first.below);
  const pairs = times(variable(counted.name), countOf(last));
  const [condition] = excluded;
  const same = condition === undefined ? null : countWhere(first, condition);
  const isRead = last.expand.direction !== 'both' && last.filters.every((filter) => filter.kind === 'hasLabels');
  const isSkipped = !isRead || first.below.estimatedRows > first.expand.estimatedRows;
  return { expression: same === null ? pairs : minus(pairs, same), below: isSkipped ? above0(counted) : counted.plan };
}

/** Rows per node from which it pays to count the rows of a node first. */
const COMES_AGAIN = 2;

/** Counts the rows of X by the node that the last expand starts from; null if that cannot be done or does not pay. */
function groupedOf(context: PlanContext, aggregate: Aggregate, last: CountedExpand): Count | null {
  const center = last.expand.from;
  if (last.filters.length === 0 || last.below.estimatedRows < COMES_AGAIN * nodesLike(context, center)) return null;
  const reads = (expression: PlanExpression, ...names: readonly string[]): boolean =>
    [...freeVariables(expression)].every((name) => names.includes(name));
  const isFree =
    aggregate.grouping.every((item) => reads(item.expression, center)) &&
    aggregate.aggregations.every((each) => isRowCount(each, last) || each.arguments.every((argument) => reads(argument, center))) &&
    last.filters.every((filter) => reads(filter, center, last.expand.to, last.expand.relationship));
  const excluded = isFree ? doublyCountedConditions(last) : null;
  if (excluded === null) return null;
  const rows = context.fresh('rows', 'integer');
  const sums = excluded.map((condition) => ({ variable: context.fresh('same', 'integer'), condition }));
  const below: Operator = {
    kind: 'aggregate',
    input: last.below,
    grouping: [{ variable: center, expression: variable(center) }],
    aggregations: [
      { variable: rows, function: 'count', distinct: false, arguments: [] },
      ...sums.map(({ variable: name, condition }) => ({
        variable: name,
        function: 'sum' as const,
        distinct: false,
        arguments: [oneIf(condition)],
      })),
    ],
    estimatedRows: nodesLike(context, center),
  };
  const pairs = times(variable(rows), countOf(last));
  return { expression: sums.map((sum) => variable(sum.variable)).reduce(minus, pairs), below };
}

/** Estimates how many nodes a variable could be. */
function nodesLike({ statistics, labels }: PlanContext, name: string): number {
  return Math.min(statistics.nodeCount, ...[...(labels.get(name) ?? [])].map((label) => statistics.nodesWithLabel(label)));
}

interface Counted {
  readonly name: string;
  readonly plan: Operator;
}

/** Adds the count to the rows as a variable. */
function withCount(context: PlanContext, expression: PlanExpression, input: Operator): Counted {
  const name = context.fresh('degree', 'integer');
  const { estimatedRows } = input;
  return { name, plan: { kind: 'project', input, items: [{ variable: name, expression }], discard: false, estimatedRows } };
}

/** Keeps the rows whose count is not 0. */
function above0({ name, plan }: Counted): Operator {
  return { kind: 'filter', input: plan, predicate: compare(variable(name), '>', literal(0)), estimatedRows: plan.estimatedRows };
}

/** Tells whether only counts of rows read what the expand binds, and no other aggregate counts duplicates. */
function countsOnly(aggregate: Aggregate, { expand }: CountedExpand): boolean {
  const readsNone = (expression: PlanExpression): boolean => !readsAny(expression, [expand.to, expand.relationship]);
  if (!aggregate.grouping.every((item) => readsNone(item.expression))) return false;
  const counts = aggregate.aggregations.filter((each) => isRowCount(each, { expand }));
  const others = aggregate.aggregations.filter((each) => !counts.includes(each));
  return counts.length > 0 && others.every((each) => ignoresDuplicates(each) && each.arguments.every(readsNone));
}

function readsAny(expression: PlanExpression, names: readonly string[]): boolean {
  const free = freeVariables(expression);
  return names.some((name) => free.has(name));
}

function isRowCount(
  { function: name, distinct, arguments: [argument] }: Aggregate['aggregations'][number],
  { expand }: Pick<CountedExpand, 'expand'>,
): boolean {
  if (name !== 'count' || distinct) return false;
  return argument === undefined || (argument.kind === 'variable' && (argument.name === expand.to || argument.name === expand.relationship));
}

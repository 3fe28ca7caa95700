/**
 * Counting the relationships of a node instead of walking along them: `MATCH (a)-[:R]->(b) RETURN a, count(*)` needs no `b`.
 *
 *     Aggregate(keys, count(*))                Aggregate(keys, sum(n))
 *       Expand(from a, relationship r, to b)     Filter(n > 0)
 *         X                                        Project(n = COUNT { (a)-[:R]->() } - …)
 *                                                    X
 *
 * Sound when nothing above reads `r` or `b` but `count(r)`, `count(b)`, which are never null, and every aggregate is a count of rows or ignores duplicates. Relationships
 * that `r` must differ from are taken off where they are among the node's own; their types must be the same single one, so that this can be told from their ends. The
 * compiler answers a COUNT over a bare expand from the adjacency's offsets.
 */
import type { PlanContext } from '../context.ts';
import { call, compare, equals, literal, NOWHERE, variable } from '../expressions/build.ts';
import { asExpression } from '../expressions/children.ts';
import { freeVariables } from '../expressions/walk.ts';
import { inputsOf } from '../operators/references.ts';
import type { Aggregate, Expand, Operator, PlanExpression, RelationshipScan } from '../plan.ts';
import { ignoresDuplicates } from './distinct-ends.ts';
import { mapOperators } from './traverse.ts';

export function countByDegree(context: PlanContext, root: Operator): Operator {
  return mapOperators(root, (operator) => (operator.kind === 'aggregate' ? (rewrite(context, operator) ?? operator) : operator));
}

function rewrite(context: PlanContext, aggregate: Aggregate): Operator | null {
  const expand = aggregate.input;
  if (expand.kind !== 'expand' || expand.into || expand.relationshipBound || !countsOnly(aggregate, expand)) return null;
  const shared = expand.uniqueAgainst.map((name) => isOwn(expand, name));
  if (shared.some((condition) => condition === null)) return null;
  context.rewrites.add('count by degree');
  const name = context.fresh('degree', 'integer');
  const own = shared.filter((condition) => condition !== null);
  const counted: Operator = {
    kind: 'project',
    input: expand.input,
    items: [{ variable: name, expression: own.reduce(takeOff, degreeOf(expand)) }],
    discard: false,
    estimatedRows: expand.input.estimatedRows,
  };
  const isPlainCount = aggregate.grouping.length === 0 && aggregate.aggregations.every((each) => isRowCount(each, expand));
  const input: Operator = isPlainCount
    ? counted
    : { kind: 'filter', input: counted, predicate: compare(variable(name), '>', literal(0)), estimatedRows: counted.estimatedRows };
  const aggregations = aggregate.aggregations.map((each) =>
    isRowCount(each, expand) ? { ...each, function: 'sum', distinct: false, arguments: [variable(name)] } : each,
  );
  return { ...aggregate, input, aggregations };
}

/** Nothing but counts of rows reads what the expand binds, and no other aggregate counts duplicates. */
function countsOnly(aggregate: Aggregate, expand: Expand): boolean {
  const readsNone = (expression: PlanExpression): boolean => {
    const free = freeVariables(expression);
    return !free.has(expand.to) && !free.has(expand.relationship);
  };
  if (!aggregate.aggregations.some((each) => isRowCount(each, expand))) return false;
  if (!aggregate.grouping.every((item) => readsNone(item.expression))) return false;
  return aggregate.aggregations.every((each) => isRowCount(each, expand) || (ignoresDuplicates(each) && each.arguments.every(readsNone)));
}

function isRowCount({ function: name, distinct, arguments: [argument] }: Aggregate['aggregations'][number], expand: Expand): boolean {
  if (name !== 'count' || distinct) return false;
  return argument === undefined || (argument.kind === 'variable' && (argument.name === expand.to || argument.name === expand.relationship));
}

function degreeOf(expand: Expand): PlanExpression {
  const input: Operator = { kind: 'argument', variables: [expand.from], estimatedRows: 1 };
  return { kind: 'planSubquery', mode: 'count', plan: { ...expand, input, uniqueAgainst: [], estimatedRows: 1 }, variable: null };
}

/** `count - CASE WHEN condition THEN 1 ELSE 0 END`; a condition known to be true is 1. */
function takeOff(count: PlanExpression, condition: PlanExpression): PlanExpression {
  const one: PlanExpression =
    condition.kind === 'literal'
      ? literal(1)
      : {
          kind: 'case',
          subject: null,
          branches: [{ when: asExpression(condition), then: literal(1) }],
          otherwise: literal(0),
          span: NOWHERE,
        };
  return { kind: 'binary', operator: '-', left: asExpression(count), right: asExpression(one), span: NOWHERE };
}

/** When is the relationship `name` one that the expand would walk along? null: that cannot be told from its ends. */
function isOwn(expand: Expand, name: string): PlanExpression | null {
  const source = findSource(expand.input, name);
  if (source === null || expand.types?.length !== 1 || source.types?.length !== 1 || source.types[0] !== expand.types[0]) return null;
  const { from } = expand;
  const start = source.direction === 'out' ? source.from : source.direction === 'in' ? source.to : null;
  const end = source.direction === 'out' ? source.to : source.direction === 'in' ? source.from : null;
  const isAt = (node: string | null, endFunction: string): PlanExpression =>
    node === from ? literal(true) : equals(node === null ? call(endFunction, variable(name)) : variable(node), variable(from));
  if (expand.direction === 'out') return isAt(start, 'startNode');
  if (expand.direction === 'in') return isAt(end, 'endNode');
  if (source.from === from || source.to === from) return literal(true);
  const either = [isAt(start, 'startNode'), isAt(end, 'endNode')].map(asExpression);
  return { kind: 'logical', operator: 'or', operands: either, span: NOWHERE };
}

/** The operator that binds a relationship. */
function findSource(plan: Operator, name: string): Expand | RelationshipScan | null {
  if ((plan.kind === 'expand' || plan.kind === 'relationshipScan') && plan.relationship === name) return plan;
  for (const input of inputsOf(plan)) {
    const found = findSource(input, name);
    if (found !== null) return found;
  }
  return null;
}

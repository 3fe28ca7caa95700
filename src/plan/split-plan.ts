/**
 * One plan as two, for several threads: a *part*, which each thread runs over its share of a scan, and the *whole*,
 * which makes the answer of the rows of all parts. `splitPlan` returns null where that cannot be done.
 *
 * What is split is, over rows that begin with a scan of nodes or relationships,
 * - an aggregation whose functions can be put together again: counts and sums are summed, of the least the least is
 *   taken, a mean is a sum and a count;
 * - ORDER BY with LIMIT: of the first rows of each part the first are taken.
 * What comes after it is done by the whole.
 */

import { assert } from '../base/index.ts';
import type { Expression, IndexAccess, Literal } from '../cypher/index.ts';
import { type AggregateFacts, type AggregateName, aggregateFacts } from '../functions/index.ts';
import { arithmetic, call, compare, literal, NOWHERE, variable } from './expressions/build.ts';
import { forEachExpression } from './expressions/walk.ts';
import { variablesRead } from './operators/free-variables.ts';
import type { Aggregate, AllNodesScan, LabelScan, Project, RelationshipScan, Top, Unwind } from './operators/kinds/table.ts';
import { factsOf } from './operators/kinds/table.ts';
import { expressionsOf, inputsOf, namesBoundBy, subplanOf, withInputs } from './operators/references.ts';
import { totalCost } from './operators/total-cost.ts';
import type { Operator, Plan } from './plan.ts';

/** A plan that was split for several threads. */
export interface SplitPlan {
  readonly part: Plan;
  /** Reads the rows of the parts, a list of lists, from the parameter `PART_ROWS`. */
  readonly whole: Plan;
  /**
   * Columns of the part that hold sums. An Integer 0 there must be given to `whole` as null, since it cannot be added
   * to a duration: it is the sum of no values, as of a thread without a share, or makes no difference.
   */
  readonly sums: readonly number[];
  /** Those of the columns in `sums` that a mean is made of. */
  readonly sumsOfMeans: readonly number[];
}

/** The name of the parameter of `whole`. A plan in which a user's parameter has that name is not split. */
export const PART_ROWS = ' rows of parts';
const ROW = ' row of a part';

/** Splits a plan for several threads; null if it cannot be split. */
export function splitPlan(plan: Plan): SplitPlan | null {
  if (plan.writes || plan.mode !== 'run') return null;
  const place = placeToSplit(plan.root);
  if (place === null || readsParameter(plan.root, PART_ROWS)) return null;
  const { operator } = place;
  return operator.kind === 'top' ? splitTop(plan, place, operator) : splitAggregate(plan, place, operator);
}

function readsParameter(operator: Operator, name: string): boolean {
  let isRead = false;
  for (const expression of expressionsOf(operator)) {
    forEachExpression(expression, (part) => {
      isRead ||= (part.kind === 'parameter' && part.name === name) || (part.kind === 'planSubquery' && readsParameter(part.plan, name));
    });
  }
  const subplan = subplanOf(operator);
  return isRead || (subplan !== null && readsParameter(subplan, name)) || inputsOf(operator).some((input) => readsParameter(input, name));
}

interface Place {
  readonly operator: Aggregate | Top;
  readonly partitioned: AllNodesScan | LabelScan | RelationshipScan;
  /** Returns the whole plan with another operator in the place of this one. */
  readonly around: (input: Operator) => Operator;
}

/**
 * Finds the topmost operator at which a plan can be split; null if there is none. In an aggregation over several plans
 * (counts of cycles) it is in the most costly one of these; the whole runs the others.
 */
function placeToSplit(operator: Operator): Place | null {
  if (canBeSplit(operator)) {
    const partitioned = leadingScan(operator.input);
    if (partitioned !== null) return { operator, partitioned, around: (input) => input };
  }
  if (isAbove(operator)) return within(placeToSplit(operator.input), (input) => withInputs(operator, [input]));
  if (operator.kind !== 'aggregate' || operator.input.kind !== 'unionAll') return null;
  const union = operator.input;
  const costs = union.inputs.map(totalCost);
  const most = costs.indexOf(Math.max(...costs));
  const place = placeToSplit(union.inputs[most]!);
  if (place?.operator.kind === 'top') return null;
  return within(place, (input) => withInputs(operator, [withInputs(union, union.inputs.with(most, input))]));
}

function within(place: Place | null, outer: (input: Operator) => Operator): Place | null {
  return place === null ? null : { ...place, around: (input) => outer(place.around(input)) };
}

function canBeSplit(operator: Operator): operator is Aggregate | Top {
  return operator.kind === 'top' || (operator.kind === 'aggregate' && operator.aggregations.every(canPutTogether));
}

const columnsOf = (names: readonly string[]): Plan['columns'] => names.map((name) => ({ name, variable: name }));

function splitAggregate(plan: Plan, { around, partitioned }: Place, aggregate: Aggregate): SplitPlan {
  const aggregations = aggregate.aggregations.flatMap(partsOf);
  const part = { ...aggregate, aggregations };
  const columns = columnsOf([...part.grouping, ...part.aggregations].map((item) => item.variable));
  const root = around(withMeans(putTogether(part), aggregate));
  const columnsWith = (test: (aggregation: Aggregation) => boolean): number[] =>
    aggregations.flatMap((item, i) => (test(item) ? [aggregate.grouping.length + i] : []));
  const means = new Set(aggregate.aggregations.filter(isMean).map((item) => item.variable));
  return {
    part: { ...plan, root: part, columns, partitioned },
    whole: { ...plan, root },
    sums: columnsWith((item) => item.function === 'sum'),
    sumsOfMeans: columnsWith((item) => means.has(item.variable)),
  };
}

function splitTop(plan: Plan, { around, partitioned }: Place, top: Top): SplitPlan {
  const needed = variablesRead(around({ ...top, input: NO_INPUT }));
  for (const column of plan.columns) needed.add(column.variable);
  const names = [...new Set(boundIn(top.input))].filter((name) => needed.has(name));
  const { estimatedRows } = top;
  const rows: Project = {
    kind: 'project',
    items: names.map((name, i) => ({ variable: name, expression: field(i) })),
    discard: true,
    estimatedRows,
    input: rowsOfParts(estimatedRows),
  };
  return {
    part: { ...plan, root: top, columns: columnsOf(names), partitioned },
    whole: { ...plan, root: around({ ...top, input: rows }) },
    sums: [],
    sumsOfMeans: [],
  };
}

const NO_INPUT: Operator = { kind: 'argument', variables: [], estimatedRows: 1 };

function boundIn(operator: Operator): readonly string[] {
  return [...namesBoundBy(operator), ...inputsOf(operator).flatMap(boundIn)];
}

type Above = Extract<Operator, { readonly kind: 'project' | 'filter' | 'sort' | 'top' | 'skip' | 'limit' | 'distinct' }>;

function isAbove(operator: Operator): operator is Above {
  return ['project', 'filter', 'sort', 'top', 'skip', 'limit', 'distinct'].includes(operator.kind);
}

type Aggregation = Aggregate['aggregations'][number];

/**
 * Returns the aggregate that makes the result of the whole from those of the parts; `mean` stands for a sum and a
 * count. Null if there is none.
 */
function combines({ function: name }: Aggregation): AggregateFacts['combines'] {
  return aggregateFacts[name].combines;
}

const isMean = (aggregation: Aggregation): boolean => combines(aggregation) === 'mean';

function canPutTogether(aggregation: Aggregation): boolean {
  return !aggregation.distinct && combines(aggregation) !== null;
}

/** The variable of the number of values of a mean. No variable of a user has such a name: it begins with a space. */
const countOf = (name: string): string => ` ${name} count`;

/** Returns the aggregations that the parts compute for one of the whole. */
function partsOf(aggregation: Aggregation): readonly Aggregation[] {
  if (!isMean(aggregation)) return [aggregation];
  return [
    { ...aggregation, function: 'sum' },
    { ...aggregation, function: 'count', variable: countOf(aggregation.variable) },
  ];
}

/** Computes means from their sums and counts; other columns stay. */
function withMeans(input: Operator, { grouping, aggregations, estimatedRows }: Aggregate): Operator {
  if (!aggregations.some(isMean)) return input;
  const items = [...grouping, ...aggregations].map(({ variable: name }) => ({ variable: name, expression: variable(name) as Expression }));
  aggregations.forEach((aggregation, i) => {
    if (isMean(aggregation)) items[grouping.length + i] = { variable: aggregation.variable, expression: mean(aggregation.variable) };
  });
  return { kind: 'project', items, discard: true, estimatedRows, input };
}

function mean(name: string): Expression {
  const count = variable(countOf(name));
  const then = arithmetic(variable(name), '/', call('toFloat', count));
  return { kind: 'case', subject: null, branches: [{ when: compare(count, '>', literal(0)), then }], otherwise: null, span: NOWHERE };
}

/** Returns the scan that all rows begin with; null unless each of its rows can be followed without the others. */
function leadingScan(operator: Operator): AllNodesScan | LabelScan | RelationshipScan | null {
  if (operator.kind === 'allNodesScan' || operator.kind === 'labelScan' || operator.kind === 'relationshipScan') {
    return operator.input.kind === 'argument' ? operator : null;
  }
  const [input] = inputsOf(operator);
  return input !== undefined && factsOf(operator).followsRows ? leadingScan(input) : null;
}

const field = (at: number): IndexAccess => ({ kind: 'index', subject: variable(ROW), index: literal(at) as Literal, span: NOWHERE });

function rowsOfParts(estimatedRows: number): Unwind {
  const list: Expression = { kind: 'parameter', name: PART_ROWS, span: NOWHERE };
  return { kind: 'unwind', variable: ROW, list, estimatedRows, input: NO_INPUT };
}

function combined(aggregation: Aggregation): AggregateName {
  const by = combines(aggregation);
  assert(by !== null && by !== 'mean', 'only parts that can be put together are');
  return by;
}

function putTogether({ grouping, aggregations, estimatedRows }: Aggregate): Aggregate {
  return {
    kind: 'aggregate',
    grouping: grouping.map((item, i) => ({ variable: item.variable, expression: field(i) })),
    aggregations: aggregations.map((item, i) => ({
      variable: item.variable,
      function: combined(item),
      distinct: false,
      arguments: [field(grouping.length + i)],
    })),
    estimatedRows,
    input: rowsOfParts(estimatedRows),
  };
}

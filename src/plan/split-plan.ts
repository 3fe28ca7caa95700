/**
 * One plan as two, for several threads: a *part*, which each thread runs over its share of a scan, and the *whole*, which makes the answer of the rows of all
 * parts. null where that cannot be done.
 *
 * What is split is an aggregation over rows that begin with a scan of nodes, where its functions can be put together again: counts and sums are summed, of the
 * least the least is taken. What comes after the aggregation is done by the whole.
 */
import type { IndexAccess, Literal } from '../cypher/index.ts';
import { totalCost } from './cost/operator-cost.ts';
import { literal, NOWHERE, variable } from './expressions/build.ts';
import { withInputs } from './operators/references.ts';
import type { Aggregate, AllNodesScan, LabelScan, Operator, Plan } from './plan.ts';

export interface SplitPlan {
  readonly part: Plan;
  /** Reads the rows of the parts, a list of lists, from the parameter `PART_ROWS`. */
  readonly whole: Plan;
  /**
   * Columns of the part that hold sums. The Integer 0 there is that of no value at all, as a thread without a share has it, or does not matter: to be given
   * as null, since it cannot be added to a duration.
   */
  readonly sums: readonly number[];
}

/** No parameter of a user has such a name: it begins with a space. */
export const PART_ROWS = ' rows of parts';
const ROW = ' row of a part';

/** By the function of a part: what puts its results together. */
const TOGETHER: ReadonlyMap<string, string> = new Map([
  ['count', 'sum'],
  ['sum', 'sum'],
  ['min', 'min'],
  ['max', 'max'],
]);

export function splitPlan(plan: Plan): SplitPlan | null {
  if (plan.writes || plan.mode !== 'run') return null;
  const place = placeToSplit(plan.root);
  if (place === null) return null;
  const { aggregate, partitioned, around } = place;
  const outputs = [...aggregate.grouping, ...aggregate.aggregations].map((item) => item.variable);
  const columns = outputs.map((name) => ({ name, variable: name }));
  const sums = aggregate.aggregations.flatMap((item, i) => (item.function.toLowerCase() === 'sum' ? [aggregate.grouping.length + i] : []));
  return { part: { ...plan, root: aggregate, columns, partitioned }, whole: { ...plan, root: around(putTogether(aggregate)) }, sums };
}

interface Place {
  readonly aggregate: Aggregate;
  readonly partitioned: AllNodesScan | LabelScan;
  /** The plan with another operator instead of the aggregation. */
  readonly around: (input: Operator) => Operator;
}

/** The topmost one; in an aggregation over several plans (counts of cycles), that in the plan with most to do: the whole does the others. */
function placeToSplit(operator: Operator): Place | null {
  if (operator.kind === 'aggregate') {
    const partitioned = operator.aggregations.every(canPutTogether) ? leadingScan(operator.input) : null;
    if (partitioned !== null) return { aggregate: operator, partitioned, around: (input) => input };
    if (operator.input.kind !== 'unionAll') return null;
    const union = operator.input;
    const costs = union.inputs.map(totalCost);
    const most = costs.indexOf(Math.max(...costs));
    return within(placeToSplit(union.inputs[most]!), (input) => withInputs(operator, [withInputs(union, union.inputs.with(most, input))]));
  }
  return isAbove(operator) ? within(placeToSplit(operator.input), (input) => withInputs(operator, [input])) : null;
}

function within(place: Place | null, outer: (input: Operator) => Operator): Place | null {
  return place === null ? null : { ...place, around: (input) => outer(place.around(input)) };
}

type Above = Extract<Operator, { readonly kind: 'project' | 'filter' | 'sort' | 'top' | 'skip' | 'limit' | 'distinct' }>;

function isAbove(operator: Operator): operator is Above {
  return ['project', 'filter', 'sort', 'top', 'skip', 'limit', 'distinct'].includes(operator.kind);
}

function canPutTogether({ function: name, distinct }: Aggregate['aggregations'][number]): boolean {
  return !distinct && TOGETHER.has(name.toLowerCase());
}

/** The scan that all rows begin with, if each of its rows can be followed without the others. */
function leadingScan(operator: Operator): AllNodesScan | LabelScan | null {
  switch (operator.kind) {
    case 'filter':
    case 'project':
    case 'expand':
    case 'multiwayJoin':
    case 'countedJoin':
    case 'variableExpand':
    case 'unwind':
    case 'semiApply':
      return leadingScan(operator.input);
    case 'allNodesScan':
    case 'labelScan':
      return operator.input.kind === 'argument' ? operator : null;
    default:
      return null;
  }
}

function putTogether({ grouping, aggregations, estimatedRows }: Aggregate): Aggregate {
  const field = (at: number): IndexAccess => ({ kind: 'index', subject: variable(ROW), index: literal(at) as Literal, span: NOWHERE });
  return {
    kind: 'aggregate',
    grouping: grouping.map((item, i) => ({ variable: item.variable, expression: field(i) })),
    aggregations: aggregations.map((item, i) => ({
      variable: item.variable,
      function: TOGETHER.get(item.function.toLowerCase())!,
      distinct: false,
      arguments: [field(grouping.length + i)],
    })),
    estimatedRows,
    input: {
      kind: 'unwind',
      variable: ROW,
      list: { kind: 'parameter', name: PART_ROWS, span: NOWHERE },
      estimatedRows,
      input: { kind: 'argument', variables: [], estimatedRows: 1 },
    },
  };
}

/**
 * MATCH with a selector (`SHORTEST 2`, `ALL SHORTEST`, `ANY`) over a pattern of several relationships or of groups of several. All its paths are found, in the order that costs least;
 * of each pair of ends those are kept that the selector chooses, by their number of relationships; WHERE filters what is left.
 *
 * Patterns of one step between two nodes are searched breadth-first instead: see `match/shortest-paths.ts`. Here cost and memory grow with the number of paths.
 */
import { GraphDBError } from '../../base/index.ts';
import type { Expression, PathPattern, PathSelector, PatternElement } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { call, literal, NOWHERE, variable } from '../expressions/build.ts';
import { asExpression } from '../expressions/children.ts';
import { solveQueryGraph } from '../match/solve.ts';
import { argumentState, extend, type RowState } from '../match/state.ts';
import { narrowArguments } from '../operators/arguments.ts';
import { type MatchPatterns, QueryGraphBuilder } from '../pattern/build-query-graph.ts';
import { graphVariables, type QueryGraph } from '../pattern/query-graph.ts';
import type { Operator, PlanExpression } from '../plan.ts';

export function isSelectedAmongPaths({ patterns }: MatchPatterns): boolean {
  return patterns.some(({ selector, elements }) => selector !== null && !selector.legacy && !isOneStep(elements));
}

/** Two nodes with one relationship between them, repeated or not. */
function isOneStep(elements: readonly PatternElement[]): boolean {
  const [, step] = elements;
  if (elements.length !== 3 || step === undefined) return false;
  if (step.kind !== 'quantifiedPattern') return true;
  const [, inner] = step.path.elements;
  return step.path.elements.length === 3 && inner?.kind === 'relationshipPattern' && inner.length === null;
}

export function planSelectedMatch(context: PlanContext, state: RowState, clause: MatchPatterns): RowState {
  const [path] = clause.patterns;
  if (path === undefined || clause.patterns.length > 1)
    throw new GraphDBError('UNSUPPORTED', 'a pattern behind SHORTEST or ANY stands alone in its MATCH: put the others into another MATCH');
  const builder = new QueryGraphBuilder(context, state.scope);
  builder.add({ patterns: [{ ...path, selector: null }], where: null });
  const graph = builder.build();
  const found = solveQueryGraph(context, graph, { ...argumentState(state.scope), nonNull: state.nonNull });
  const ends = endsOf(path);
  const carried = [...new Set(graphVariables(graph))].filter(
    (name) => context.used.has(name) && !ends.includes(name) && !state.scope.has(name),
  );
  const plan = chosen(context, { plan: found.plan, selector: path.selector!, length: lengthOf(graph), ends, carried });
  const applied = { kind: 'apply', input: state.plan, plan: narrowArguments(plan), unit: false } as const;
  const estimatedRows = state.plan.estimatedRows * plan.estimatedRows;
  const matched = { ...extend(state, { ...applied, estimatedRows }, [...ends, ...carried]), single: false };
  return clause.where === null ? matched : filtered(context, matched, clause.where);
}

function filtered(context: PlanContext, state: RowState, where: Expression): RowState {
  const builder = new QueryGraphBuilder(context, state.scope);
  builder.add({ patterns: [], where });
  return solveQueryGraph(context, builder.build(), state);
}

function endsOf({ elements }: PathPattern): string[] {
  const names = [elements[0], elements.at(-1)].map((element) => (element?.kind === 'nodePattern' ? element.variable!.name : ''));
  return [...new Set(names)];
}

/** The number of relationships of a path. */
function lengthOf({ relationships }: QueryGraph): PlanExpression {
  const lists = relationships.filter(({ length }) => length !== null);
  const singles: PlanExpression = literal(relationships.length - lists.length);
  return lists.reduce(
    (sum, { variable: list }): PlanExpression => ({
      kind: 'binary',
      operator: '+',
      left: asExpression(sum),
      right: call('size', variable(list)),
      span: NOWHERE,
    }),
    singles,
  );
}

interface Choice {
  readonly plan: Operator;
  readonly selector: PathSelector;
  readonly length: PlanExpression;
  readonly ends: readonly string[];
  /** Variables that are read later, beside the ends. */
  readonly carried: readonly string[];
}

/** Sorted by length, the rows of each pair of ends are collected, in groups of one length where the selector counts groups; the first ones come back as rows. */
function chosen(context: PlanContext, { plan, selector, length, ends, carried }: Choice): Operator {
  const { estimatedRows } = plan;
  const [lengthName, row, rows] = [context.fresh('length', 'integer'), context.fresh('row', 'list'), context.fresh('rows', 'list')];
  const measured: Operator = {
    kind: 'project',
    input: plan,
    items: [{ variable: lengthName, expression: length }],
    discard: false,
    estimatedRows,
  };
  const sorted = byLength(measured, lengthName);
  const values: Expression = { kind: 'list', items: carried.map(variable), span: NOWHERE };
  const countsGroups = selector.kind === 'allShortest' || selector.kind === 'shortestGroups';
  const count = selector.kind === 'allShortest' ? 1 : selector.count;
  const collected = collect(sorted, countsGroups ? [...ends, lengthName] : ends, { into: rows, value: values });
  const each = countsGroups ? firstGroups(context, collected, { ends, lengthName, rows, count }) : firstOf(collected, row, rows, count);
  const unwound: Operator = countsGroups
    ? { kind: 'unwind', input: each.plan, variable: row, list: variable(each.rows), estimatedRows }
    : each.plan;
  const items = carried.map((name, at) => ({ variable: name, expression: field(row, at) }));
  return { kind: 'project', input: unwound, items, discard: false, estimatedRows };
}

function byLength(input: Operator, lengthName: string): Operator {
  const { estimatedRows } = input;
  return { kind: 'sort', input, items: [{ expression: variable(lengthName), descending: false }], estimatedRows };
}

function collect(input: Operator, grouping: readonly string[], { into, value }: { into: string; value: PlanExpression }): Operator {
  return {
    kind: 'aggregate',
    input,
    grouping: grouping.map((name) => ({ variable: name, expression: variable(name) })),
    aggregations: [{ variable: into, function: 'collect', distinct: false, arguments: [value] }],
    estimatedRows: input.estimatedRows,
  };
}

interface Rows {
  readonly plan: Operator;
  /** What holds a row, or a list of them. */
  readonly rows: string;
}

function firstOf(input: Operator, row: string, rows: string, count: number): Rows {
  return { plan: { kind: 'unwind', input, variable: row, list: first(rows, count), estimatedRows: input.estimatedRows }, rows: row };
}

function firstGroups(
  context: PlanContext,
  input: Operator,
  { ends, lengthName, rows, count }: { ends: readonly string[]; lengthName: string; rows: string; count: number },
): Rows {
  const [group, groups] = [context.fresh('group', 'list'), context.fresh('groups', 'list')];
  const collected = collect(byLength(input, lengthName), ends, { into: groups, value: variable(rows) });
  return firstOf(collected, group, groups, count);
}

const first = (list: string, count: number): Expression => ({
  kind: 'slice',
  subject: variable(list),
  from: literal(0),
  to: literal(count),
  span: NOWHERE,
});

const field = (row: string, at: number): Expression => ({ kind: 'index', subject: variable(row), index: literal(at), span: NOWHERE });

/**
 * MATCH with a selector (`SHORTEST 2`, `ALL SHORTEST`, `ANY`) over more than one step between two nodes, or for more
 * than one path. The pattern becomes an automaton, in which the paths are searched breadth-first from one end
 * (`match/path-automaton.ts`). A pattern that cannot be one is enumerated: all its paths are found, in the order that
 * costs least, and of each pair of ends those are kept that the selector chooses, by their number of relationships;
 * there cost and memory grow with the number of paths.
 *
 * WHERE filters the chosen paths. Its conditions on the ends alone decide which pairs there are: they are tested first.
 *
 * One path, or all of the least length, of a single step between two nodes is searched from both ends instead: see
 * `match/shortest-paths.ts`.
 */
import { GraphDBError } from '../../base/index.ts';
import type { Expression, PathPattern, PathSelector, PatternElement } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { arithmetic, call, literal, NOWHERE, variable } from '../expressions/build.ts';
import { conjuncts } from '../expressions/conjuncts.ts';
import { isVolatile } from '../expressions/walk.ts';
import { automatonOf } from '../match/path-automaton.ts';
import { solveQueryGraph } from '../match/solve.ts';
import { narrowArguments } from '../operators/arguments.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { PathSearch } from '../operators/kinds/table.ts';
import { conditionsOf, QueryGraphBuilder } from '../pattern/build-query-graph.ts';
import { makePredicate } from '../pattern/predicates.ts';
import { graphVariables, type MatchPatterns, type Predicate, type QueryGraph, quantifiedVariables } from '../pattern/query-graph.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { argumentState, extend, type RowState } from '../row-state.ts';

/** With more pairs of ends than this, one search from each start is faster than one search for each pair. */
const FEW_PAIRS = 8;

/** Estimated number of paths if a parameter gives it. */
const UNKNOWN_COUNT = 4;

/** Tells whether `planSelectedMatch` has to plan a MATCH. `scope`: the variables of the rows before it. */
export function isSelectedAmongPaths(context: PlanContext, scope: ReadonlySet<string>, { patterns, where }: MatchPatterns): boolean {
  return patterns.some((path) => {
    const { selector, elements } = path;
    if (selector === null || selector.legacy) return false;
    if (patterns.length > 1) return true;
    if (!isOneStep(elements) || selector.count !== 1 || selector.kind === 'shortestGroups' || endsSpeakOfPath(path)) return true;
    return hasManyEnds(context, scope, { path, where });
  });
}

function hasManyEnds(
  context: PlanContext,
  scope: ReadonlySet<string>,
  match: { readonly path: PathPattern; readonly where: Expression | null },
): boolean {
  const selection = selectionOf(context, argumentState(scope), match);
  const pairs = selection.ends.reduce((product, end) => product * (scope.has(end) ? 1 : rowsOf(context, selection, end)), 1);
  return selection.ends.length === 2 && pairs > FEW_PAIRS && searched(context, selection) !== null;
}

/** Tells whether a pattern is two nodes with one relationship between them, repeated or not. */
function isOneStep(elements: readonly PatternElement[]): boolean {
  const [, step] = elements;
  if (elements.length !== 3 || step === undefined) return false;
  if (step.kind !== 'quantifiedPattern') return true;
  const [, inner] = step.path.elements;
  return step.path.elements.length === 3 && inner?.kind === 'relationshipPattern' && inner.length === null;
}

/** Tells whether a condition within a node refers to what lies between the ends: it then decides which paths there are to choose from. */
function endsSpeakOfPath({ variable: path, elements }: PathPattern): boolean {
  const inner = elements.slice(1, -1);
  const between = new Set([
    ...(path === null ? [] : [path.name]),
    ...inner.flatMap((element) => (element.kind === 'quantifiedPattern' ? quantifiedVariables(element) : [element.variable!.name])),
  ]);
  return elements.some(
    (element) => element.kind === 'nodePattern' && conditionsOf(element).some((condition) => someIn(between, freeVariables(condition))),
  );
}

const someIn = (names: ReadonlySet<string>, candidates: Iterable<string>): boolean => [...candidates].some((name) => names.has(name));

/** Plans MATCH with a selector. */
export function planSelectedMatch(context: PlanContext, state: RowState, clause: MatchPatterns): RowState {
  const [path] = clause.patterns;
  if (path === undefined || clause.patterns.length > 1)
    throw new GraphDBError('UNSUPPORTED', 'a pattern behind SHORTEST or ANY stands alone in its MATCH: put the others into another MATCH');
  const selected = selectionOf(context, state, { path, where: clause.where });
  const { plan, variables } = searched(context, selected) ?? enumerated(context, selected);
  const applied = { kind: 'apply', input: state.plan, plan: narrowArguments(plan), unit: false } as const;
  const estimatedRows = state.plan.estimatedRows * plan.estimatedRows;
  const matched = { ...extend(state, { ...applied, estimatedRows }, variables), single: false };
  return selected.afterwards.length === 0 ? matched : filtered(context, matched, selected.afterwards);
}

interface Selection {
  readonly path: PathPattern;
  readonly graph: QueryGraph;
  /** The state of the rows before, as the search sees them. */
  readonly start: RowState;
  /** Variables of the two ends; a single one if the pattern ends where it begins. */
  readonly ends: readonly string[];
  /** Variables that are read later, beside the ends. */
  readonly carried: readonly string[];
  /** Conjuncts of WHERE that are about more than the ends; tested after the search. */
  readonly afterwards: readonly Expression[];
}

function selectionOf(
  context: PlanContext,
  state: RowState,
  { path, where }: { readonly path: PathPattern; readonly where: Expression | null },
): Selection {
  const ends = endsOf(path);
  const builder = new QueryGraphBuilder(context, state.scope);
  builder.add({ patterns: [{ ...path, selector: null }], where: null });
  const found = new Set(graphVariables(builder.build()));
  const afterwards: Expression[] = [];
  for (const conjunct of where === null ? [] : conjuncts(where)) {
    const isAboutEnds = !isVolatile(conjunct) && [...freeVariables(conjunct)].every((name) => !found.has(name) || ends.includes(name));
    if (isAboutEnds) builder.addWhere(conjunct);
    else afterwards.push(conjunct);
  }
  const graph = builder.build();
  const carried = [...found].filter((name) => context.used.has(name) && !ends.includes(name) && !state.scope.has(name));
  return { path, graph, ends, carried, afterwards, start: { ...argumentState(state.scope), nonNull: state.nonNull } };
}

interface Found {
  readonly plan: Operator;
  readonly variables: readonly string[];
}

/** Plans the search of an automaton; null if the pattern has none. */
function searched(context: PlanContext, selection: Selection): Found | null {
  const { path, graph, start, ends, carried } = selection;
  const [left, right] = [ends[0]!, ends.at(-1)!];
  const fromRight = startsAtRight(context, selection);
  const [from, to] = fromRight ? [right, left] : [left, right];
  const into = from === to || start.scope.has(to);
  const known = new Set([...start.scope, from, ...(into ? [to] : [])]);
  const found = automatonOf(context, { path, graph, scope: start.scope, known, fromRight });
  if (found === null) return null;
  const source = solveQueryGraph(context, alone([from, ...(into ? [to] : [])], found.before.map(makePredicate)), start);
  const selector = path.selector!;
  const others = into ? 1 : rowsOf(context, selection, to);
  const estimatedRows = source.plan.estimatedRows * others * (typeof selector.count === 'number' ? selector.count : UNKNOWN_COUNT);
  const search: PathSearch = {
    kind: 'pathSearch',
    input: source.plan,
    from,
    to,
    into,
    reversed: fromRight,
    automaton: found.automaton,
    outputs: found.outputs,
    mode: selector.kind === 'allShortest' ? 'all' : selector.kind === 'shortestGroups' ? 'groups' : 'shortest',
    count: selector.count,
    estimatedRows,
  };
  const plan = graph.derived.reduce(
    (input: Operator, { variable: name, expression }): Operator => ({
      kind: 'project',
      input,
      items: [{ variable: name, expression }],
      discard: false,
      estimatedRows,
    }),
    search,
  );
  return { plan, variables: [...ends, ...carried] };
}

/** Tells whether the search starts at the right end: if only that end is known, or if it has fewer nodes than the left one. */
function startsAtRight(context: PlanContext, selection: Selection): boolean {
  const { ends, start } = selection;
  const [left, right] = [ends[0]!, ends.at(-1)!];
  if (start.scope.has(left)) return false;
  return start.scope.has(right) || rowsOf(context, selection, right) < rowsOf(context, selection, left);
}

/** Estimates how many nodes may stand at an end. */
function rowsOf(context: PlanContext, { graph, start }: Selection, end: string): number {
  const predicates = graph.predicates.filter(({ dependencies }) =>
    [...dependencies].every((name) => name === end || start.scope.has(name)),
  );
  return solveQueryGraph(context, alone([end], predicates), start).plan.estimatedRows;
}

const alone = (nodes: readonly string[], predicates: readonly Predicate[]): QueryGraph => ({
  nodes: [...new Set(nodes)],
  relationships: [],
  shortestPaths: [],
  derived: [],
  predicates,
});

function enumerated(context: PlanContext, { path, graph, start, ends, carried }: Selection): Found {
  const { plan } = solveQueryGraph(context, graph, start);
  const kept = chosen(context, { plan, selector: path.selector!, length: lengthOf(graph), ends, carried });
  return { plan: kept, variables: [...ends, ...carried] };
}

function filtered(context: PlanContext, state: RowState, afterwards: readonly Expression[]): RowState {
  const builder = new QueryGraphBuilder(context, state.scope);
  for (const conjunct of afterwards) builder.add({ patterns: [], where: conjunct });
  return solveQueryGraph(context, builder.build(), state);
}

function endsOf({ elements }: PathPattern): string[] {
  const names = [elements[0], elements.at(-1)].map((element) => (element?.kind === 'nodePattern' ? element.variable!.name : ''));
  return [...new Set(names)];
}

/** Makes the expression for the number of relationships of a path. */
function lengthOf({ relationships }: QueryGraph): PlanExpression {
  const lists = relationships.filter(({ length }) => length !== null);
  const singles: PlanExpression = literal(relationships.length - lists.length);
  return lists.reduce((sum, { variable: list }): PlanExpression => arithmetic(sum, '+', call('size', variable(list))), singles);
}

interface Choice {
  readonly plan: Operator;
  readonly selector: PathSelector;
  readonly length: PlanExpression;
  readonly ends: readonly string[];
  /** Variables that are read later, beside the ends. */
  readonly carried: readonly string[];
}

/**
 * Keeps the paths that the selector chooses. Rows are sorted by length and collected for each pair of ends, in groups
 * of one length if the selector counts groups; the first rows or groups of each pair come back as rows.
 */
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
  if (typeof count !== 'number')
    throw new GraphDBError(
      'UNSUPPORTED',
      `the paths of this pattern are listed, which needs their number: write it in the place of $${count.name}`,
    );
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
  /** The variable that holds a row, or a list of them. */
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

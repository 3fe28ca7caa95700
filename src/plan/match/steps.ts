/**
 * The steps by which a partial plan grows: scanning a node, scanning relationships, expanding along a pattern, binding
 * an end of a known relationship.
 */

import { ratio } from '../estimates/estimator.ts';
import { call, equals, NOWHERE, variable } from '../expressions/build.ts';
import { asExpression } from '../expressions/mapping.ts';
import {
  EXPAND_INTO,
  EXPAND_NODE,
  EXPAND_ROW,
  SCAN_ROW,
  SEEK,
  VARIABLE_EXPAND_NODE,
  VARIABLE_EXPAND_ROW,
} from '../operators/cost-units.ts';
import { type Predicate, type QueryRelationship, reverse } from '../pattern/query-graph.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import type { Problem, RelationshipInfo } from './problem.ts';
import { seekRelationshipByIndex } from './relationship-seeks.ts';
import { advance, type SearchState } from './search-state.ts';
import { differsFrom } from './uniqueness.ts';
import { variableExpand } from './variable-expand.ts';

/** Returns a state for each way to find a node from what is known. */
export function scanNode(problem: Problem, state: SearchState, node: { variable: string; bit: bigint }): readonly SearchState[] {
  return leavesAt(problem, state, node).map((leaf) => applyLeaf(problem, state, node, leaf));
}

const ANCHOR_ROWS = 4;

/** Returns states that find a second node of a pattern by itself, which pays if that gives very few rows to combine with. */
export function anchorNode(problem: Problem, state: SearchState, node: { variable: string; bit: bigint }): readonly SearchState[] {
  if (!problem.soughtAfter.has(node.variable)) return [];
  return leavesAt(problem, state, node)
    .filter((leaf) => leaf.seek && leaf.rows <= ANCHOR_ROWS)
    .map((leaf) => applyLeaf(problem, state, node, leaf));
}

/** Returns the ways to find a node. They depend only on the node and what its lookups need, so one result serves many states. */
function leavesAt(problem: Problem, state: SearchState, node: { variable: string; bit: bigint }): readonly Leaf[] {
  let found = problem.foundLeaves.get(node.bit);
  if (found === undefined) {
    found = { needed: neededBy(problem, node.variable), byKnown: new Map() };
    problem.foundLeaves.set(node.bit, found);
  }
  const known = state.available & found.needed;
  let leaves = found.byKnown.get(known);
  if (leaves === undefined) {
    leaves = findLeaves(problem, known, node);
    found.byKnown.set(known, leaves);
  }
  return leaves;
}

function neededBy(problem: Problem, variable: string): bigint {
  const infos = [
    ...problem.lookups.filter(({ lookup }) => lookup.subject === variable),
    ...problem.alternatives.filter(({ subject }) => subject === variable).flatMap(({ parts }) => parts.flat()),
  ];
  return infos.reduce((needed, { mask }) => needed | mask, 0n);
}

function findLeaves(problem: Problem, known: bigint, node: { variable: string; bit: bigint }): readonly Leaf[] {
  const lookups = problem.lookups
    .filter(({ lookup, mask }) => lookup.subject === node.variable && (mask & ~known) === 0n)
    .map(({ lookup }) => lookup);
  const labels = problem.predicates.map((info) => info.predicate).filter((predicate) => predicate.labels?.variable === node.variable);
  const alternatives = problem.alternatives
    .filter(({ subject }) => subject === node.variable)
    .map(({ parts, ...about }) => ({
      ...about,
      parts: parts.map((part) => part.filter(({ mask }) => (mask & ~known) === 0n).map(({ lookup }) => lookup)),
    }));
  return leavesOf(problem.estimator, { variable: node.variable, lookups, labels, alternatives, mayGrow: problem.context.bound.writes });
}

function applyLeaf(problem: Problem, state: SearchState, node: { bit: bigint }, leaf: Leaf): SearchState {
  return advance(problem, state, {
    bits: node.bit,
    rows: state.rows * leaf.rows,
    cost: Math.max(state.rows, 1) * leaf.cost,
    single: state.single && leaf.single,
    consumed: leaf.consumed,
    build: (estimatedRows) => leaf.build(state.build(), estimatedRows),
  });
}

/** Returns states that find a relationship and both of its ends at once: by scan, by id, or by an index. */
export function scanRelationship(problem: Problem, state: SearchState, info: RelationshipInfo): readonly SearchState[] {
  const { relationship } = info;
  if (relationship.length !== null || relationship.bound || relationship.left === relationship.right) return [];
  const ends = { relationship: relationship.variable, from: relationship.left, to: relationship.right, direction: relationship.direction };
  const bits = info.bit | info.left | info.right;
  const uniqueAgainst = differsFrom(problem, state, info);
  const rows = problem.estimator.relationships(relationship, null, null);
  const scan = advance(problem, state, {
    bits,
    rows: state.rows * rows,
    cost: Math.max(state.rows, 1) * (SCAN_ROW * 1.5 * rows + 4),
    single: false,
    selectivity: endLabelShare(problem, relationship),
    build: (estimatedRows) => ({
      kind: 'relationshipScan',
      input: state.build(),
      ...ends,
      types: relationship.types,
      uniqueAgainst,
      estimatedRows,
    }),
  });
  return [scan, ...seekRelationship(problem, state, info), ...seekRelationshipByIndex(problem, state, info)];
}

function seekRelationship(problem: Problem, state: SearchState, info: RelationshipInfo): readonly SearchState[] {
  const { relationship } = info;
  return problem.lookups
    .filter(({ lookup, mask }) => lookup.subject === relationship.variable && lookup.byFunction && (mask & ~state.available) === 0n)
    .map(({ lookup }) => {
      const many = lookup.operator === 'in';
      return advance(problem, state, {
        bits: info.bit | info.left | info.right,
        rows: state.rows * (many ? 10 : 1) * (relationship.direction === 'both' ? 2 : 1),
        cost: Math.max(state.rows, 1) * SEEK,
        single: state.single && !many && relationship.direction !== 'both',
        consumed: new Set([lookup.predicate]),
        build: (estimatedRows) => {
          const seek: Operator = {
            kind: 'relationshipByIdSeek',
            input: state.build(),
            relationship: relationship.variable,
            from: relationship.left,
            to: relationship.right,
            direction: relationship.direction,
            id: lookup.value,
            many,
            uniqueAgainst: differsFrom(problem, state, info),
            estimatedRows,
          };
          return withTypeFilter(seek, info, estimatedRows);
        },
      });
    });
}

/** Filters by type: a relationship that was found by its id may be of any type. */
function withTypeFilter(input: Operator, { relationship }: RelationshipInfo, estimatedRows: number): Operator {
  if (relationship.types === null) return input;
  const names = relationship.types.map((name) => ({ kind: 'labelName', name, span: NOWHERE }) as const);
  const labels = names.length === 1 ? names[0]! : ({ kind: 'labelOr', operands: names, span: NOWHERE } as const);
  return {
    kind: 'filter',
    input,
    predicate: { kind: 'hasLabels', subject: variable(relationship.variable), labels, span: NOWHERE },
    estimatedRows,
  };
}

/** Follows a relationship pattern from a known end, or between two known ends. */
export function expandRelationship(problem: Problem, state: SearchState, info: RelationshipInfo): readonly SearchState[] {
  const knowsLeft = (info.left & ~state.available) === 0n;
  const knowsRight = (info.right & ~state.available) === 0n;
  if (knowsLeft && knowsRight) return [expandFrom(problem, state, info, { fromLeft: true, into: true })];
  if (knowsLeft) return [expandFrom(problem, state, info, { fromLeft: true, into: false })];
  if (knowsRight) return [expandFrom(problem, state, info, { fromLeft: false, into: false })];
  if (info.relationship.bound && (info.variable & ~state.available) === 0n) return bindLeft(problem, state, info);
  return [];
}

interface Way {
  readonly fromLeft: boolean;
  readonly into: boolean;
}

function expandFrom(problem: Problem, state: SearchState, info: RelationshipInfo, way: Way): SearchState {
  return info.relationship.length === null ? expandOne(problem, state, info, way) : expandMany(problem, state, info, way);
}

function expandOne(problem: Problem, state: SearchState, info: RelationshipInfo, { fromLeft, into }: Way): SearchState {
  const { relationship } = info;
  const { estimator } = problem;
  const from = fromLeft ? relationship.left : relationship.right;
  const to = fromLeft ? relationship.right : relationship.left;
  const direction = fromLeft ? relationship.direction : reverse(relationship.direction);
  const oriented = { types: relationship.types, direction };
  const perRow = relationship.bound ? 1 : into ? estimator.connections(oriented, from, to) : estimator.degree(oriented, from);
  const rows = state.rows * perRow;
  const uniqueAgainst = differsFrom(problem, state, info);
  return advance(problem, state, {
    bits: info.bit | info.left | info.right,
    rows,
    cost: into ? state.rows * EXPAND_INTO + rows : state.rows * EXPAND_NODE + rows * EXPAND_ROW,
    single: state.single && relationship.bound && (into || relationship.direction !== 'both'),
    selectivity: into ? undefined : farLabelShare(problem, oriented, from, to),
    build: (estimatedRows) => ({
      kind: 'expand',
      input: state.build(),
      from,
      relationship: relationship.variable,
      to,
      types: relationship.types,
      direction,
      into,
      relationshipBound: relationship.bound,
      uniqueAgainst,
      estimatedRows,
    }),
  });
}

function expandMany(problem: Problem, state: SearchState, info: RelationshipInfo, { fromLeft, into }: Way): SearchState {
  const { relationship } = info;
  const from = fromLeft ? relationship.left : relationship.right;
  const to = fromLeft ? relationship.right : relationship.left;
  const direction = fromLeft ? relationship.direction : reverse(relationship.direction);
  const walks = problem.estimator.walks({ ...relationship, direction }, from, to, false);
  const rows =
    state.rows * (relationship.bound ? 1 : into ? problem.estimator.walks({ ...relationship, direction }, from, to, true) : walks);
  const uniqueAgainst = differsFrom(problem, state, info);
  return advance(problem, state, {
    bits: info.bit | info.left | info.right,
    rows,
    cost: state.rows * VARIABLE_EXPAND_NODE + state.rows * walks * VARIABLE_EXPAND_ROW,
    single: false,
    selectivity:
      into || relationship.quantified !== null ? undefined : farLabelShare(problem, { types: relationship.types, direction }, from, to),
    build: (estimatedRows) => variableExpand(problem, info, { input: state.build(), fromLeft, into, uniqueAgainst, estimatedRows }),
  });
}

/** Returns shares for labels of the far end. These depend on the type, so relationships are counted by the labels of their ends. */
function farLabelShare(
  problem: Problem,
  oriented: { readonly types: readonly string[] | null; readonly direction: 'out' | 'in' | 'both' },
  from: string,
  to: string,
): (predicate: Predicate) => number | undefined {
  let isFirst = true;
  return (predicate) => {
    if (predicate.labels?.variable !== to) return undefined;
    const share = isFirst ? problem.estimator.farLabels(oriented, from, to) : 1;
    isFirst = false;
    return share;
  };
}

/** Returns shares for labels of the ends of a scanned relationship: relationships are counted by the labels of both ends. */
function endLabelShare(
  problem: Problem,
  { types, direction, left, right }: QueryRelationship,
): (predicate: Predicate) => number | undefined {
  const { estimator } = problem;
  let isFirst = true;
  return (predicate) => {
    const subject = predicate.labels?.variable;
    if (subject !== left && subject !== right) return undefined;
    const fitting = estimator.relationships({ types, direction }, estimator.label(left), estimator.label(right));
    const share = isFirst ? ratio(fitting, estimator.relationships({ types, direction }, null, null)) : 1;
    isFirst = false;
    return Math.min(1, share);
  };
}

/** Binds the left end of a relationship that has a value already; of an undirected one, each of its ends in turn. */
function bindLeft(problem: Problem, state: SearchState, info: RelationshipInfo): readonly SearchState[] {
  const { relationship } = info;
  if (relationship.length !== null && relationship.length.min === 0) return [];
  const one: PlanExpression = relationship.length === null ? variable(relationship.variable) : firstOf(relationship.variable);
  const isBoth = relationship.direction === 'both';
  return [
    advance(problem, state, {
      bits: info.left,
      rows: state.rows * (isBoth ? 2 : 1),
      cost: state.rows,
      single: state.single && !isBoth,
      build: (estimatedRows) =>
        isBoth
          ? { kind: 'unwind', input: state.build(), variable: relationship.left, list: endsOf(one), estimatedRows }
          : {
              kind: 'project',
              input: state.build(),
              items: [{ variable: relationship.left, expression: call(relationship.direction === 'out' ? 'startNode' : 'endNode', one) }],
              discard: false,
              estimatedRows,
            },
    }),
  ];
}

const firstOf = (list: string): PlanExpression => call('head', variable(list));

/** Makes the list of both ends of a relationship; a self-loop has one. */
function endsOf(relationship: PlanExpression): PlanExpression {
  const start = call('startNode', relationship);
  const end = call('endNode', relationship);
  return {
    kind: 'case',
    subject: null,
    branches: [{ when: equals(start, end), then: { kind: 'list', items: [start], span: NOWHERE } }],
    otherwise: { kind: 'list', items: [asExpression(start), asExpression(end)], span: NOWHERE },
    span: NOWHERE,
  };
}

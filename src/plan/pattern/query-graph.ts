/**
 * A query graph: what one or more MATCH clauses ask for, freed of the order in which it was written. Nodes and
 * relationships are variables; everything that narrows them (labels, properties, WHERE) is a predicate that may be
 * tested as soon as the variables it depends on are known.
 */
import type { Expression, LabelExpression, PathPattern, QuantifiedPattern } from '../../cypher/index.ts';
import type { Operator, PlanExpression } from '../plan.ts';

/** The patterns of a MATCH or of an expression, and the condition on them. */
export interface MatchPatterns {
  readonly patterns: readonly PathPattern[];
  readonly where: Expression | null;
}

/** The direction of a relationship in a pattern. */
export type Direction = 'out' | 'in' | 'both';

/** One conjunct of the conditions. Predicates stand in the order of the query text. */
export interface Predicate {
  readonly expression: PlanExpression;
  /** Variables that must be known first, outer ones included. */
  readonly dependencies: ReadonlySet<string>;
  /** The predicate says that a variable has labels, all of them written down (so a scan can stand for it). */
  readonly labels: { readonly variable: string; readonly labels: LabelExpression } | null;
  /** The predicate is EXISTS or NOT EXISTS. */
  readonly exists: { readonly plan: Operator; readonly anti: boolean } | null;
}

/**
 * A predicate on each step of a variable-length pattern: over the relationship, and the nodes on its way from left to
 * right, by these names.
 */
export interface StepPredicate {
  readonly relationship?: string;
  readonly from?: string;
  readonly to?: string;
  readonly expression: PlanExpression;
}

/** A relationship of a query graph. */
export interface QueryRelationship {
  /** The variable of the relationship or, if it is of variable length, of the list. */
  readonly variable: string;
  readonly left: string;
  readonly right: string;
  /** The direction, seen from the left node. */
  readonly direction: Direction;
  /** Null for any type. */
  readonly types: readonly string[] | null;
  readonly length: { readonly min: number; readonly max: number | null } | null;
  readonly quantified: QuantifiedPattern | null;
  readonly steps: readonly StepPredicate[];
  /** The variable has a value before this MATCH. */
  readonly bound: boolean;
  /** The number of the MATCH clause; relationships of one clause differ from each other. */
  readonly clause: number;
}

/** A shortest path: `shortestPath(…)`, `allShortestPaths(…)` or a selector. It is searched after both ends have been found. */
export interface QueryShortestPath {
  readonly relationship: QueryRelationship;
  readonly mode: 'shortest' | 'all' | 'groups';
  readonly count: number;
  /** Written as a function: WHERE says which paths count. A selector (`SHORTEST 2`) chooses first, and WHERE filters what it has chosen. */
  readonly legacy: boolean;
  /** Conjuncts about the path, which counts only if all of them hold. */
  readonly predicates: readonly Predicate[];
}

/** A variable computed from others: a named path. */
export interface Derived {
  readonly variable: string;
  readonly expression: PlanExpression;
}

/** The graph of a pattern. */
export interface QueryGraph {
  /** Node variables, in order of appearance. */
  readonly nodes: readonly string[];
  readonly relationships: readonly QueryRelationship[];
  readonly shortestPaths: readonly QueryShortestPath[];
  readonly derived: readonly Derived[];
  readonly predicates: readonly Predicate[];
}

/** Returns all variables of the graph, those that were bound before it included. */
export function graphVariables(graph: QueryGraph): readonly string[] {
  return [
    ...graph.nodes,
    ...graph.relationships.flatMap(relationshipVariables),
    ...graph.shortestPaths.flatMap((path) => relationshipVariables(path.relationship)),
    ...graph.derived.map((derived) => derived.variable),
  ];
}

/** Returns the relationship's own variable and, of a quantified pattern, its group variables. */
export function relationshipVariables(relationship: QueryRelationship): readonly string[] {
  return relationship.quantified === null
    ? [relationship.variable]
    : [relationship.variable, ...quantifiedVariables(relationship.quantified)];
}

/** Returns the variables of the path inside a quantified pattern, which are lists outside of it. */
export function quantifiedVariables(pattern: QuantifiedPattern): readonly string[] {
  return pattern.path.elements.flatMap((element) => (element.kind === 'quantifiedPattern' ? [] : [element.variable!.name]));
}

/** Tells whether one relationship could match both patterns, by their types; in one clause the two must then be compared. */
export function mayBeSame(left: QueryRelationship, right: QueryRelationship): boolean {
  if (left.types === null || right.types === null) return true;
  return left.types.some((type) => right.types!.includes(type));
}

/** Returns the opposite direction. */
export const reverse = (direction: Direction): Direction => (direction === 'out' ? 'in' : direction === 'in' ? 'out' : 'both');

/**
 * Predicates about every element of a path, taken apart: `all(r IN relationships(p) WHERE f(r))` and `none(…)` become
 * predicates on the single relationships of the pattern and on each step of those of variable length, where they stop a
 * walk early. `all(n IN nodes(p) WHERE f(n))` likewise: the two ends of each relationship, and the node that every step
 * leads to. Only where `f` depends on nothing else that this MATCH has yet to find: a step is tested while walking.
 */

import type { Expression } from '../../cypher/index.ts';
import { isNamed } from '../../functions/index.ts';
import { not, variable } from '../expressions/build.ts';
import { asExpression } from '../expressions/mapping.ts';
import { hasPatterns, isVolatile, replaceExpressions } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { Derived, QueryRelationship } from './query-graph.ts';

interface PathPredicatePart {
  /** The variable of the relationship pattern whose steps are tested; '' for a plain predicate. */
  readonly relationship: string;
  readonly step: { readonly of: 'relationship' | 'node'; readonly variable: string } | null;
  readonly expression: Expression;
}

type Quantified = Extract<Expression, { kind: 'quantifier' }>;

/** Splits a predicate about every element of a path. There is always at least one part; any other predicate is its own only part. */
export function splitPathPredicate(
  predicate: Expression,
  derived: readonly Derived[],
  relationships: readonly QueryRelationship[],
  outer: ReadonlySet<string>,
): readonly PathPredicatePart[] {
  const whole: PathPredicatePart = { relationship: '', step: null, expression: predicate };
  if (predicate.kind !== 'quantifier' || predicate.where === null || isVolatile(predicate.where) || hasPatterns(predicate.where))
    return [whole];
  if (predicate.quantifier !== 'all' && predicate.quantifier !== 'none') return [whole];
  if (![...freeVariables(predicate.where)].every((name) => name === predicate.variable.name || outer.has(name))) return [whole];
  const lengths = new Map(relationships.map((relationship) => [relationship.variable, relationship]));
  if (predicate.list.kind === 'variable')
    return variableLength(lengths.get(predicate.list.name)) ? step(predicate, predicate.list.name, 'relationship') : [whole];
  return splitOverPath(predicate, derived, lengths) ?? [whole];
}

const variableLength = (relationship: QueryRelationship | undefined): relationship is QueryRelationship =>
  relationship !== undefined && relationship.length !== null && relationship.quantified === null && !relationship.bound;

function splitOverPath(
  predicate: Quantified,
  derived: readonly Derived[],
  lengths: ReadonlyMap<string, QueryRelationship>,
): readonly PathPredicatePart[] | null {
  const { list } = predicate;
  if (list.kind !== 'function' || list.arguments.length !== 1 || list.arguments[0]!.kind !== 'variable') return null;
  const path = derived.find((each) => each.variable === (list.arguments[0] as { name: string }).name);
  if (path === undefined || path.expression.kind !== 'pathBuild') return null;
  const { elements } = path.expression;
  const patterns = elements.filter((_, at) => at % 2 === 1).map((name) => lengths.get(name));
  if (!patterns.every((pattern) => pattern !== undefined && (pattern.length === null || variableLength(pattern)))) return null;
  if (isNamed(list.name, 'relationships')) return patterns.flatMap((pattern) => relationshipParts(predicate, pattern!));
  if (!isNamed(list.name, 'nodes')) return null;
  const nodes = elements.filter((_, at) => at % 2 === 0).map((node) => plain(predicate, node));
  return [...nodes, ...patterns.flatMap((pattern) => (pattern!.length === null ? [] : step(predicate, pattern!.variable, 'node')))];
}

function relationshipParts(predicate: Quantified, pattern: QueryRelationship): readonly PathPredicatePart[] {
  return pattern.length === null ? [plain(predicate, pattern.variable)] : step(predicate, pattern.variable, 'relationship');
}

function step(predicate: Quantified, relationship: string, of: 'relationship' | 'node'): readonly PathPredicatePart[] {
  return [{ relationship, step: { of, variable: predicate.variable.name }, expression: required(predicate) }];
}

function plain(predicate: Quantified, name: string): PathPredicatePart {
  const expression = replaceExpressions(required(predicate), (part) =>
    part.kind === 'variable' && part.name === predicate.variable.name ? variable(name) : null,
  );
  return { relationship: '', step: null, expression: asExpression(expression) };
}

/** Returns the condition that must be true of each element. */
const required = (predicate: Quantified): Expression => (predicate.quantifier === 'all' ? predicate.where! : not(predicate.where!));

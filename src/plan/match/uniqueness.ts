/** Two relationship patterns of one MATCH clause never match the same relationship. This decides which are compared, and when. */
import { and, compare, NOWHERE, not, variable } from '../expressions/build.ts';
import { asExpression } from '../expressions/mapping.ts';
import { mayBeSame, type QueryRelationship } from '../pattern/query-graph.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import type { Problem, RelationshipInfo } from './problem.ts';
import type { SearchState } from './search-state.ts';

type SolvedPart = Pick<SearchState, 'available'>;

/** Returns the relationship variables found before this one that it must differ from and might not, by types and ends. */
export function differsFrom(problem: Problem, state: SolvedPart, info: RelationshipInfo): readonly string[] {
  return problem.relationships
    .filter((other) => isFound(other, state) && mustDiffer(problem, other, info))
    .map((other) => other.relationship.variable);
}

const isFound = (info: RelationshipInfo, state: SolvedPart): boolean => (info.bit & state.available) !== 0n;

function mustDiffer({ distinctNodes }: Problem, left: RelationshipInfo, right: RelationshipInfo): boolean {
  const [one, other] = [left.relationship, right.relationship];
  if (left === right || one.clause !== other.clause || !mayBeSame(one, other)) return false;
  return one.length !== null || other.length !== null || distinctNodes.mayCoincide(one, other);
}

/** Adds to the join of two parts the conditions that their relationships differ: each part has compared only its own. */
export function withUniqueness(problem: Problem, left: SolvedPart, right: SolvedPart, joined: Operator): Operator {
  const only = (state: SolvedPart, other: SolvedPart): readonly RelationshipInfo[] =>
    problem.relationships.filter((info) => isFound(info, state) && !isFound(info, other));
  const pairs = only(left, right).flatMap((one) =>
    only(right, left)
      .filter((other) => mustDiffer(problem, one, other))
      .map((other) => differ(problem, one.relationship, other.relationship)),
  );
  return pairs.length === 0 ? joined : { kind: 'filter', input: joined, predicate: and(pairs), estimatedRows: joined.estimatedRows };
}

function differ(problem: Problem, left: QueryRelationship, right: QueryRelationship): PlanExpression {
  if (left.length === null && right.length === null) return compare(variable(left.variable), '<>', variable(right.variable));
  if (left.length === null) return not(isIn(left.variable, right.variable));
  if (right.length === null) return not(isIn(right.variable, left.variable));
  const each = problem.context.fresh('each', 'relationship');
  return {
    kind: 'quantifier',
    quantifier: 'none',
    variable: variable(each),
    list: variable(left.variable),
    where: asExpression(isIn(each, right.variable)),
    span: NOWHERE,
  };
}

const isIn = (one: string, list: string): PlanExpression => ({
  kind: 'binary',
  operator: 'in',
  left: variable(one),
  right: variable(list),
  span: NOWHERE,
});

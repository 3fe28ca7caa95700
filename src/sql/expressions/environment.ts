/**
 * The variables, parameters and lowerings that the lowering of an expression is given. Each form of expression lowers its
 * operands by the lowering that is passed in here, so that none imports another.
 */
import type { Expression } from '../../cypher/index.ts';
import type { Program } from '../program.ts';
import type { Bindings, Column } from '../scope.ts';
import type { SqlExpression } from '../types.ts';

/** Lowers an expression. */
type Lowering = (environment: Environment, expression: Expression) => SqlExpression;

/** How parts of an expression are lowered. */
export interface Lowerings {
  /** Lowers an expression of any kind. */
  readonly expression: Lowering;
  /** Lowers what reads the graph: subqueries, patterns as predicates, and pattern comprehensions. */
  readonly subquery: Lowering;
}

/** The variables and parameters that an expression may mention. */
export interface Environment {
  readonly program: Program;
  readonly bindings: Bindings;
  /** SQL for expressions that were computed before, such as aggregates. */
  readonly known?: ReadonlyMap<Expression, SqlExpression>;
  readonly lowerings: Lowerings;
  /** Whether the expression is computed for each item of a list, where SQL has no subqueries. */
  readonly isWithinList?: true;
  /** The variables from outside of the subquery whose patterns or condition the expression is in; absent: it is in none. */
  readonly around?: Bindings;
}

/** Lowers an expression, or an operand of one. */
export function lower(environment: Environment, expression: Expression): SqlExpression {
  return environment.lowerings.expression(environment, expression);
}

/** Returns an environment with one more variable: a scalar. */
export function withScalar(environment: Environment, variable: string, column: Column): Environment {
  return { ...environment, bindings: new Map([...environment.bindings, [variable, { kind: 'scalar', column }]]) };
}

/** Returns an environment with a variable for each item of a list. */
export function withItem(environment: Environment, variable: string, column: Column): Environment {
  return { ...withScalar(environment, variable, column), isWithinList: true };
}

/** Tells the nodes, relationships and paths that expressions stand for. */
import type { Expression } from '../../cypher/index.ts';
import { entityOfValue } from '../entities.ts';
import type { EntityBinding, PathBinding } from '../scope.ts';
import type { SqlExpression } from '../types.ts';
import { type Environment, lower } from './environment.ts';
import { constantOf } from './literals.ts';

/** Returns the node or relationship that a variable stands for; null: the expression is something else. */
export function entityOf(environment: Environment, expression: Expression): EntityBinding | null {
  const binding = expression.kind === 'variable' ? environment.bindings.get(expression.name) : undefined;
  if (binding?.kind === 'node' || binding?.kind === 'relationship') return binding;
  const value = binding?.kind === 'scalar' ? { sql: binding.column.name, type: binding.column.type } : itemOf(environment, expression);
  return value?.type.kind === 'entity' ? entityOfValue(environment.program, value.sql, value.type) : null;
}

/** Returns the item that an expression takes from a list; null: it is something else. */
function itemOf(environment: Environment, expression: Expression): SqlExpression | null {
  const takesOne =
    expression.kind === 'index' || (expression.kind === 'function' && ['head', 'last'].includes(expression.name.toLowerCase()));
  return takesOne && constantOf(environment.program, expression) === undefined ? lower(environment, expression) : null;
}

/** Returns the path that a variable stands for; null: the expression is something else. */
export function pathOf({ bindings }: Environment, expression: Expression): PathBinding | null {
  const binding = expression.kind === 'variable' ? bindings.get(expression.name) : undefined;
  return binding?.kind === 'path' ? binding : null;
}

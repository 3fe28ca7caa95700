/** The values of lists and maps of literals. */
import { unreachable } from '../../../base/index.ts';
import type { Value } from '../../../value/index.ts';
import type { Expression, ListLiteral, MapLiteral } from '../../ast.ts';
import { isLiteralForm } from '../../expression-facts.ts';
import { join, LIST, listOf, MAP, NULL, type Type, typeOfLiteral } from '../types.ts';

/** The value of an expression of literals, with its type. */
export interface Constant {
  readonly value: Value;
  readonly type: Type;
}

/** Returns the value of an expression that consists of literals; null for any other. */
export function constantOf(expression: Expression): Constant | null {
  if (!isLiteralForm(expression)) return null;
  switch (expression.kind) {
    case 'literal':
      return { value: expression.value, type: typeOfLiteral(expression) };
    case 'list':
      return constantList(expression);
    case 'map':
      return constantMap(expression);
    default:
      return unreachable(expression, 'literal');
  }
}

function constantList({ items }: ListLiteral): Constant | null {
  const value: Value[] = [];
  let element = NULL;
  for (const item of items) {
    const constant = constantOf(item);
    if (constant === null) return null;
    value.push(constant.value);
    element = join(element, constant.type);
  }
  return { value, type: items.length === 0 ? LIST : listOf(element) };
}

function constantMap({ entries }: MapLiteral): Constant | null {
  const value = new Map<string, Value>();
  for (const entry of entries) {
    const constant = constantOf(entry.value);
    if (constant === null) return null;
    value.set(entry.key, constant.value);
  }
  return { value, type: MAP };
}

/**
 * The number of elements from which a list or map of literals becomes one literal after the binder, since visiting each
 * element would cost time and tell nothing.
 */
const MANY = 64;

/** Returns the value of a list or map of at least MANY literals; null for any other. */
export function longConstant(expression: ListLiteral | MapLiteral): Constant | null {
  const length = expression.kind === 'list' ? expression.items.length : expression.entries.length;
  return length < MANY ? null : constantOf(expression);
}

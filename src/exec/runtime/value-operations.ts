/** What generated code asks of values alone: conditions, comparisons, lists, counts of rows, types. */
import { GraphDBError } from '../../base/index.ts';
import type { ValueType } from '../../cypher/index.ts';
import {
  affirm,
  aType,
  elementsOf,
  greaterThan,
  greaterThanOrEqual,
  isInteger,
  isOfType,
  lessThan,
  lessThanOrEqual,
  typeFault,
  type Value,
} from '../../value/index.ts';
import { Execution } from './execution.ts';

export class ValueOperations extends Execution {
  isTrue(value: Value): boolean {
    if (value === true) return true;
    if (value === false || value === null) return false;
    throw typeFault(`a Boolean is needed here, not ${aType(value)}`);
  }

  isFalse(value: Value): boolean {
    if (value === false) return true;
    if (value === true || value === null) return false;
    throw typeFault(`a Boolean is needed here, not ${aType(value)}`);
  }

  compareLess(a: Value, b: Value): Value {
    return lessThan(a, b);
  }

  compareLessOrEqual(a: Value, b: Value): Value {
    return lessThanOrEqual(a, b);
  }

  compareGreater(a: Value, b: Value): Value {
    return greaterThan(a, b);
  }

  compareGreaterOrEqual(a: Value, b: Value): Value {
    return greaterThanOrEqual(a, b);
  }

  number(value: Value): Value {
    return affirm(value);
  }

  /** What a comprehension, a quantifier, reduce(), UNWIND or FOREACH goes through. A value that is no list is the only element of one. */
  list(value: Value): readonly Value[] | null {
    return value === null ? null : (elementsOf(value) ?? [value]);
  }

  elements(value: Value): readonly Value[] {
    return this.list(value) ?? [];
  }

  /** The argument of SKIP or LIMIT. */
  rowCount(value: Value, clause: string): number {
    if (!isInteger(value)) {
      const tck = { type: 'SyntaxError', phase: 'runtime', detail: 'InvalidArgumentType' } as const;
      throw new GraphDBError('ARGUMENT_ERROR', `${clause} takes an Integer, not ${aType(value)}`, { tck });
    }
    if (value < 0) {
      const tck = { type: 'SyntaxError', phase: 'runtime', detail: 'NegativeIntegerArgument' } as const;
      throw new GraphDBError('ARGUMENT_ERROR', `${clause} takes an Integer that is not negative, not ${value}`, { tck });
    }
    return Number(value);
  }

  isTyped(value: Value, type: ValueType, negated: boolean): boolean {
    return isOfType(value, type) !== negated;
  }

  isNormalized(value: Value, form: string, negated: boolean): Value {
    if (typeof value !== 'string') return null;
    return (value.normalize(form) === value) !== negated;
  }
}

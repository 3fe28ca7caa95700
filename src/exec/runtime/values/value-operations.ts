/** Operations of generated code on values alone: conditions, comparisons, lists, counts of rows, types. */
import { GraphDBError } from '../../../base/index.ts';
import {
  argumentFault,
  aType,
  elementsOf,
  isInteger,
  NodeValue,
  PathValue,
  type RelationshipValue,
  typeFault,
  type Value,
  type ValueMap,
} from '../../../value/index.ts';

/** A condition holds: null does not. */
export function isTrue(value: Value): boolean {
  if (value === true) return true;
  if (value === false || value === null) return false;
  throw typeFault(`a Boolean is needed here, not ${aType(value)}`);
}

/** A condition is false, which null is not. */
export function isFalse(value: Value): boolean {
  if (value === false) return true;
  if (value === true || value === null) return false;
  throw typeFault(`a Boolean is needed here, not ${aType(value)}`);
}

/**
 * Returns the list that a comprehension, a quantifier, reduce(), UNWIND or FOREACH goes through. A value that is no
 * list is the only element of one.
 */
export function listOf(value: Value): readonly Value[] | null {
  return value === null ? null : (elementsOf(value) ?? [value]);
}

/** The elements that UNWIND or FOREACH goes through: none of null. */
export function elements(value: Value): readonly Value[] {
  return listOf(value) ?? [];
}

/** The argument of SKIP or LIMIT. */
export function rowCount(value: Value, clause: string): number {
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

/** `value IS [NOT] form NORMALIZED`. */
export function isNormalized(value: Value, form: string, negated: boolean): Value {
  if (typeof value !== 'string') return null;
  return (value.normalize(form) === value) !== negated;
}

/** Nodes or relationships in the tables, as the view counts them. */
export function liveRows(tables: readonly { readonly liveCount: number }[]): number {
  return tables.reduce((sum, table) => sum + table.liveCount, 0);
}

/** The ordinal of a node; -1 for null. */
export function ordinalOf(value: Value): number {
  if (value === null) return -1;
  if (value instanceof NodeValue) return value.ordinal;
  throw typeFault(`a Node is needed here, not ${aType(value)}`);
}

/** The names in a list of names and of lists of them: `$(['A', 'B'])`. */
export function namesOfLabels(values: readonly Value[]): string[] {
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value];
    if (Array.isArray(value)) return namesOfLabels(value);
    throw typeFault(`a label is named by a String, not by ${aType(value)}`);
  });
}

/** `x {}` with no properties. */
export function projectNone(value: Value): ValueMap | null {
  return value === null ? null : new Map();
}

/**
 * The entries that a projection names, which come before the others as in Neo4j, and those of `.*` that it does not
 * name. Changes `named`.
 */
export function namedBefore(named: ValueMap, all: ValueMap): ValueMap {
  for (const [key, value] of all) if (!named.has(key)) named.set(key, value);
  return named;
}

/** The argument of IN TRANSACTIONS OF … ROWS. */
export function batchSize(value: Value): number {
  if (isInteger(value) && value > 0) return Number(value);
  throw argumentFault(`OF … ROWS takes an Integer above 0, not ${isInteger(value) ? value : `${aType(value)}`}`);
}

/** The argument of `SHORTEST $k` and its kin. */
export function pathCount(value: Value): number {
  if (isInteger(value) && value > 0) return Number(value);
  throw argumentFault(`the number of paths is an Integer above 0, not ${isInteger(value) ? value : `${aType(value)}`}`);
}

/** The row of REPORT STATUS of a batch. */
export function batchStatus(failure: GraphDBError | 'not started' | null, batch: number): Value {
  return new Map<string, Value>([
    ['started', failure !== 'not started'],
    ['committed', failure === null],
    ['transactionId', failure === 'not started' ? null : `batch-${batch}`],
    ['errorMessage', failure instanceof GraphDBError ? failure.message : null],
  ]);
}

/** The name in `SET x[name] = …`. */
export function propertyName(value: Value): string {
  if (typeof value === 'string') return value;
  throw typeFault(`a property is named by a String, not by ${aType(value)}`);
}

/** Throws where MERGE could never match one of the properties. */
export function checkMergeProperties(value: Value): void {
  if (!(value instanceof Map)) return;
  for (const [key, item] of value) {
    if (item !== null && !(typeof item === 'number' && Number.isNaN(item))) continue;
    const tck = { type: 'SemanticError', phase: 'runtime', detail: 'MergeReadOwnWrites' } as const;
    throw new GraphDBError(
      'SEMANTIC_ERROR',
      `MERGE cannot use ${item === null ? 'null' : 'NaN'} for the property ${key}: it would never match`,
      { tck },
    );
  }
}

/** Alternating nodes and relationships; a list stands for the relationships of a variable length. Null when any of them is. */
export function buildPath(parts: readonly Value[]): PathValue | null {
  if (parts.includes(null)) return null;
  const nodes = [ordinalOf(parts[0]!)];
  const relationships: RelationshipValue[] = [];
  for (let i = 1; i < parts.length; i += 2) {
    const steps = Array.isArray(parts[i]) ? (parts[i] as Value[]) : [parts[i]!];
    for (const step of steps as RelationshipValue[]) {
      const last = nodes[nodes.length - 1]!;
      relationships.push(step);
      nodes.push(step.source === last ? step.target : step.source);
    }
  }
  return new PathValue(nodes, relationships);
}

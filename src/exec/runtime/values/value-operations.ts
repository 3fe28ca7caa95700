/** Operations on values for generated code that need no context: conditions, lists, row counts, properties, paths. */
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

/** Tells whether a condition is true; false for null. @throws TYPE_ERROR if it is no Boolean */
export function isTrue(value: Value): boolean {
  if (value === true) return true;
  if (value === false || value === null) return false;
  throw typeFault(`a Boolean is needed here, not ${aType(value)}`);
}

/** Tells whether a condition is false, which null is not. @throws TYPE_ERROR if it is no Boolean */
export function isFalse(value: Value): boolean {
  if (value === false) return true;
  if (value === true || value === null) return false;
  throw typeFault(`a Boolean is needed here, not ${aType(value)}`);
}

/**
 * Returns the list that a comprehension, a quantifier, reduce(), UNWIND or FOREACH iterates over; null for null. A
 * value that is no list becomes a list of one element.
 */
export function listOf(value: Value): readonly Value[] | null {
  return value === null ? null : (elementsOf(value) ?? [value]);
}

/** Returns the elements that UNWIND or FOREACH iterates over; none for null. */
export function elements(value: Value): readonly Value[] {
  return listOf(value) ?? [];
}

/** Returns the number of rows of SKIP or LIMIT. @throws ARGUMENT_ERROR if it is no Integer, or negative */
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

/** Evaluates `value IS [NOT] form NORMALIZED`; null if the value is no String. */
export function isNormalized(value: Value, form: string, negated: boolean): Value {
  if (typeof value !== 'string') return null;
  return (value.normalize(form) === value) !== negated;
}

/** Returns the number of nodes or relationships in the tables that the view contains. */
export function liveRows(tables: readonly { readonly liveCount: number }[]): number {
  return tables.reduce((sum, table) => sum + table.liveCount, 0);
}

/** Returns the ordinal of a node; -1 for null. @throws TYPE_ERROR for any other value */
export function ordinalOf(value: Value): number {
  if (value === null) return -1;
  if (value instanceof NodeValue) return value.ordinal;
  throw typeFault(`a Node is needed here, not ${aType(value)}`);
}

/** Returns the names in a list that may contain lists, as in `$(['A', 'B'])`. @throws TYPE_ERROR if an element is no String */
export function namesOfLabels(values: readonly Value[]): string[] {
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value];
    if (Array.isArray(value)) return namesOfLabels(value);
    throw typeFault(`a label is named by a String, not by ${aType(value)}`);
  });
}

/** Evaluates `x {}`: an empty map; null for null. */
export function projectNone(value: Value): ValueMap | null {
  return value === null ? null : new Map();
}

/**
 * Appends to `named`, the entries that a map projection names, the entries of `.*` that it does not name, in the order
 * of Neo4j. Changes and returns `named`.
 */
export function namedBefore(named: ValueMap, all: ValueMap): ValueMap {
  for (const [key, value] of all) if (!named.has(key)) named.set(key, value);
  return named;
}

/** Returns the number of rows in IN TRANSACTIONS OF … ROWS. @throws ARGUMENT_ERROR if it is no positive Integer */
export function batchSize(value: Value): number {
  if (isInteger(value) && value > 0) return Number(value);
  throw argumentFault(`OF … ROWS takes an Integer above 0, not ${isInteger(value) ? value : `${aType(value)}`}`);
}

/** Returns the number of paths in `SHORTEST $k` and similar selectors. @throws ARGUMENT_ERROR if it is no positive Integer */
export function pathCount(value: Value): number {
  if (isInteger(value) && value > 0) return Number(value);
  throw argumentFault(`the number of paths is an Integer above 0, not ${isInteger(value) ? value : `${aType(value)}`}`);
}

/** Returns the map that REPORT STATUS gives for a batch; `failure` is null if the batch was committed. */
export function batchStatus(failure: GraphDBError | 'not started' | null, batch: number): Value {
  return new Map<string, Value>([
    ['started', failure !== 'not started'],
    ['committed', failure === null],
    ['transactionId', failure === 'not started' ? null : `batch-${batch}`],
    ['errorMessage', failure instanceof GraphDBError ? failure.message : null],
  ]);
}

/** Returns the property name in `SET x[name] = …`. @throws TYPE_ERROR if it is no String */
export function propertyName(value: Value): string {
  if (typeof value === 'string') return value;
  throw typeFault(`a property is named by a String, not by ${aType(value)}`);
}

/** Checks the properties of MERGE. @throws SEMANTIC_ERROR if one is null or NaN, and so could never match */
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

/**
 * Makes a path of alternating nodes and relationships; a list stands for the relationships of a variable-length
 * pattern. Returns null if a part is null.
 */
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

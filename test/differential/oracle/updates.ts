/** CREATE, MERGE, SET, REMOVE, DELETE, FOREACH: row by row, on the model. */

import { GraphDBError } from '../../../src/base/index.ts';
import type { Clause, Expression, LabelExpression, PathPattern, SetItem } from '../../../src/cypher/index.ts';
import { NodeValue, PathValue, RelationshipValue, type Value } from '../../../src/value/index.ts';
import { type Context, extend, fault, type Row, Unknown } from './context.ts';
import { evaluate, propertiesOf } from './expressions.ts';
import { nodeValue, relationshipValue } from './model.ts';
import { matchPatterns } from './patterns.ts';

type Of<K extends Clause['kind']> = Extract<Clause, { kind: K }>;

export function create(patterns: readonly PathPattern[], row: Row, context: Context): Row {
  for (const pattern of patterns) row = createPath(pattern, row, context);
  return row;
}

function createPath({ variable, elements }: PathPattern, row: Row, context: Context): Row {
  const nodes: number[] = [];
  for (const element of elements) {
    if (element.kind !== 'nodePattern') continue;
    const name = element.variable?.name;
    const known = name === undefined ? undefined : row.get(name);
    if (known !== undefined) {
      if (!(known instanceof NodeValue)) return fault('a pattern that starts from something else');
      nodes.push(known.ordinal);
      continue;
    }
    const node = context.graph.addNode(plainLabels(element.labels), stored(element.properties, row, context));
    nodes.push(node.key);
    if (name !== undefined) row = extend(row, name, nodeValue(node));
  }
  const relationships: RelationshipValue[] = [];
  for (const [i, element] of elements.entries()) {
    if (element.kind !== 'relationshipPattern') continue;
    const [left, right] = [nodes[(i - 1) / 2]!, nodes[(i + 1) / 2]!];
    const ends = element.direction === 'in' ? { source: right, target: left } : { source: left, target: right };
    const relationship = context.graph.addRelationship(plainLabels(element.types)[0]!, ends, stored(element.properties, row, context));
    relationships.push(relationshipValue(relationship));
    if (element.variable !== null) row = extend(row, element.variable.name, relationshipValue(relationship));
  }
  return variable === null ? row : extend(row, variable.name, new PathValue(nodes, relationships));
}

function plainLabels(labels: LabelExpression | null): string[] {
  if (labels === null) return [];
  if (labels.kind === 'labelName') return [labels.name];
  if (labels.kind === 'labelAnd') return labels.operands.flatMap(plainLabels);
  throw new Unknown('labels to create');
}

function stored(properties: Expression | null, row: Row, context: Context): Map<string, Value> {
  if (properties === null) return new Map();
  const map = evaluate(properties, row, context);
  return map instanceof Map ? map : fault('properties to store');
}

export function merge({ pattern, onCreate, onMatch }: Of<'merge'>, row: Row, context: Context): Row[] {
  refuseNulls(pattern, row, context);
  const found = matchPatterns([pattern], row, context);
  if (found.length === 0) {
    const made = create([pattern], row, context);
    for (const item of onCreate) set(item, made, context);
    return [made];
  }
  for (const each of found) for (const item of onMatch) set(item, each, context);
  return found;
}

function refuseNulls({ elements }: PathPattern, row: Row, context: Context): void {
  for (const element of elements) {
    if (element.kind === 'quantifiedPattern') throw new Unknown('MERGE of a quantified pattern');
    for (const value of stored(element.properties, row, context).values()) {
      if (value === null) throw new GraphDBError('SEMANTIC_ERROR', 'MERGE with a property that is null');
    }
    if (element.variable !== null && row.get(element.variable.name) === null) fault('MERGE from null');
  }
}

export function set(item: SetItem, row: Row, context: Context): void {
  if (item.kind === 'setLabels') {
    const subject = row.get(item.variable.name);
    if (subject instanceof NodeValue) for (const label of item.labels) context.graph.node(subject).labels.add(String(label));
    else if (subject !== null) fault('labels of something else');
  } else if (item.kind === 'setProperty') {
    const { target } = item;
    const key = target.kind === 'property' ? target.key : String(evaluate(target.index, row, context));
    setProperty(storedProperties(evaluate(target.subject, row, context), context), key, evaluate(item.value, row, context));
  } else setAll(item, row, context);
}

function setAll(item: Extract<SetItem, { kind: 'setAll' }>, row: Row, context: Context): void {
  const properties = storedProperties(row.get(item.variable.name) ?? null, context);
  const values = propertiesOf(evaluate(item.value, row, context), context);
  if (properties === null) return;
  if (values === null) return fault('SET to null');
  if (!item.merge) properties.clear();
  for (const [key, value] of values) setProperty(properties, key, value);
}

function storedProperties(subject: Value, { graph }: Context): Map<string, Value> | null {
  if (subject === null) return null;
  if (subject instanceof NodeValue) return graph.node(subject).properties;
  if (subject instanceof RelationshipValue) return graph.relationship(subject).properties;
  return fault('SET of something else');
}

function setProperty(properties: Map<string, Value> | null, key: string, value: Value): void {
  if (value === null) properties?.delete(key);
  else properties?.set(key, value);
}

export function remove({ items }: Of<'remove'>, row: Row, context: Context): void {
  for (const item of items) {
    if (item.kind === 'removeLabels') {
      const subject = row.get(item.variable.name);
      if (subject instanceof NodeValue) for (const label of item.labels) context.graph.node(subject).labels.delete(String(label));
    } else {
      const { target } = item;
      const key = target.kind === 'property' ? target.key : String(evaluate(target.index, row, context));
      storedProperties(evaluate(target.subject, row, context), context)?.delete(key);
    }
  }
}

export function deleteAll({ detach, expressions }: Of<'delete'>, rows: readonly Row[], context: Context): void {
  const nodes = new Set<number>();
  const { graph } = context;
  const drop = (value: Value): void => {
    if (value === null) return;
    if (value instanceof NodeValue) nodes.add(value.ordinal);
    else if (value instanceof RelationshipValue) graph.relationships.delete(value.row);
    else if (value instanceof PathValue) {
      for (const relationship of value.relationships) graph.relationships.delete(relationship.row);
      for (const node of value.nodes) nodes.add(node);
    } else fault('DELETE of something else');
  };
  for (const row of rows) for (const expression of expressions) drop(evaluate(expression, row, context));
  for (const node of nodes) {
    if (detach) for (const relationship of graph.around(node)) graph.relationships.delete(relationship.key);
    graph.nodes.delete(node);
  }
}

/** Checks that a statement leaves no relationship without its ends. */
export function checkEnds({ graph }: Context): void {
  for (const { source, target } of graph.relationships.values()) {
    if (!graph.nodes.has(source) || !graph.nodes.has(target)) {
      throw new GraphDBError('CONSTRAINT_VIOLATION', 'a node was deleted that still has relationships');
    }
  }
}

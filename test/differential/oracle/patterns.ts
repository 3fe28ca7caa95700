/**
 * Matching by enumeration: every node and every relationship is tried at every place. A relationship is used once in all the patterns of
 * a clause.
 */
import type { NodePattern, PathPattern, PatternElement, RelationshipPattern } from '../../../src/cypher/index.ts';
import { equals, PathValue, type RelationshipValue, truth, type Value } from '../../../src/value/index.ts';
import { type Context, extend, fault, type Row, step, Unknown } from './context.ts';
import { evaluate, matchesLabels } from './expressions.ts';
import { type ModelNode, type ModelRelationship, nodeValue, relationshipValue } from './model.ts';

/** A match under way. */
interface State {
  readonly row: Row;
  readonly used: readonly number[];
  /** The nodes of the pattern that is being walked. */
  readonly nodes: readonly number[];
  readonly relationships: readonly RelationshipValue[];
}

/** The rows with all variables of the patterns bound; a pattern that names a null matches nothing. */
export function matchPatterns(patterns: readonly PathPattern[], row: Row, context: Context): Row[] {
  let states: State[] = [{ row, used: [], nodes: [], relationships: [] }];
  for (const pattern of patterns) states = states.flatMap((state) => matchPath(pattern, state, context));
  return states.map((state) => state.row);
}

function matchPath(pattern: PathPattern, start: State, context: Context): State[] {
  let states: State[] = [{ ...start, nodes: [], relationships: [] }];
  const { elements } = pattern;
  states = states.flatMap((state) => matchFirst(nodePattern(elements[0]!), state, context));
  for (let i = 1; i < elements.length; i += 2) {
    const relationship = relationshipPattern(elements[i]!);
    const node = nodePattern(elements[i + 1]!);
    states = states.flatMap((state) => walk(relationship, node, state, context));
  }
  if (pattern.selector !== null) states = shortest(pattern, states);
  if (pattern.variable === null) return states;
  const { name } = pattern.variable;
  return states.map((state) => ({ ...state, row: extend(state.row, name, new PathValue(state.nodes, state.relationships)) }));
}

/** Between each pair of ends the paths of the least length: all of them. */
function shortest({ selector }: PathPattern, states: readonly State[]): State[] {
  if (selector?.kind !== 'allShortest') throw new Unknown('a path that may be any of several');
  const least = new Map<string, number>();
  const ends = (state: State): string => `${state.nodes[0]}:${state.nodes.at(-1)}`;
  for (const state of states) least.set(ends(state), Math.min(least.get(ends(state)) ?? Infinity, state.relationships.length));
  return states.filter((state) => state.relationships.length === least.get(ends(state)));
}

function nodePattern(element: PatternElement): NodePattern {
  if (element.kind !== 'nodePattern') throw new Unknown(element.kind);
  return element;
}

function relationshipPattern(element: PatternElement): RelationshipPattern {
  if (element.kind !== 'relationshipPattern') throw new Unknown(element.kind);
  return element;
}

function matchFirst(pattern: NodePattern, state: State, context: Context): State[] {
  return [...context.graph.nodes.values()].flatMap((node) => matchNode(pattern, node, state, context) ?? []);
}

/** The state with the node bound, null when it does not fit. */
function matchNode(pattern: NodePattern, node: ModelNode, state: State, context: Context): State | null {
  step(context);
  const bound = bind(state.row, pattern.variable?.name, nodeValue(node));
  if (bound === null) return null;
  if (pattern.labels !== null && !matchesLabels(pattern.labels, node.labels)) return null;
  if (!hasProperties(node.properties, pattern.properties, bound, context)) return null;
  if (pattern.where !== null && truth(evaluate(pattern.where, bound, context)) !== true) return null;
  return { ...state, row: bound, nodes: [...state.nodes, node.key] };
}

/** null: the variable already stands for something else. */
function bind(row: Row, name: string | undefined, value: Value): Row | null {
  if (name === undefined) return row;
  const known = row.get(name);
  if (known === undefined) return extend(row, name, value);
  return equals(known, value) === true ? row : null;
}

function hasProperties(properties: ReadonlyMap<string, Value>, wanted: NodePattern['properties'], row: Row, context: Context): boolean {
  if (wanted === null) return true;
  const map = evaluate(wanted, row, context);
  if (!(map instanceof Map)) return fault('the properties of a pattern');
  return [...map].every(([key, value]) => equals(properties.get(key) ?? null, value) === true);
}

function walk(relationship: RelationshipPattern, node: NodePattern, state: State, context: Context): State[] {
  const reached = relationship.length === null ? oneStep(relationship, state, context) : steps(relationship, state, context);
  return reached.flatMap((next) => {
    const end = context.graph.nodes.get(next.nodes.at(-1)!)!;
    return matchNode(node, end, { ...next, nodes: next.nodes.slice(0, -1) }, context) ?? [];
  });
}

function oneStep(pattern: RelationshipPattern, state: State, context: Context): State[] {
  return follow(pattern, state, context).flatMap((next) => {
    const bound = bind(next.row, pattern.variable?.name, next.relationships.at(-1)!);
    if (bound === null) return [];
    if (pattern.where !== null && truth(evaluate(pattern.where, bound, context)) !== true) return [];
    return { ...next, row: bound };
  });
}

/** Variable length; the variable becomes the list of the relationships. */
function steps(pattern: RelationshipPattern, state: State, context: Context): State[] {
  if (pattern.where !== null) throw new Unknown('WHERE inside a relationship of variable length');
  const { min, max } = pattern.length!;
  const found: State[] = [];
  let frontier: State[] = [state];
  for (let length = 0; frontier.length > 0 && (max === null || length <= max); length++) {
    if (length >= min) found.push(...frontier);
    frontier = frontier.flatMap((each) => follow(pattern, each, context));
  }
  const before = state.relationships.length;
  return found.flatMap((each) => {
    const bound = bind(each.row, pattern.variable?.name, each.relationships.slice(before));
    return bound === null ? [] : { ...each, row: bound };
  });
}

/** One relationship further, over each that fits, is not used yet, and leaves the last node in the direction of the pattern. */
function follow(pattern: RelationshipPattern, state: State, context: Context): State[] {
  const from = state.nodes.at(-1)!;
  const next: State[] = [];
  for (const relationship of context.graph.relationships.values()) {
    step(context);
    const to = otherEnd(relationship, from, pattern.direction);
    if (to === null || state.used.includes(relationship.key)) continue;
    if (pattern.types !== null && !matchesLabels(pattern.types, new Set([relationship.type]))) continue;
    if (!hasProperties(relationship.properties, pattern.properties, state.row, context)) continue;
    next.push({
      row: state.row,
      used: [...state.used, relationship.key],
      nodes: [...state.nodes, to],
      relationships: [...state.relationships, relationshipValue(relationship)],
    });
  }
  return next;
}

function otherEnd({ source, target }: ModelRelationship, from: number, direction: RelationshipPattern['direction']): number | null {
  if (direction !== 'in' && source === from) return target;
  return direction !== 'out' && target === from ? source : null;
}

/** Lowers the patterns of a MATCH together: relationships of one MATCH must differ from each other. */
import type { Expression, NodePattern, PathPattern, RelationshipPattern } from '../../cypher/index.ts';
import type { Environment } from '../expressions/environment.ts';
import { mentioned } from '../expressions/mentioned.ts';
import type { EntityBinding, Rows } from '../scope.ts';
import { differences, type Hops } from './hops.ts';
import { Joined } from './joined.ts';
import { wantedTypes } from './labels.ts';
import { Path } from './paths.ts';
import type { WalkEnds } from './walk-ends.ts';
import { addWalks } from './walks.ts';

/** The patterns of a MATCH, with its WHERE. */
export interface Matched {
  readonly patterns: readonly PathPattern[];
  readonly where: Expression | null;
}

/**
 * Returns the tables and conditions of patterns.
 *
 * @param outer the rows that the patterns are matched for; absent: those around a subquery
 */
export function joinPatterns(environment: Environment, matched: Matched, outer?: Rows): Joined {
  if (outer === undefined) refuseDistantVariables(environment, matched);
  const joined = new Joined(environment, outer === undefined ? environment.bindings : undefined);
  const patterns = new Map<string, NodePattern>();
  const known = { outer: outer ?? { table: null, bindings: environment.bindings }, where: matched.where, patterns };
  const hops: Hops[] = [];
  const addPath = ({ variable, selector, elements, span }: PathPattern): void => {
    const { program } = joined;
    if (selector !== null) throw program.refuse('a shortest path', { span });
    const nodes = elements.map((element) => (element.kind === 'nodePattern' ? addNode(joined, element, patterns) : null));
    const path = new Path(program, variable);
    path.start(nodes[0] ?? null);
    for (const [index, element] of elements.entries()) {
      if (element.kind === 'quantifiedPattern') throw program.refuse('a quantified pattern', element);
      if (element.kind !== 'relationshipPattern') continue;
      const ends: WalkEnds = { left: nodes[index - 1]!, right: nodes[index + 1]!, patterns: [elements[index - 1]!, elements[index + 1]!] };
      if (element.length === null) {
        const entity = addRelationship(joined, element, ends);
        hops.push({ ordinals: [entity.ordinal], mayBeNull: false, types: wantedTypes(program, element) });
        path.step(entity, ends.right);
      } else {
        const walked = addWalks(joined, { pattern: element, length: element.length, ends, path, known });
        if (walked.hops !== null) hops.push(walked.hops);
        path.walk(walked.walk);
      }
    }
    if (variable !== null && path.isRead) joined.bindings.set(variable.name, path.binding());
  };
  for (const pattern of matched.patterns) addPath(pattern);
  for (const [index, each] of hops.entries())
    for (const others of hops.slice(0, index)) joined.conditions.push(...differences(joined.program, others, each));
  if (matched.where !== null) joined.admit(matched.where);
  return joined;
}

/** A subquery of Spark sees the rows just outside of it, but none that are further out. */
function refuseDistantVariables({ program, bindings, around }: Environment, { patterns, where }: Matched): void {
  if (program.dialect.name !== 'spark' || around === undefined) return;
  for (const name of mentioned(around, [...patterns, where])) {
    if (bindings.get(name) !== around.get(name)) continue;
    throw program.refuse(`the variable ${name} in a subquery of a subquery`, where ?? patterns[0]!); // A MATCH has a pattern.
  }
}

function addNode(joined: Joined, pattern: NodePattern, patterns: Map<string, NodePattern>): EntityBinding {
  const { variable } = pattern;
  if (variable !== null && !joined.bindings.has(variable.name)) patterns.set(variable.name, pattern);
  return joined.node(pattern);
}

function addRelationship(joined: Joined, pattern: RelationshipPattern, { left, right }: WalkEnds): EntityBinding {
  const { variable, direction, properties, where } = pattern;
  const known = variable === null ? null : joined.bound(variable.name, 'relationship', pattern);
  const { entity, from, to } = joined.step(pattern, direction === 'in');
  if (known !== null) joined.conditions.push(`${entity.ordinal} = ${known.ordinal}`);
  else if (variable !== null) joined.bindings.set(variable.name, entity);
  joined.conditions.push(`${from} = ${left.ordinal}`, `${to} = ${right.ordinal}`);
  joined.narrow(entity, properties, where);
  return entity;
}

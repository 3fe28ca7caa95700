/** CREATE: the nodes and relationships of its patterns that have no value yet, in the order of the text. */
import { assert } from '../../base/index.ts';
import {
  type Clause,
  type CreateClause,
  type Expression,
  type LabelExpression,
  type NodePattern,
  type PathPattern,
  type RelationshipPattern,
  walk,
} from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { namesIn } from '../operators/free-variables.ts';
import type { CreateNode, CreateRelationship } from '../operators/kinds/table.ts';
import type { NamedPath } from '../operators/kinds/updates/merge.ts';
import { convertExpression } from '../pattern/convert.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import type { RowState } from '../row-state.ts';

/** A node or relationship that is created. */
export type CreateItem = CreateNode | CreateRelationship;

/** Plans CREATE. A path is built before the patterns that read it are created. */
export function planCreate(context: PlanContext, state: RowState, clause: CreateClause): RowState {
  return behindPaths(clause.patterns).reduce((before, patterns) => planGroup(context, before, patterns), state);
}

/** Splits patterns before each one that reads a path of those before it. */
function behindPaths(patterns: readonly PathPattern[]): readonly (readonly PathPattern[])[] {
  if (patterns.slice(0, -1).every((pattern) => pattern.variable === null)) return [patterns];
  const groups: PathPattern[][] = [];
  let paths = new Set<string>();
  for (const pattern of patterns) {
    const group = groups.at(-1);
    if (group === undefined || [...namesIn(pattern.elements)].some((name) => paths.has(name))) {
      groups.push([pattern]);
      paths = new Set();
    } else group.push(pattern);
    if (pattern.variable !== null) paths.add(pattern.variable.name);
  }
  return groups;
}

function planGroup(context: PlanContext, state: RowState, patterns: readonly PathPattern[]): RowState {
  const items = createItems(context, patterns, state.scope);
  const created = items.map((item) => item.variable);
  const plan: Operator = { kind: 'create', input: state.plan, items, estimatedRows: state.plan.estimatedRows };
  const after: RowState = {
    ...state,
    plan,
    scope: new Set([...state.scope, ...created]),
    nonNull: new Set([...state.nonNull, ...created]),
  };
  return withPaths(context, after, patterns);
}

/**
 * Joins consecutive CREATE clauses into one, so that the plan of a script of thousands is no deeper than that of one. A
 * clause that reads more than the entities of its row begins a new one: a subquery must see what the clause before it
 * created for all rows.
 */
export function joinCreates(clauses: readonly Clause[]): readonly Clause[] {
  const joined: Clause[] = [];
  let run: CreateClause[] = [];
  const endRun = (): void => {
    if (run.length > 0) joined.push({ ...run[0]!, patterns: run.flatMap((clause) => clause.patterns) });
    run = [];
  };
  for (const clause of clauses) {
    if (clause.kind !== 'create' || readsMore(clause)) endRun();
    if (clause.kind !== 'create') joined.push(clause);
    else run.push(clause);
    if (clause.kind === 'create' && clause.patterns.some((pattern) => pattern.variable !== null)) endRun();
  }
  endRun();
  return joined;
}

const READING = new Set(['subquery', 'patternExpression', 'patternComprehension']);

function readsMore(clause: CreateClause): boolean {
  let found = false;
  walk(clause.patterns, (node) => {
    if (READING.has(node.kind)) found = true;
    return !found;
  });
  return found;
}

/** Returns the items that patterns create, nodes before the relationships that need them: for `(a)-[r]->(b)` a, b, r. */
export function createItems(context: PlanContext, patterns: readonly PathPattern[], scope: ReadonlySet<string>): readonly CreateItem[] {
  const known = new Set(scope);
  const items: CreateItem[] = [];
  for (const { elements } of patterns) {
    for (const element of elements) {
      if (element.kind !== 'nodePattern' || known.has(element.variable!.name)) continue;
      items.push(createNode(context, element, known));
      known.add(element.variable!.name);
    }
    for (const [at, element] of elements.entries()) {
      if (element.kind !== 'relationshipPattern') continue;
      items.push(createRelationship(context, element, { left: nodeName(elements[at - 1]), right: nodeName(elements[at + 1]) }, known));
      known.add(element.variable!.name);
    }
  }
  return items;
}

function createNode(context: PlanContext, node: NodePattern, scope: ReadonlySet<string>): CreateNode {
  context.labels.set(node.variable!.name, new Set(node.labels === null ? [] : staticNames(node.labels)));
  return {
    kind: 'createNode',
    variable: node.variable!.name,
    labels: node.labels === null ? [] : labelNames(context, node.labels, scope),
    properties: propertiesOf(context, node.properties, scope),
  };
}

/** A relationship without direction (MERGE allows it) is created from left to right. */
function createRelationship(
  context: PlanContext,
  pattern: RelationshipPattern,
  ends: { readonly left: string; readonly right: string },
  scope: ReadonlySet<string>,
): CreateRelationship {
  const [type, ...more] = pattern.types === null ? [] : labelNames(context, pattern.types, scope);
  assert(type !== undefined && more.length === 0, 'a relationship to create has one type');
  const isReversed = pattern.direction === 'in';
  return {
    kind: 'createRelationship',
    variable: pattern.variable!.name,
    type,
    source: isReversed ? ends.right : ends.left,
    target: isReversed ? ends.left : ends.right,
    properties: propertiesOf(context, pattern.properties, scope),
  };
}

function nodeName(element: PathPattern['elements'][number] | undefined): string {
  assert(element?.kind === 'nodePattern' && element.variable !== null, 'relationships stand between nodes');
  return element.variable.name;
}

function propertiesOf(context: PlanContext, properties: Expression | null, scope: ReadonlySet<string>): PlanExpression | null {
  return properties === null ? null : convertExpression(context, properties, scope);
}

/** Returns the names in `:A:B` and `:A&$(x)`; nothing else can be created. */
function labelNames(context: PlanContext, labels: LabelExpression, scope: ReadonlySet<string>): readonly (string | PlanExpression)[] {
  if (labels.kind === 'labelName') return [labels.name];
  if (labels.kind === 'labelDynamic') return [convertExpression(context, labels.expression, scope)];
  assert(labels.kind === 'labelAnd', 'labels to create are a list');
  return labels.operands.flatMap((operand) => labelNames(context, operand, scope));
}

function staticNames(labels: LabelExpression): readonly string[] {
  if (labels.kind === 'labelName') return [labels.name];
  return labels.kind === 'labelAnd' ? labels.operands.flatMap(staticNames) : [];
}

/** Returns the named paths of the patterns, as far as something reads them. */
export function pathsOf(context: PlanContext, patterns: readonly PathPattern[]): readonly NamedPath[] {
  return patterns.flatMap((pattern) => {
    if (pattern.variable === null || !context.used.has(pattern.variable.name)) return [];
    const elements = pattern.elements.map((element) => {
      assert(element.kind !== 'quantifiedPattern', 'nothing quantified is created');
      return element.variable!.name;
    });
    return [{ variable: pattern.variable.name, expression: { kind: 'pathBuild', elements } as const }];
  });
}

/** Adds the named paths of the patterns to the rows, as far as something reads them. */
export function withPaths(context: PlanContext, state: RowState, patterns: readonly PathPattern[]): RowState {
  const items = pathsOf(context, patterns);
  if (items.length === 0) return state;
  return {
    ...state,
    plan: { kind: 'project', input: state.plan, items, discard: false, estimatedRows: state.plan.estimatedRows },
    scope: new Set([...state.scope, ...items.map((item) => item.variable)]),
  };
}

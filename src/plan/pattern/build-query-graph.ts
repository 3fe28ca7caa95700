/**
 * Collects MATCH clauses into a query graph. Several clauses may go into one graph: joining their patterns together
 * gives the planner more orders to choose from, and the rows are the same; only the uniqueness of relationships stays
 * with each clause.
 */
import { assert, GraphDBError } from '../../base/index.ts';
import type { Expression, NodePattern, PathPattern, QuantifiedPattern, RelationshipPattern, VariableType } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { call, equals, hasLabels, literal, NOWHERE, property, variable } from '../expressions/build.ts';
import { conjuncts } from '../expressions/conjuncts.ts';
import { fingerprint } from '../expressions/fingerprint.ts';
import { asExpression } from '../expressions/mapping.ts';
import { mergeEqualities } from '../expressions/merge-equalities.ts';
import { renameVariables } from '../expressions/rename.ts';
import { replaceExpressions } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { PlanExpression } from '../plan.ts';
import { convertExpression } from './convert.ts';
import { splitPathPredicate } from './path-predicates.ts';
import { makePredicate, plainTypes, splitLabels } from './predicates.ts';
import type { Derived, MatchPatterns, Predicate, QueryGraph, QueryRelationship, QueryShortestPath, StepPredicate } from './query-graph.ts';
import { quantifiedVariables } from './query-graph.ts';

/** Builds a query graph of MATCH clauses. */
export class QueryGraphBuilder {
  readonly #context: PlanContext;
  /** Variables that have a value before the first clause of the graph. */
  readonly #outer: ReadonlySet<string>;
  readonly #nodes = new Set<string>();
  readonly #relationships: QueryRelationship[] = [];
  readonly #shortestPaths: QueryShortestPath[] = [];
  readonly #derived: Derived[] = [];
  readonly #predicates: Predicate[] = [];
  /** Fingerprints of the predicates. */
  readonly #conditions = new Set<string>();
  readonly #known = new Set<string>();
  #clause = 0;

  constructor(context: PlanContext, outer: ReadonlySet<string>) {
    this.#context = context;
    this.#outer = outer;
  }

  get isEmpty(): boolean {
    return this.#clause === 0;
  }

  /** True once the graph has a shortest path. Its WHERE decides which paths count, so no conditions of other clauses may be added. */
  get isClosed(): boolean {
    return this.#shortestPaths.length > 0;
  }

  /** Tells whether a clause can be added: a relationship variable can be given its value by one pattern of a graph only. */
  accepts(clause: MatchPatterns): boolean {
    if (this.isClosed) return false;
    const bound = new Set(this.#allRelationships().map((known) => known.variable));
    for (const derived of this.#derived) bound.add(derived.variable);
    return !clause.patterns.some((path) =>
      path.elements.some((element) => element.kind === 'relationshipPattern' && bound.has(element.variable!.name)),
    );
  }

  /** Variables known after the clauses so far. */
  get variables(): ReadonlySet<string> {
    return new Set([...this.#outer, ...this.#known]);
  }

  add(clause: MatchPatterns): void {
    this.#clause += 1;
    for (const path of clause.patterns) this.#declare(path);
    for (const path of clause.patterns) this.#addPath(path);
    if (clause.where !== null) this.addWhere(clause.where);
  }

  /** Adds a condition on everything found so far. */
  addWhere(where: Expression): void {
    for (const part of conjuncts(mergeEqualities(where))) this.#addConjunct(part);
  }

  build(): QueryGraph {
    return {
      nodes: [...this.#nodes],
      relationships: this.#relationships,
      shortestPaths: this.#shortestPaths,
      derived: this.#derived,
      predicates: this.#predicates,
    };
  }

  #allRelationships(): readonly QueryRelationship[] {
    return [...this.#relationships, ...this.#shortestPaths.map((path) => path.relationship)];
  }

  #declare(path: PathPattern): void {
    if (path.variable !== null) this.#known.add(path.variable.name);
    for (const element of path.elements) {
      if (element.kind === 'quantifiedPattern') for (const name of quantifiedVariables(element)) this.#known.add(name);
      else this.#known.add(element.variable!.name);
    }
  }

  #addPath(path: PathPattern): void {
    const names: string[] = [];
    const added: QueryRelationship[] = [];
    for (const [at, element] of path.elements.entries()) {
      if (element.kind === 'nodePattern') {
        this.#addNode(element);
        names.push(element.variable!.name);
        continue;
      }
      const left = nodeName(path, at - 1);
      const right = nodeName(path, at + 1);
      const relationship =
        element.kind === 'relationshipPattern'
          ? this.#relationshipOf(element, { left, right, shortest: path.selector !== null })
          : this.#quantifiedOf(element, left, right);
      added.push(relationship);
      names.push(relationship.variable);
    }
    if (path.selector === null) this.#relationships.push(...added);
    else names.splice(1, 1, this.#addShortestPath(path, added));
    if (path.variable !== null && this.#context.used.has(path.variable.name)) {
      this.#derived.push({ variable: path.variable.name, expression: { kind: 'pathBuild', elements: names } });
    }
  }

  #addNode(node: NodePattern): void {
    const name = node.variable!.name;
    this.#nodes.add(name);
    if (node.labels !== null) for (const part of splitLabels(node.labels)) this.#addPredicate(this.#convert(hasLabels(name, part)));
    this.#addProperties(name, node.properties);
    if (node.where !== null) for (const part of conjuncts(node.where)) this.#addConjunct(part);
  }

  #relationshipOf(pattern: RelationshipPattern, place: { left: string; right: string; shortest: boolean }): QueryRelationship {
    const name = pattern.variable!.name;
    const types = plainTypes(pattern.types);
    const isStepped = pattern.length !== null || place.shortest;
    const steps = isStepped ? this.#stepsOf(pattern, place.shortest) : [];
    if (!isStepped) {
      if (types === undefined) this.#addPredicate(this.#convert(hasLabels(name, pattern.types!)));
      this.#addProperties(name, pattern.properties);
      if (pattern.where !== null) for (const part of conjuncts(pattern.where)) this.#addConjunct(part);
    }
    return {
      variable: name,
      left: place.left,
      right: place.right,
      direction: pattern.direction,
      types: types ?? null,
      length: pattern.length,
      quantified: null,
      steps,
      bound: this.#outer.has(name),
      clause: this.#clause,
    };
  }

  /**
   * Returns the conditions on every relationship of a variable-length pattern; parts that depend on variables that this
   * MATCH may not have found yet become predicates.
   */
  #stepsOf(pattern: RelationshipPattern, isShortest: boolean): readonly StepPredicate[] {
    const name = pattern.variable!.name;
    const make: ((each: string) => PlanExpression)[] = propertyEntries(pattern.properties).map(
      ({ key, value }) =>
        (each) =>
          equals(property(variable(each), key), value),
    );
    if (plainTypes(pattern.types) === undefined) make.push((each) => hasLabels(each, pattern.types!));
    if (pattern.where !== null) make.push((each) => renameVariable(pattern.where!, name, each));
    const each = this.#context.fresh('each', 'relationship');
    return make.flatMap((expressionOf) => {
      const expression = this.#convert(expressionOf(each));
      const isKnown =
        isShortest || [...freeVariables(expression)].every((dependency) => dependency === each || this.#outer.has(dependency));
      if (isKnown) return [{ relationship: each, expression }];
      this.#addPredicate(allOf(each, name, asExpression(expression)));
      return [];
    });
  }

  #quantifiedOf(pattern: QuantifiedPattern, left: string, right: string): QueryRelationship {
    return {
      variable: this.#context.fresh('r', 'relationshipList'),
      left,
      right,
      direction: 'out',
      types: quantifiedTypes(pattern),
      length: { min: pattern.min, max: pattern.max },
      quantified: pattern,
      steps: [],
      bound: false,
      clause: this.#clause,
    };
  }

  /** Adds a shortest path, and returns the variable that holds its relationships as a list. @throws UNSUPPORTED for longer patterns. */
  #addShortestPath(path: PathPattern, added: readonly QueryRelationship[]): string {
    const [first] = added;
    const selector = path.selector!;
    const relationship = first?.quantified == null ? first : this.#repeatedStep(first, first.quantified);
    if (relationship === undefined || relationship === null || added.length > 1) {
      throw new GraphDBError(
        'UNSUPPORTED',
        'shortestPath and allShortestPaths take one relationship between two nodes; MATCH SHORTEST 1 takes longer patterns',
      );
    }
    const { count } = selector;
    assert(typeof count === 'number', 'paths whose number is a parameter are chosen by a search of their own');
    const isList = relationship.length !== null;
    const list = isList ? relationship.variable : this.#context.fresh('r', 'relationshipList');
    if (!isList) this.#derived.push({ variable: relationship.variable, expression: call('head', variable(list)) });
    this.#shortestPaths.push({
      relationship: { ...relationship, variable: list, length: relationship.length ?? { min: 1, max: 1 } },
      mode: selector.kind === 'allShortest' ? 'all' : selector.kind === 'shortestGroups' ? 'groups' : 'shortest',
      count,
      legacy: selector.legacy,
      predicates: [],
    });
    return list;
  }

  /** Turns `((x)-[r:R]->(y) WHERE …){1,5}` into a variable-length pattern; null if a repetition has more than one relationship. */
  #repeatedStep(group: QueryRelationship, { path, where }: QuantifiedPattern): QueryRelationship | null {
    const [left, middle, right] = path.elements;
    if (path.elements.length !== 3 || left?.kind !== 'nodePattern' || right?.kind !== 'nodePattern') return null;
    if (middle?.kind !== 'relationshipPattern' || middle.length !== null) return null;
    const [from, relationship, to] = [
      this.#context.fresh('from', 'node'),
      this.#context.fresh('step', 'relationship'),
      this.#context.fresh('to', 'node'),
    ];
    const names = new Map([
      [left.variable!.name, from],
      [middle.variable!.name, relationship],
      [right.variable!.name, to],
    ]);
    const conditions = [...[left, middle, right].flatMap(conditionsOf), ...(where === null ? [] : [where])];
    const scope = new Set([...this.variables, from, relationship, to]);
    const steps = conditions.map((condition): StepPredicate => {
      const renamed = renameVariables(condition, names) as Expression;
      return { from, relationship, to, expression: convertExpression(this.#context, renamed, scope) };
    });
    this.#deriveGroups(group, { left: left.variable!.name, middle: middle.variable!.name, right: right.variable!.name });
    return { ...group, types: plainTypes(middle.types) ?? null, direction: middle.direction, quantified: null, steps };
  }

  /** Adds the variables of the group as lists, which they are outside of it. */
  #deriveGroups(group: QueryRelationship, names: { readonly left: string; readonly middle: string; readonly right: string }): void {
    const nodes = call('nodes', { kind: 'pathBuild', elements: [group.left, group.variable, group.right] });
    const slice = (from: Expression | null, to: Expression | null): PlanExpression => ({
      kind: 'slice',
      subject: nodes,
      from,
      to,
      span: NOWHERE,
    });
    const lists: readonly [string, VariableType, PlanExpression][] = [
      [names.left, 'nodeList', slice(null, literal(-1))],
      [names.middle, 'relationshipList', variable(group.variable)],
      [names.right, 'nodeList', slice(literal(1), null)],
    ];
    for (const [name, type, expression] of lists) {
      if (!this.#context.used.has(name)) continue;
      this.#context.types.set(name, type);
      this.#derived.push({ variable: name, expression });
    }
  }

  #addProperties(name: string, properties: Expression | null): void {
    for (const { key, value } of propertyEntries(properties))
      this.#addPredicate(this.#convert(equals(property(variable(name), key), value)));
  }

  #addConjunct(conjunct: Expression): void {
    // What a selector has chosen is filtered afterwards.
    const searched = this.#shortestPaths.flatMap((path) => (path.legacy ? [path.relationship] : []));
    for (const part of splitPathPredicate(conjunct, this.#derived, [...this.#relationships, ...searched], this.#outer)) {
      if (part.step === null) this.#addPredicate(this.#convert(part.expression));
      else this.#addStep(part.relationship, part.step, this.#convert(part.expression));
    }
  }

  #addStep(variable: string, one: { readonly of: 'relationship' | 'node'; readonly variable: string }, expression: PlanExpression): void {
    this.#context.types.set(one.variable, one.of);
    const step: StepPredicate = { [one.of === 'node' ? 'to' : 'relationship']: one.variable, expression };
    const withStep = (relationship: QueryRelationship): QueryRelationship =>
      relationship.variable === variable ? { ...relationship, steps: [...relationship.steps, step] } : relationship;
    for (const [at, relationship] of this.#relationships.entries()) this.#relationships[at] = withStep(relationship);
    for (const [at, path] of this.#shortestPaths.entries())
      this.#shortestPaths[at] = { ...path, relationship: withStep(path.relationship) };
  }

  #addPredicate(expression: PlanExpression): void {
    const text = fingerprint(expression);
    if (this.#conditions.has(text)) return;
    this.#conditions.add(text);
    this.#predicates.push(makePredicate(expression));
  }

  #convert(expression: PlanExpression): PlanExpression {
    return convertExpression(this.#context, asExpression(expression), this.variables);
  }
}

/** Returns the conditions on a node or a relationship of a pattern, over its variable. */
export function conditionsOf(element: NodePattern | RelationshipPattern): readonly Expression[] {
  const name = element.variable!.name;
  const properties = propertyEntries(element.properties).map(({ key, value }) => equals(property(variable(name), key), value));
  const labels = element.kind === 'nodePattern' ? element.labels : plainTypes(element.types) === undefined ? element.types : null;
  return [...(labels === null ? [] : [hasLabels(name, labels)]), ...properties, ...(element.where === null ? [] : [element.where])];
}

function nodeName(path: PathPattern, at: number): string {
  const element = path.elements[at];
  assert(element?.kind === 'nodePattern' && element.variable !== null, 'relationships stand between nodes');
  return element.variable.name;
}

/** Returns the entries of the inline map of a pattern. The binder has refused anything else. */
function propertyEntries(properties: Expression | null): readonly { readonly key: string; readonly value: Expression }[] {
  if (properties === null) return [];
  if (properties.kind === 'map') return properties.entries;
  throw new GraphDBError(
    'SEMANTIC_ERROR',
    'the properties of a pattern to match must be a map written out, not a parameter or an expression',
  );
}

/** Makes `all(each IN list WHERE where)`. */
function allOf(each: string, list: string, where: Expression): Expression {
  return { kind: 'quantifier', quantifier: 'all', variable: variable(each), list: variable(list), where, span: NOWHERE };
}

function renameVariable(expression: PlanExpression, from: string, to: string): PlanExpression {
  return replaceExpressions(expression, (part) => (part.kind === 'variable' && part.name === from ? variable(to) : null));
}

/** Returns the types of all relationships inside; null if one may have any type. */
function quantifiedTypes(pattern: QuantifiedPattern): readonly string[] | null {
  const types = pattern.path.elements.map((element) => (element.kind === 'relationshipPattern' ? plainTypes(element.types) : []));
  return types.some((part) => part === null || part === undefined) ? null : [...new Set(types.flatMap((part) => part ?? []))];
}

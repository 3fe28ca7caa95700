/**
 * Collects MATCH clauses into a query graph. Several clauses may go into one graph: joining their patterns together gives the planner more orders to choose
 * from, and the rows are the same; only the uniqueness of relationships stays with each clause.
 */
import { assert, GraphDBError } from '../../base/index.ts';
import type { Expression, NodePattern, PathPattern, QuantifiedPattern, RelationshipPattern } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { call, equals, hasLabels, NOWHERE, property, variable } from '../expressions/build.ts';
import { asExpression } from '../expressions/children.ts';
import { conjuncts } from '../expressions/conjuncts.ts';
import { convertExpression } from '../expressions/convert.ts';
import { fingerprint } from '../expressions/fingerprint.ts';
import { mergeEqualities } from '../expressions/merge-equalities.ts';
import { freeVariables, replaceExpressions } from '../expressions/walk.ts';
import type { PlanExpression } from '../plan.ts';
import { splitPathPredicate } from './path-predicates.ts';
import { makePredicate, plainTypes, splitLabels } from './predicates.ts';
import type { Derived, Predicate, QueryGraph, QueryRelationship, QueryShortestPath, StepPredicate } from './query-graph.ts';
import { quantifiedVariables } from './query-graph.ts';

export interface MatchPatterns {
  readonly patterns: readonly PathPattern[];
  readonly where: Expression | null;
}

export class QueryGraphBuilder {
  readonly #context: PlanContext;
  /** Variables that have a value before the first clause of the graph. */
  readonly #outer: ReadonlySet<string>;
  readonly #nodes = new Set<string>();
  readonly #relationships: QueryRelationship[] = [];
  readonly #shortestPaths: QueryShortestPath[] = [];
  readonly #derived: Derived[] = [];
  readonly #predicates: Predicate[] = [];
  readonly #known = new Set<string>();
  #clause = 0;

  constructor(context: PlanContext, outer: ReadonlySet<string>) {
    this.#context = context;
    this.#outer = outer;
  }

  get isEmpty(): boolean {
    return this.#clause === 0;
  }

  /** WHERE says which shortest paths count, so conditions from elsewhere must stay away from it. */
  get isClosed(): boolean {
    return this.#shortestPaths.length > 0;
  }

  /** A relationship variable can be given its value by one pattern of a graph only. */
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

  /** A condition on everything found so far. */
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

  /** What every relationship of a variable-length pattern must satisfy; parts that depend on what this MATCH may not have found yet become predicates. */
  #stepsOf(pattern: RelationshipPattern, isShortest: boolean): readonly StepPredicate[] {
    const name = pattern.variable!.name;
    const make: ((each: string) => PlanExpression)[] = propertyEntries(pattern.properties).map(
      ({ key, value }) =>
        (each) =>
          equals(property(variable(each), key), value),
    );
    if (plainTypes(pattern.types) === undefined) make.push((each) => hasLabels(each, pattern.types!));
    if (pattern.where !== null) make.push((each) => renameVariable(pattern.where!, name, each));
    return make.flatMap((expressionOf) => {
      const each = this.#context.fresh('each', 'relationship');
      const expression = this.#convert(expressionOf(each));
      const isKnown =
        isShortest || [...freeVariables(expression)].every((dependency) => dependency === each || this.#outer.has(dependency));
      if (isKnown) return [{ of: 'relationship', variable: each, expression }];
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

  /** @returns the variable that holds the path's relationships as a list */
  #addShortestPath(path: PathPattern, added: readonly QueryRelationship[]): string {
    const [relationship] = added;
    const selector = path.selector!;
    if (relationship === undefined || added.length > 1 || relationship.quantified !== null) {
      throw new GraphDBError('UNSUPPORTED', 'a path selector is supported for a pattern of one relationship between two nodes');
    }
    const isList = relationship.length !== null;
    const list = isList ? relationship.variable : this.#context.fresh('r', 'relationshipList');
    if (!isList) this.#derived.push({ variable: relationship.variable, expression: call('head', variable(list)) });
    this.#shortestPaths.push({
      relationship: { ...relationship, variable: list, length: relationship.length ?? { min: 1, max: 1 } },
      mode: selector.kind === 'allShortest' ? 'all' : selector.kind === 'shortestGroups' ? 'groups' : 'shortest',
      count: selector.count,
      legacy: selector.legacy,
      predicates: [],
    });
    return list;
  }

  #addProperties(name: string, properties: Expression | null): void {
    for (const { key, value } of propertyEntries(properties))
      this.#addPredicate(this.#convert(equals(property(variable(name), key), value)));
  }

  #addConjunct(conjunct: Expression): void {
    for (const part of splitPathPredicate(conjunct, this.#derived, this.#allRelationships(), this.#outer)) {
      if (part.step === null) this.#addPredicate(this.#convert(part.expression));
      else this.#addStep(part.relationship, { of: part.step.of, variable: part.step.variable, expression: this.#convert(part.expression) });
    }
  }

  #addStep(variable: string, step: StepPredicate): void {
    this.#context.types.set(step.variable, step.of);
    const withStep = (relationship: QueryRelationship): QueryRelationship =>
      relationship.variable === variable ? { ...relationship, steps: [...relationship.steps, step] } : relationship;
    for (const [at, relationship] of this.#relationships.entries()) this.#relationships[at] = withStep(relationship);
    for (const [at, path] of this.#shortestPaths.entries())
      this.#shortestPaths[at] = { ...path, relationship: withStep(path.relationship) };
  }

  #addPredicate(expression: PlanExpression): void {
    const text = fingerprint(expression);
    if (this.#predicates.some((known) => fingerprint(known.expression) === text)) return;
    this.#predicates.push(makePredicate(expression));
  }

  #convert(expression: PlanExpression): PlanExpression {
    return convertExpression(this.#context, asExpression(expression), this.variables);
  }
}

function nodeName(path: PathPattern, at: number): string {
  const element = path.elements[at];
  assert(element?.kind === 'nodePattern' && element.variable !== null, 'relationships stand between nodes');
  return element.variable.name;
}

/** The inline map of a pattern; the binder has refused anything else. */
function propertyEntries(properties: Expression | null): readonly { readonly key: string; readonly value: Expression }[] {
  if (properties === null) return [];
  if (properties.kind === 'map') return properties.entries;
  throw new GraphDBError(
    'SEMANTIC_ERROR',
    'the properties of a pattern to match must be a map written out, not a parameter or an expression',
  );
}

/** `all(each IN list WHERE expression)` */
function allOf(each: string, list: string, where: Expression): Expression {
  return { kind: 'quantifier', quantifier: 'all', variable: variable(each), list: variable(list), where, span: NOWHERE };
}

function renameVariable(expression: PlanExpression, from: string, to: string): PlanExpression {
  return replaceExpressions(expression, (part) => (part.kind === 'variable' && part.name === from ? variable(to) : null));
}

/** Types of all relationships inside; null when one may have any. */
function quantifiedTypes(pattern: QuantifiedPattern): readonly string[] | null {
  const types = pattern.path.elements.map((element) => (element.kind === 'relationshipPattern' ? plainTypes(element.types) : []));
  return types.some((part) => part === null || part === undefined) ? null : [...new Set(types.flatMap((part) => part ?? []))];
}

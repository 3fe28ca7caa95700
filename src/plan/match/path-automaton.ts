/**
 * A path pattern as a finite automaton, for the search of a selector (`SHORTEST 3 (a)-[:R]->+(b)-[:S]->(c)`): a state
 * is a place of the pattern where a node stands, a step takes a relationship from one state to another, a skip goes on
 * from one state to the next at the same node, as between the last node of a group and the node behind it. Repetitions
 * are written out as often as their bounds demand; the last copy of one without an upper bound leads back to itself. So
 * each way through the automaton is one way to match the pattern, and the other way round.
 *
 * Conditions stand at a state (about its node) or at a step (about a relationship and its two ends). A pattern with
 * others (about two nodes that no relationship of the pattern joins, about the list of a whole repetition) has no
 * automaton.
 */
import type { Expression, PathPattern, QuantifiedPattern } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { and } from '../expressions/build.ts';
import { conjuncts } from '../expressions/conjuncts.ts';
import { renameVariables } from '../expressions/rename.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { PathAutomaton, PathOutput, PathStep, VariableExpand } from '../operators/kinds/table.ts';
import { conditionsOf } from '../pattern/build-query-graph.ts';
import { convertExpression } from '../pattern/convert.ts';
import { plainTypes } from '../pattern/predicates.ts';
import { graphVariables, type QueryGraph, type QueryRelationship, quantifiedVariables, reverse } from '../pattern/query-graph.ts';
import type { PlanExpression } from '../plan.ts';
import { stepOf } from './variable-expand.ts';

/** Most states of an automaton; a pattern that needs more is enumerated instead. */
const MAX_STATES = 256;

/** The automaton of a path pattern, with the variables that it binds. */
export interface AutomatonOf {
  readonly automaton: PathAutomaton;
  readonly outputs: readonly PathOutput[];
  /** Conditions that must hold before the search: about the node where it starts, and about variables that were bound before. */
  readonly before: readonly PlanExpression[];
}

/** The path pattern of which an automaton is made. */
export interface AutomatonRequest {
  readonly path: PathPattern;
  /** The query graph of the path alone. */
  readonly graph: QueryGraph;
  /** Variables of the rows before. */
  readonly scope: ReadonlySet<string>;
  /** Variables with a value when the search starts: those of the rows before, the end that it starts at, and perhaps the other end. */
  readonly known: ReadonlySet<string>;
  readonly fromRight: boolean;
}

/** Makes the automaton of a pattern; null if the pattern has none, or one that is too large. */
export function automatonOf(context: PlanContext, request: AutomatonRequest): AutomatonOf | null {
  if (request.path.elements.length < 3 || repeatsNames(request)) return null;
  const builder = new Builder(context, request);
  return builder.build();
}

/** Tells whether a variable stands for two places, or has a value already, which only the ends may. */
function repeatsNames({ path, graph, scope }: AutomatonRequest): boolean {
  const inner = path.elements.slice(1, -1).flatMap((element) => (element.kind === 'nodePattern' ? [element.variable!.name] : []));
  const ends = [path.elements[0]!, path.elements.at(-1)!].map((element) => (element.kind === 'nodePattern' ? element.variable!.name : ''));
  return (
    new Set(inner).size < inner.length ||
    inner.some((name) => scope.has(name) || ends.includes(name)) ||
    graph.relationships.some(({ bound, variable }) => bound || scope.has(variable))
  );
}

/** Conditions on the nodes and relationships of a part of the pattern, by their variables. */
interface Conditions {
  readonly nodes: Map<string, PlanExpression[]>;
  readonly steps: Map<string, PlanExpression[]>;
}

const noConditions = (): Conditions => ({ nodes: new Map(), steps: new Map() });

interface Link {
  readonly left: string;
  readonly relationship: string;
  readonly right: string;
}

class Builder {
  readonly #context: PlanContext;
  readonly #request: AutomatonRequest;
  readonly #states: number[] = [];
  readonly #nodeTests: { node: string; predicate: PlanExpression }[] = [];
  readonly #stepTests: NonNullable<VariableExpand['step']>[] = [];
  readonly #steps: PathStep[] = [];
  readonly #skips: (readonly [number, number])[] = [];
  readonly #outputs = new Map<string, { of: PathOutput['of']; isList: boolean; places: number[] }>();

  constructor(context: PlanContext, request: AutomatonRequest) {
    this.#context = context;
    this.#request = request;
  }

  build(): AutomatonOf | null {
    const { path, graph, known, fromRight } = this.#request;
    const conditions = noConditions();
    const before: PlanExpression[] = [];
    const own = new Set(graphVariables(graph).filter((name) => !known.has(name)));
    const links = graph.relationships.flatMap(({ variable, left, right, length }) =>
      length === null ? [{ left, relationship: variable, right }] : [],
    );
    for (const { expression } of graph.predicates) {
      const dependencies = [...freeVariables(expression)].filter((name) => own.has(name));
      if (dependencies.length === 0) before.push(expression);
      else if (!assign(conditions, expression, { dependencies, nodes: graph.nodes, links })) return null;
    }
    let at = this.#nodeState(nameOf(path, 0), conditions);
    for (const [i, relationship] of graph.relationships.entries()) {
      const end = this.#nodeState(nameOf(path, 2 * i + 2), conditions);
      if (!this.#connect(relationship, at, end, conditions)) return null;
      at = end;
    }
    if (this.#states.length > MAX_STATES) return null;
    const automaton = {
      start: 0,
      accept: at,
      states: this.#states,
      steps: this.#steps,
      skips: this.#skips,
      nodeTests: this.#nodeTests,
      stepTests: this.#stepTests,
    };
    const outputs = [...this.#outputs].flatMap(([variable, output]) => (known.has(variable) ? [] : [{ variable, ...output }]));
    return { automaton: fromRight ? reversed(automaton) : automaton, outputs, before };
  }

  #nodeState(name: string, conditions: Conditions): number {
    const state = this.#addState(this.#nodeTest(name, conditions));
    this.#output(name, { of: 'node', isList: false, place: state });
    return state;
  }

  #addState(test: number): number {
    return this.#states.push(test) - 1;
  }

  /** Returns the index of the test of a node; -1 if any node passes. */
  #nodeTest(name: string, { nodes }: Conditions): number {
    const conditions = nodes.get(name) ?? [];
    return conditions.length === 0 ? -1 : this.#nodeTests.push({ node: name, predicate: and(conditions) }) - 1;
  }

  #stepTest({ left, relationship, right }: Link, { steps }: Conditions): number {
    const conditions = steps.get(relationship) ?? [];
    if (conditions.length === 0) return -1;
    return this.#stepTests.push({ relationship, from: left, to: right, predicate: and(conditions) }) - 1;
  }

  /** Adds a list that is empty unless the pattern gets places for it: a repetition that is taken no times has none. */
  #outputList(variable: string, of: PathOutput['of']): void {
    if (!this.#outputs.has(variable)) this.#outputs.set(variable, { of, isList: true, places: [] });
  }

  #output(variable: string, { of, isList, place }: { of: PathOutput['of']; isList: boolean; place: number }): void {
    const output = this.#outputs.get(variable);
    if (output === undefined) this.#outputs.set(variable, { of, isList, places: [place] });
    else if (!output.places.includes(place)) output.places.push(place);
  }

  #addStep(step: PathStep, variables: readonly { readonly name: string; readonly isList: boolean }[]): void {
    const place = this.#steps.push(step) - 1;
    for (const { name, isList } of variables) this.#output(name, { of: 'relationship', isList, place });
  }

  /** Adds the steps from one node of the pattern to the next; false if they fit into no automaton. */
  #connect(relationship: QueryRelationship, from: number, to: number, conditions: Conditions): boolean {
    const { quantified, length, variable, types, direction } = relationship;
    if (quantified !== null) return this.#repeatGroup(relationship, quantified, from, to);
    if (length !== null) return this.#repeatStep(relationship, from, to);
    const link = { left: relationship.left, relationship: variable, right: relationship.right };
    this.#addStep({ from, to, types, direction, test: this.#stepTest(link, conditions) }, [{ name: variable, isList: false }]);
    return true;
  }

  /** Adds the steps of `-[r:R*1..3]->`; false if there are too many states. */
  #repeatStep({ variable, types, direction, steps, length }: QueryRelationship, from: number, to: number): boolean {
    this.#outputList(variable, 'relationship');
    const step = stepOf(this.#context, steps);
    const test = step === null ? -1 : this.#stepTests.push(step) - 1;
    const take = (left: number, right: number): void =>
      this.#addStep({ from: left, to: right, types, direction, test }, [{ name: variable, isList: true }]);
    return this.#repeat(length!, from, to, {
      copy: (entry) => {
        const exit = this.#addState(-1);
        take(entry, exit);
        return { entry, exit };
      },
      again: ({ exit }) => take(exit, exit),
    });
  }

  /** Adds the steps of `((x)-[r:R]->(y) WHERE …){1,3}`; false if they fit into no automaton. */
  #repeatGroup({ variable, length }: QueryRelationship, group: QuantifiedPattern, from: number, to: number): boolean {
    const inside = this.#insideOf(group);
    if (inside === null) return false;
    const { elements, names, conditions } = inside;
    this.#outputList(variable, 'relationship');
    for (const [i, name] of elements.entries()) this.#outputList(names.get(name)!, i % 2 === 0 ? 'node' : 'relationship');
    const nodeTests = new Map<string, number>();
    const stepTests = new Map<string, number>();
    for (const [i, name] of elements.entries()) {
      if (i % 2 === 0) nodeTests.set(name, this.#nodeTest(name, conditions));
      else stepTests.set(name, this.#stepTest({ left: elements[i - 1]!, relationship: name, right: elements[i + 1]! }, conditions));
    }
    const copy = (entry: number): { entry: number; exit: number } => {
      let first = -1;
      let at = -1;
      for (const [i, element] of group.path.elements.entries()) {
        if (element.kind === 'quantifiedPattern') continue;
        const name = elements[i]!;
        if (element.kind === 'nodePattern') {
          const state = this.#addState(nodeTests.get(name)!);
          this.#output(names.get(name)!, { of: 'node', isList: true, place: state });
          if (i > 0)
            this.#takeInside(group, i - 1, {
              from: at,
              to: state,
              test: stepTests.get(elements[i - 1]!)!,
              list: variable,
              names,
              elements,
            });
          else first = state;
          at = state;
        }
      }
      this.#skips.push([entry, first]);
      return { entry: first, exit: at };
    };
    return this.#repeat(length!, from, to, { copy, again: ({ entry, exit }) => void this.#skips.push([exit, entry]) });
  }

  #takeInside(
    group: QuantifiedPattern,
    at: number,
    place: { from: number; to: number; test: number; list: string; names: ReadonlyMap<string, string>; elements: readonly string[] },
  ): void {
    const element = group.path.elements[at];
    if (element?.kind !== 'relationshipPattern') return;
    const { from, to, test, list, names, elements } = place;
    const variables = [names.get(elements[at]!)!, list].map((name) => ({ name, isList: true }));
    this.#addStep({ from, to, types: plainTypes(element.types) ?? null, direction: element.direction, test }, variables);
  }

  /** Returns the elements of a group under names for one repetition, and the conditions on them; null if they fit into no automaton. */
  #insideOf(group: QuantifiedPattern): {
    /** Inner names of nodes and relationships, alternating. */
    elements: readonly string[];
    /** Inner name → outer name, the variable of a list. */
    names: ReadonlyMap<string, string>;
    conditions: Conditions;
  } | null {
    const outer = quantifiedVariables(group);
    if (group.path.elements.some((element) => element.kind === 'relationshipPattern' && element.length !== null)) return null;
    if (new Set(outer).size < outer.length) return null;
    const elements = outer.map((name, i) => this.#context.fresh(`${name}~`, i % 2 === 0 ? 'node' : 'relationship'));
    const renaming = new Map(outer.map((name, i) => [name, elements[i]!]));
    const written = [
      ...group.path.elements.flatMap((element) => (element.kind === 'quantifiedPattern' ? [] : conditionsOf(element))),
      ...(group.where === null ? [] : [group.where]),
    ].flatMap((condition) => conjuncts(condition));
    const conditions = noConditions();
    const nodes = elements.filter((_, i) => i % 2 === 0);
    const links = elements.flatMap((relationship, i) =>
      i % 2 === 0 ? [] : [{ left: elements[i - 1]!, relationship, right: elements[i + 1]! }],
    );
    const scope = new Set([...this.#request.scope, ...this.#request.known, ...elements]);
    for (const condition of written) {
      const expression = convertExpression(this.#context, renameVariables(condition, renaming) as Expression, scope);
      const dependencies = [...freeVariables(expression)].filter((name) => elements.includes(name));
      if (dependencies.length === 0) dependencies.push(elements[0]!);
      if (!assign(conditions, expression, { dependencies, nodes, links })) return null;
    }
    return { elements, names: new Map(elements.map((name, i) => [name, outer[i]!])), conditions };
  }

  /** Adds copies of a part, as many as the bounds demand, between two states; false if there are too many states. */
  #repeat(
    { min, max }: { readonly min: number; readonly max: number | null },
    from: number,
    to: number,
    part: {
      copy(entry: number): { entry: number; exit: number };
      again(last: { entry: number; exit: number }): void;
    },
  ): boolean {
    if (min === 0) this.#skips.push([from, to]);
    const copies = max ?? Math.max(min, 1);
    let at = from;
    for (let i = 1; i <= copies; i++) {
      const copy = part.copy(at);
      if (this.#states.length > MAX_STATES) return false;
      at = copy.exit;
      if (i >= min) this.#skips.push([at, to]);
      if (i === copies && max === null) part.again(copy);
    }
    return true;
  }
}

/** Assigns a condition to the node or the step that it is about; false if it is about more. */
function assign(
  { nodes, steps }: Conditions,
  expression: PlanExpression,
  about: { readonly dependencies: readonly string[]; readonly nodes: readonly string[]; readonly links: readonly Link[] },
): boolean {
  const [first] = about.dependencies;
  if (about.dependencies.length === 1 && about.nodes.includes(first!)) {
    nodes.set(first!, [...(nodes.get(first!) ?? []), expression]);
    return true;
  }
  const link = about.links.find(({ left, relationship, right }) =>
    about.dependencies.every((name) => name === left || name === relationship || name === right),
  );
  if (link === undefined) return false;
  steps.set(link.relationship, [...(steps.get(link.relationship) ?? []), expression]);
  return true;
}

function nameOf({ elements }: PathPattern, at: number): string {
  const element = elements[at];
  return element?.kind === 'nodePattern' ? element.variable!.name : '';
}

function reversed(automaton: PathAutomaton): PathAutomaton {
  return {
    ...automaton,
    start: automaton.accept,
    accept: automaton.start,
    steps: automaton.steps.map((step) => ({ ...step, from: step.to, to: step.from, direction: reverse(step.direction) })),
    skips: automaton.skips.map(([from, to]) => [to, from] as const),
    stepTests: automaton.stepTests.map((test) => ({ ...test, from: test.to, to: test.from })),
  };
}

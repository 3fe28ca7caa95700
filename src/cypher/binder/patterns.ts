/**
 * Binding of patterns that are matched. A first pass declares all variables of all patterns, so that each can be used
 * in any property map or WHERE of the clause; a second pass binds these. Unnamed parts get generated names.
 *
 * A variable inside a quantified group is a single node or relationship there; outside it is, under the same unique
 * name, the list of them.
 */
import type {
  Expression,
  NodePattern,
  PathPattern,
  PatternElement,
  PatternExpression,
  QuantifiedPattern,
  RelationshipPattern,
  Variable,
} from '../ast.ts';
import { walk } from '../walk.ts';
import type { Analysis } from './analysis.ts';
import { bindOptionalPredicate, bindPlain, type Environment, environment } from './expressions/expressions.ts';
import { bindOptionalLabels } from './labels.ts';
import type { Binding, Scope } from './scope.ts';
import { BOOLEAN, canBe, elementOf, listOf, NODE, PATH, RELATIONSHIP, type Typed, typeName } from './types.ts';

/** The declarations of the first pass, which the second pass uses. */
interface Declarations {
  readonly variables: Map<object, Binding>;
  readonly groupScopes: Map<QuantifiedPattern, Scope>;
  /** The relationship variables of the clause, each of which may occur only once in its patterns. */
  readonly relationships: Set<string>;
  /** Unknown names are declared as new variables (declare), or are a fault (refer). */
  readonly mode: 'declare' | 'refer';
  /** The unique names of the variables that are known before the clause. */
  readonly before: ReadonlySet<string>;
}

function noDeclarations(scope: Scope, mode: Declarations['mode']): Declarations {
  return { variables: new Map(), groupScopes: new Map(), relationships: new Set(), mode, before: scope.uniqueNames() };
}

/** Declares the variables of the patterns in `scope`, and binds the patterns. */
export function bindPatterns(analysis: Analysis, scope: Scope, patterns: readonly PathPattern[]): readonly PathPattern[] {
  const declarations = noDeclarations(scope, 'declare');
  for (const pattern of patterns) declarePath(analysis, scope, pattern, declarations);
  return patterns.map((pattern) => bindPath(analysis, scope, pattern, declarations));
}

/** Binds `(a)-->(b)` as a predicate, whose variables must be known, or `shortestPath(…)` as a value, which may name its relationships. */
export function bindPatternExpression(analysis: Analysis, env: Environment, node: PatternExpression): Typed {
  const { selector } = node.pattern;
  if (selector === null && !env.predicate) {
    throw analysis.fault(
      node,
      'UnexpectedSyntax',
      'a pattern can only stand where a condition is asked for; its matches are listed by [(a)-->(b) | …] and counted by COUNT { … }',
    );
  }
  const scope = env.scope.inner();
  const declarations = noDeclarations(scope, 'refer');
  declarePath(analysis, scope, node.pattern, declarations);
  const pattern = bindPath(analysis, scope, node.pattern, declarations);
  const type = selector === null ? BOOLEAN : selector.kind === 'allShortest' ? listOf(PATH) : PATH;
  return { expression: { ...node, pattern }, type };
}

// ---------------------------------------------------------------- first pass: variables

function declarePath(analysis: Analysis, scope: Scope, path: PathPattern, declarations: Declarations): void {
  if (path.selector?.legacy) checkShortestPath(analysis, path);
  for (const element of path.elements)
    declareElement(analysis, scope, element, { ...declarations, mode: newNamesIn(path, element, declarations) });
  if (path.variable === null) return;
  if (scope.lookup(path.variable.name) !== undefined) throw alreadyBound(analysis, path.variable);
  declarations.variables.set(path, analysis.declare(scope, path.variable.name, PATH));
}

/** Returns the mode for new names: the relationships of a shortestPath(…) used as a value may have new names, for its own conditions. */
function newNamesIn(path: PathPattern, element: PatternElement, { mode }: Declarations): Declarations['mode'] {
  return path.selector !== null && element.kind === 'relationshipPattern' ? 'declare' : mode;
}

function declareElement(analysis: Analysis, scope: Scope, element: PatternElement, declarations: Declarations): void {
  switch (element.kind) {
    case 'nodePattern':
      declarations.variables.set(element, declareNode(analysis, scope, element, declarations));
      return;
    case 'relationshipPattern':
      declarations.variables.set(element, declareRelationship(analysis, scope, element, declarations));
      return;
    case 'quantifiedPattern':
      declareGroup(analysis, scope, element, declarations);
  }
}

function declareNode(analysis: Analysis, scope: Scope, { variable }: NodePattern, { mode }: Declarations): Binding {
  if (variable === null) return analysis.generate('n', NODE);
  const known = scope.lookup(variable.name);
  if (known === undefined) {
    if (mode === 'refer') throw analysis.undefinedVariable(scope, variable);
    return analysis.declare(scope, variable.name, NODE);
  }
  if (!canBe(known.type, 'node')) throw typeConflict(analysis, variable, known, 'a Node');
  return known;
}

function declareRelationship(
  analysis: Analysis,
  scope: Scope,
  { variable, length }: RelationshipPattern,
  { mode, relationships }: Declarations,
): Binding {
  const type = length === null ? RELATIONSHIP : listOf(RELATIONSHIP);
  if (variable === null) return analysis.generate('r', type);
  const known = scope.lookup(variable.name);
  if (known === undefined) {
    if (mode === 'refer') throw analysis.undefinedVariable(scope, variable);
    const declared = analysis.declare(scope, variable.name, type);
    relationships.add(declared.name);
    return declared;
  }
  const fits =
    length === null ? canBe(known.type, 'relationship') : canBe(known.type, 'list') && canBe(elementOf(known.type), 'relationship');
  if (!fits) throw typeConflict(analysis, variable, known, typeName(type));
  if (relationships.has(known.name)) {
    throw analysis.fault(
      variable,
      'RelationshipUniquenessViolation',
      `the relationship variable \`${variable.name}\` cannot stand twice in one MATCH`,
    );
  }
  relationships.add(known.name);
  return known;
}

function declareGroup(analysis: Analysis, scope: Scope, group: QuantifiedPattern, declarations: Declarations): void {
  const inner = scope.inner();
  for (const element of group.path.elements) {
    if (element.kind === 'quantifiedPattern')
      throw analysis.fault(element, 'UnexpectedSyntax', 'a quantified group cannot stand inside another one');
    if (element.variable !== null && scope.lookup(element.variable.name) !== undefined) throw alreadyBound(analysis, element.variable);
    declareElement(analysis, inner, element, declarations);
  }
  declarations.groupScopes.set(group, inner);
  for (const element of group.path.elements) {
    const { name, type } = declarations.variables.get(element)!;
    analysis.setType(name, listOf(type));
  }
  for (const [name, binding] of inner.own) scope.bind(name, { name: binding.name, type: listOf(binding.type) });
}

/** Checks that shortestPath() or allShortestPaths() has one relationship between two nodes. */
function checkShortestPath(analysis: Analysis, path: PathPattern): void {
  const [, relationship] = path.elements;
  if (path.elements.length !== 3 || relationship?.kind !== 'relationshipPattern') {
    throw analysis.fault(
      path,
      'UnexpectedSyntax',
      'shortestPath() takes a pattern of two nodes and one relationship, as in shortestPath((a)-[*]->(b))',
    );
  }
  if (relationship.length !== null && relationship.length.min > 1) {
    throw analysis.fault(relationship, 'UnexpectedSyntax', 'the least length of a shortestPath() can be 0 or 1 only');
  }
}

/** Makes the error of a variable that is bound already. */
export function alreadyBound(analysis: Analysis, variable: Variable) {
  return analysis.fault(variable, 'VariableAlreadyBound', `variable \`${variable.name}\` is already defined`);
}

/** Makes the error of a variable that is used as another type than it has. */
export function typeConflict(analysis: Analysis, variable: Variable, known: Binding, wanted: string) {
  return analysis.fault(
    variable,
    'VariableTypeConflict',
    `variable \`${variable.name}\` is ${typeName(known.type)} and cannot be ${wanted} too`,
  );
}

// ---------------------------------------------------------------- second pass: what is said about them

function bindPath(analysis: Analysis, scope: Scope, path: PathPattern, declarations: Declarations): PathPattern {
  const count = path.selector?.count;
  if (typeof count === 'object') analysis.parameters.add(count.name);
  const variable = path.variable === null ? null : named(path.variable, declarations.variables.get(path)!);
  return { ...path, variable, elements: path.elements.map((element) => bindElement(analysis, scope, element, declarations)) };
}

function bindElement(analysis: Analysis, scope: Scope, element: PatternElement, declarations: Declarations): PatternElement {
  if (element.kind === 'quantifiedPattern') {
    const inner = declarations.groupScopes.get(element)!;
    const path = bindPath(analysis, inner, element.path, declarations);
    const where = bindOptionalPredicate(analysis, environment(inner), element.where);
    refuseSameClause(analysis, scope, { inner, group: { path, where } }, declarations);
    return { ...element, path, where };
  }
  const env = environment(scope);
  const variable = named(element, declarations.variables.get(element)!);
  const properties = bindMatchedProperties(analysis, env, element.properties);
  const where = bindOptionalPredicate(analysis, env, element.where);
  if (element.kind === 'nodePattern')
    return { ...element, variable, labels: bindOptionalLabels(analysis, env, element.labels), properties, where };
  return { ...element, variable, types: bindOptionalLabels(analysis, env, element.types), properties, where };
}

/**
 * Refuses variables of the same MATCH in a quantified group. A group is expanded before the rest of its MATCH is known,
 * so it can use only its own variables and those of earlier clauses.
 */
function refuseSameClause(
  analysis: Analysis,
  scope: Scope,
  { inner, group }: { readonly inner: Scope; readonly group: object },
  { before }: Declarations,
): void {
  const own = new Set([...inner.own.values()].map(({ name }) => name));
  const besides = scope.uniqueNames();
  walk(group, (node) => {
    if (node.kind !== 'variable') return undefined;
    const { name } = node as Variable;
    if (besides.has(name) && !own.has(name) && !before.has(name)) {
      throw analysis.fault(
        node as Variable,
        'UndefinedVariable',
        `variable \`${name}\` is found by the same MATCH, and a quantified group can only speak of its own variables and those ` +
          `of earlier clauses: put the condition into the WHERE of the MATCH, or \`${name}\` into a MATCH before`,
      );
    }
    return undefined;
  });
}

/** Returns the bound variable of a part of a pattern, which may have been unnamed. */
export function named(part: Variable | NodePattern | RelationshipPattern, { name }: Binding): Variable {
  return { kind: 'variable', name, span: part.kind === 'variable' ? part.span : (part.variable?.span ?? part.span) };
}

/** Binds the properties of a pattern that is matched; null for none. A parameter for the whole map is refused. */
export function bindMatchedProperties(analysis: Analysis, env: Environment, properties: Expression | null): Expression | null {
  if (properties === null) return null;
  if (properties.kind === 'parameter') {
    throw analysis.fault(
      properties,
      'InvalidParameterUse',
      `a parameter cannot stand for the properties to be matched: write {key: $${properties.name}.key}`,
    );
  }
  return bindPlain(analysis, env, properties);
}

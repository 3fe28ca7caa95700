/** Binding of the patterns of CREATE and MERGE: new elements must be specified completely, and known variables cannot be created again. */
import type { LabelExpression, NodePattern, PathPattern, PatternElement, RelationshipPattern, Variable } from '../../ast.ts';
import { type TreeNode, walk } from '../../walk.ts';
import type { Analysis } from '../analysis.ts';
import { bindPlain, environment } from '../expressions/expressions.ts';
import { bindOptionalLabels } from '../labels.ts';
import { alreadyBound, bindMatchedProperties, named, typeConflict } from '../patterns.ts';
import type { Binding, Scope } from '../scope.ts';
import { canBe, NODE, PATH, RELATIONSHIP } from '../types.ts';

/**
 * Binds a pattern of CREATE. Expressions can use the variables of the parts before them, but a node none of the
 * relationships of its own pattern, which are created behind all nodes.
 */
export function bindCreated(analysis: Analysis, scope: Scope, pattern: PathPattern): PathPattern {
  return bindMade(analysis, pattern, { clause: 'CREATE', scope, expressions: scope });
}

/** Binds a pattern of MERGE. Expressions can use only the variables from before the clause. */
export function bindMerged(analysis: Analysis, scope: Scope, pattern: PathPattern): PathPattern {
  const inner = scope.inner();
  const bound = bindMade(analysis, pattern, { clause: 'MERGE', scope: inner, expressions: scope });
  for (const [name, binding] of inner.own) scope.bind(name, binding);
  return bound;
}

interface Making {
  readonly clause: 'CREATE' | 'MERGE';
  /** The scope in which variables are declared. */
  readonly scope: Scope;
  /** The scope in which expressions are bound. */
  readonly expressions: Scope;
}

function bindMade(analysis: Analysis, pattern: PathPattern, making: Making): PathPattern {
  if (pattern.selector !== null) throw analysis.fault(pattern, 'UnexpectedSyntax', `${making.clause} cannot make a shortest path`);
  const alone = pattern.elements.length === 1;
  const elements = pattern.elements.map((element) => bindElement(analysis, element, making, alone));
  refuseLater(analysis, elements);
  if (pattern.variable === null) return { ...pattern, elements };
  if (making.scope.lookup(pattern.variable.name) !== undefined) throw alreadyBound(analysis, pattern.variable);
  const variable = named(pattern.variable, analysis.declare(making.scope, pattern.variable.name, PATH));
  return { ...pattern, variable, elements };
}

/** Refuses nodes that read a relationship of their own pattern. */
function refuseLater(analysis: Analysis, elements: readonly PatternElement[]): void {
  const relationships = new Set<string>();
  const refuse = (node: TreeNode): undefined => {
    const { name, span } = node as Variable;
    if (node.kind !== 'variable' || !relationships.has(name)) return;
    throw analysis.fault(
      { span },
      'UndefinedVariable',
      `variable \`${name}\` is not defined here: the nodes of a pattern are created before its relationships`,
    );
  };
  for (const element of elements) {
    if (element.kind === 'relationshipPattern') relationships.add(element.variable!.name);
    else if (element.kind === 'nodePattern') walk([element.labels, element.properties], refuse);
  }
}

function bindElement(analysis: Analysis, element: PatternElement, making: Making, alone: boolean): PatternElement {
  if (element.kind === 'quantifiedPattern')
    throw analysis.fault(element, 'CreatingVarLength', `${making.clause} cannot make a path of unknown length`);
  if (element.where !== null) throw analysis.fault(element.where, 'UnexpectedSyntax', `${making.clause} takes no WHERE`);
  return element.kind === 'nodePattern' ? bindNode(analysis, element, making, alone) : bindRelationship(analysis, element, making);
}

function bindNode(analysis: Analysis, node: NodePattern, making: Making, alone: boolean): NodePattern {
  requireNames(analysis, node.labels, making.clause);
  const bound = bindSaid(analysis, node, making);
  const labels = bindOptionalLabels(analysis, environment(making.expressions), node.labels);
  return { ...node, ...bound, labels, variable: named(node, declareNode(analysis, node, making, alone)) };
}

function declareNode(analysis: Analysis, node: NodePattern, { scope }: Making, alone: boolean): Binding {
  if (node.variable === null) return analysis.generate('n', NODE);
  const known = scope.lookup(node.variable.name);
  if (known === undefined) return analysis.declare(scope, node.variable.name, NODE);
  if (!canBe(known.type, 'node')) throw typeConflict(analysis, node.variable, known, 'a Node');
  if (alone || node.labels !== null || node.properties !== null) throw alreadyBound(analysis, node.variable);
  return known;
}

function bindRelationship(analysis: Analysis, relationship: RelationshipPattern, making: Making): RelationshipPattern {
  const { clause, scope } = making;
  if (relationship.variable !== null && scope.lookup(relationship.variable.name) !== undefined)
    throw alreadyBound(analysis, relationship.variable);
  if (relationship.length !== null)
    throw analysis.fault(relationship, 'CreatingVarLength', `${clause} cannot make a relationship of variable length`);
  if (clause === 'CREATE' && relationship.direction === 'both') {
    throw analysis.fault(relationship, 'RequiresDirectedRelationship', 'CREATE needs a direction: write --> or <--');
  }
  const { types } = relationship;
  if (types === null || (types.kind !== 'labelName' && types.kind !== 'labelDynamic')) {
    throw analysis.fault(
      types ?? relationship,
      'NoSingleRelationshipType',
      `a relationship that ${clause} makes needs exactly one type, as in -[:TYPE]->`,
    );
  }
  const bound = bindSaid(analysis, relationship, making);
  const boundTypes = bindOptionalLabels(analysis, environment(making.expressions), types);
  const binding =
    relationship.variable === null
      ? analysis.generate('r', RELATIONSHIP)
      : analysis.declare(scope, relationship.variable.name, RELATIONSHIP);
  return { ...relationship, ...bound, types: boundTypes, variable: named(relationship, binding) };
}

function bindSaid(analysis: Analysis, { properties }: NodePattern | RelationshipPattern, making: Making) {
  const env = environment(making.expressions);
  if (making.clause === 'MERGE') return { properties: bindMatchedProperties(analysis, env, properties) };
  return { properties: properties === null ? null : bindPlain(analysis, env, properties) };
}

/** Refuses label expressions with `|`, `!` or `%`, since a created node has exactly the labels that are listed. */
function requireNames(analysis: Analysis, labels: LabelExpression | null, clause: Making['clause']): void {
  if (labels === null || labels.kind === 'labelName' || labels.kind === 'labelDynamic') return;
  if (labels.kind !== 'labelAnd')
    throw analysis.fault(labels, 'UnexpectedSyntax', `the labels that ${clause} gives are listed, as in :A:B`);
  for (const operand of labels.operands) requireNames(analysis, operand, clause);
}

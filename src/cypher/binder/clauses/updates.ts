/** Binding of CREATE, MERGE, SET, REMOVE, DELETE and FOREACH. */
import { unreachable } from '../../../base/index.ts';
import type {
  Clause,
  DeleteClause,
  Expression,
  ForeachClause,
  IndexAccess,
  MergeClause,
  PropertyAccess,
  RemoveItem,
  SetItem,
  Variable,
} from '../../ast.ts';
import type { Analysis } from '../analysis.ts';
import { bindExpression, bindPlain, bindVariable, environment, requireType } from '../expressions/expressions.ts';
import { bindLabelNames } from '../labels.ts';
import type { Scope } from '../scope.ts';
import { iterated, type TypeKind } from '../types.ts';
import { bindClause } from './clauses.ts';
import { bindCreated, bindMerged } from './created-patterns.ts';

type Update = Extract<Clause, { kind: 'create' | 'merge' | 'set' | 'remove' | 'delete' | 'foreach' }>;

/** Binds an updating clause. */
export function bindUpdate(analysis: Analysis, scope: Scope, clause: Update): Update {
  switch (clause.kind) {
    case 'create':
      return { ...clause, patterns: clause.patterns.map((pattern) => bindCreated(analysis, scope, pattern)) };
    case 'merge':
      return bindMerge(analysis, scope, clause);
    case 'set':
      return { ...clause, items: bindSetItems(analysis, scope, clause.items) };
    case 'remove':
      return { ...clause, items: clause.items.map((item) => bindRemoveItem(analysis, scope, item)) };
    case 'delete':
      return bindDelete(analysis, scope, clause);
    case 'foreach':
      return bindForeach(analysis, scope, clause);
    default:
      return unreachable(clause, 'update');
  }
}

function bindMerge(analysis: Analysis, scope: Scope, clause: MergeClause): MergeClause {
  const pattern = bindMerged(analysis, scope, clause.pattern);
  return {
    ...clause,
    pattern,
    onCreate: bindSetItems(analysis, scope, clause.onCreate),
    onMatch: bindSetItems(analysis, scope, clause.onMatch),
  };
}

function bindSetItems(analysis: Analysis, scope: Scope, items: readonly SetItem[]): readonly SetItem[] {
  return items.map((item) => bindSetItem(analysis, scope, item));
}

function bindSetItem(analysis: Analysis, scope: Scope, item: SetItem): SetItem {
  const env = environment(scope);
  switch (item.kind) {
    case 'setProperty':
      return { ...item, target: bindTarget(analysis, scope, item.target), value: bindPlain(analysis, env, item.value) };
    case 'setAll': {
      const variable = bindOwner(analysis, scope, item.variable, ['node', 'relationship']);
      const value = bindExpression(analysis, env, item.value);
      requireType(analysis, item.value, value.type, ['map', 'node', 'relationship'], 'properties are given by a Map, Node or Relationship');
      refuseInternalId(analysis, item.value);
      return { ...item, variable, value: value.expression };
    }
    case 'setLabels':
      return { ...item, variable: bindOwner(analysis, scope, item.variable, ['node']), labels: bindLabelNames(analysis, env, item.labels) };
    default:
      return unreachable(item, 'SET item');
  }
}

function bindRemoveItem(analysis: Analysis, scope: Scope, item: RemoveItem): RemoveItem {
  if (item.kind === 'removeProperty') return { ...item, target: bindTarget(analysis, scope, item.target) };
  const labels = bindLabelNames(analysis, environment(scope), item.labels);
  return { ...item, variable: bindOwner(analysis, scope, item.variable, ['node']), labels };
}

/** Binds the variable whose labels or properties are changed. */
function bindOwner(analysis: Analysis, scope: Scope, variable: Variable, kinds: readonly TypeKind[]): Variable {
  const { expression, type } = bindVariable(analysis, scope, variable);
  requireType(
    analysis,
    variable,
    type,
    kinds,
    `only ${kinds.length === 1 ? 'a Node has labels that change' : 'a Node or Relationship has properties that change'}`,
  );
  return expression;
}

function bindTarget(analysis: Analysis, scope: Scope, target: PropertyAccess | IndexAccess): PropertyAccess | IndexAccess {
  const env = environment(scope);
  const subject = bindExpression(analysis, env, target.subject);
  requireType(analysis, target.subject, subject.type, ['node', 'relationship'], 'only a Node or Relationship has properties that change');
  if (target.kind === 'property') {
    if (target.key === '_id') throw immutableId(analysis, target);
    return { ...target, subject: subject.expression };
  }
  if (target.index.kind === 'literal' && target.index.value === '_id') throw immutableId(analysis, target);
  return { ...target, subject: subject.expression, index: bindPlain(analysis, env, target.index) };
}

/** Refuses `SET n = {_id: …}`, since an internal identifier cannot change. */
function refuseInternalId(analysis: Analysis, value: Expression): void {
  if (value.kind === 'map' && value.entries.some(({ key }) => key === '_id')) throw immutableId(analysis, value);
}

function immutableId(analysis: Analysis, at: Expression) {
  return analysis.fault(at, 'PropertyIsImmutable', '`_id` cannot be changed: it is given when a node is created');
}

function bindDelete(analysis: Analysis, scope: Scope, clause: DeleteClause): DeleteClause {
  const expressions = clause.expressions.map((expression) => {
    if (expression.kind === 'hasLabels')
      throw analysis.fault(expression, 'InvalidDelete', 'DELETE takes nodes and relationships; labels are taken away by REMOVE');
    const bound = bindExpression(analysis, environment(scope), expression);
    requireType(analysis, expression, bound.type, ['node', 'relationship', 'path'], 'DELETE takes a Node, Relationship or Path');
    return bound.expression;
  });
  return { ...clause, expressions };
}

function bindForeach(analysis: Analysis, scope: Scope, clause: ForeachClause): ForeachClause {
  const list = bindExpression(analysis, environment(scope), clause.list);
  const inner = scope.inner();
  const variable = { ...clause.variable, name: analysis.declare(inner, clause.variable.name, iterated(list.type)).name };
  const rules = { aliases: false, readOnly: false, isFirst: false };
  const clauses = clause.clauses.map((each) => bindClause(analysis, inner, each, rules).clause);
  return { ...clause, variable, list: list.expression, clauses };
}

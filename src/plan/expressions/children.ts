/**
 * One level of an expression: visit its direct sub-expressions, or rebuild it with other ones. Everything that walks expressions is written on these two.
 *
 * Patterns and queries inside expressions (pattern comprehensions, EXISTS, …) are leaves here: they become sub-plans (`pattern/convert.ts`) before
 * anything else looks at the tree. A sub-plan is a leaf too; what it needs of its row stands in its argument (`operators/free-variables.ts`).
 */
import { assert, countWork, unreachable } from '../../base/index.ts';
import type { Expression, LabelExpression } from '../../cypher/index.ts';
import type { PlanExpression } from '../plan.ts';

/** Sub-plans stand where the bound tree's types only know expressions; the compiler and every walker here know them by `kind`. */
export const asExpression = (expression: PlanExpression): Expression => expression as Expression;

type Mapper = (child: PlanExpression) => PlanExpression;

/** The same object comes back when no child changed. */
export function mapChildren(expression: PlanExpression, mapper: Mapper): PlanExpression {
  countWork(1);
  const map = (child: Expression): Expression => asExpression(mapper(child));
  const mapOrNull = (child: Expression | null): Expression | null => (child === null ? null : map(child));
  switch (expression.kind) {
    case 'literal':
    case 'parameter':
    case 'variable':
    case 'countStar':
    case 'patternExpression':
    case 'patternComprehension':
    case 'subquery':
    case 'planSubquery':
    case 'pathBuild':
      return expression;
    case 'property':
      return changed(expression, { subject: map(expression.subject) });
    case 'index':
      return changed(expression, { subject: map(expression.subject), index: map(expression.index) });
    case 'slice':
      return changed(expression, { subject: map(expression.subject), from: mapOrNull(expression.from), to: mapOrNull(expression.to) });
    case 'list':
      return changed(expression, { items: mapList(expression.items, map) });
    case 'map':
      return changed(expression, { entries: mapEntries(expression.entries, map) });
    case 'mapProjection': {
      const subject = map(expression.subject);
      return changed(expression, {
        // A subject that is no variable any more is understood by the compiler as any other subject.
        subject: subject as typeof expression.subject,
        entries: mapEntries(expression.entries, map),
      });
    }
    case 'unary':
    case 'isNull':
    case 'isTyped':
    case 'isNormalized':
      return changed(expression, { operand: map(expression.operand) });
    case 'binary':
      return changed(expression, { left: map(expression.left), right: map(expression.right) });
    case 'arithmetic':
    case 'logical':
    case 'comparison':
      return changed(expression, { operands: mapList(expression.operands, map) });
    case 'nodeOrder': {
      const [low, high] = [map(expression.low), map(expression.high)];
      assert(low.kind === 'variable' && high.kind === 'variable', 'nodes are compared by their variables');
      return changed(expression, { low, high });
    }
    case 'hasLabels':
      return changed(expression, { subject: map(expression.subject), labels: mapLabels(expression.labels, map) });
    case 'function':
      return changed(expression, { arguments: mapList(expression.arguments, map) });
    case 'case':
      return changed(expression, {
        subject: mapOrNull(expression.subject),
        branches: mapBranches(expression.branches, map),
        otherwise: mapOrNull(expression.otherwise),
      });
    case 'listComprehension':
      return changed(expression, {
        list: map(expression.list),
        where: mapOrNull(expression.where),
        projection: mapOrNull(expression.projection),
      });
    case 'quantifier':
      return changed(expression, { list: map(expression.list), where: mapOrNull(expression.where) });
    case 'reduce':
      return changed(expression, { initial: map(expression.initial), list: map(expression.list), expression: map(expression.expression) });
    default:
      return unreachable(expression, 'expression');
  }
}

export function forEachChild(expression: PlanExpression, visit: (child: PlanExpression) => void): void {
  mapChildren(expression, (child) => {
    visit(child);
    return child;
  });
}

/** Every expression inside a label expression (`:$(expr)`). */
export function mapLabels(labels: LabelExpression, map: (expression: Expression) => Expression): LabelExpression {
  switch (labels.kind) {
    case 'labelName':
    case 'labelWildcard':
      return labels;
    case 'labelDynamic':
      return changed(labels, { expression: map(labels.expression) });
    case 'labelNot':
      return changed(labels, { operand: mapLabels(labels.operand, map) });
    case 'labelAnd':
    case 'labelOr':
      return changed(labels, { operands: mapList(labels.operands, (operand) => mapLabels(operand, map)) });
    default:
      return unreachable(labels, 'label expression');
  }
}

export function mapList<T>(items: readonly T[], map: (item: T) => T): readonly T[] {
  let changed = false;
  const mapped = items.map((item) => {
    const result = map(item);
    changed ||= result !== item;
    return result;
  });
  return changed ? mapped : items;
}

type Entry = { readonly key: string; readonly value: Expression };

function mapEntries(entries: readonly Entry[], map: (expression: Expression) => Expression): readonly Entry[] {
  return mapList(entries, (entry) => changed(entry, { value: map(entry.value) }));
}

type Branch = { readonly when: Expression; readonly then: Expression };

function mapBranches(branches: readonly Branch[], map: (expression: Expression) => Expression): readonly Branch[] {
  return mapList(branches, (branch) => changed(branch, { when: map(branch.when), then: map(branch.then) }));
}

/** `base` with some members replaced; `base` itself when they are what it has. */
export function changed<T extends object>(base: T, changes: Partial<T>): T {
  for (const key of Object.keys(changes) as (keyof T)[]) if (base[key] !== changes[key]) return { ...base, ...changes };
  return base;
}

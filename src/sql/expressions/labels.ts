/** Conditions on labels and types. */
import { unreachable } from '../../base/index.ts';
import type { HasLabels, LabelExpression } from '../../cypher/index.ts';
import type { Program } from '../program.ts';
import type { EntityBinding } from '../scope.ts';
import { BOOLEAN, type SqlExpression } from '../types.ts';
import type { Environment } from './environment.ts';
import { entityOf } from './references.ts';

/** Lowers a condition on labels. */
export function hasLabels(environment: Environment, { subject, labels }: HasLabels): SqlExpression {
  const entity = entityOf(environment, subject);
  if (entity === null) throw environment.program.refuse('labels of what is no variable of a pattern', subject);
  return { sql: labelCondition(environment.program, entity, labels), type: BOOLEAN };
}

/** Returns the condition that an entity has labels. */
export function labelCondition(program: Program, entity: EntityBinding, labels: LabelExpression): string {
  const { dialect } = program;
  const each = (operand: LabelExpression): string => labelCondition(program, entity, operand);
  switch (labels.kind) {
    case 'labelName':
      return entity.kind === 'node'
        ? dialect.contains(entity.labels, dialect.text(labels.name))
        : `(${entity.labels} = ${dialect.text(labels.name)})`;
    case 'labelWildcard':
      return entity.kind === 'node' ? `(${dialect.size(entity.labels)} > 0)` : `(${entity.labels} IS NOT NULL)`;
    case 'labelNot':
      return `(NOT ${each(labels.operand)})`;
    case 'labelAnd':
      return `(${labels.operands.map(each).join(' AND ')})`;
    case 'labelOr':
      return `(${labels.operands.map(each).join(' OR ')})`;
    case 'labelDynamic':
      throw program.refuse('a label that is computed', labels);
    default:
      return unreachable(labels, 'label expression');
  }
}

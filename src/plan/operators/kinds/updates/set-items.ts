/** The changes of SET, REMOVE and MERGE to entities that exist. */
import { unreachable } from '../../../../base/index.ts';
import type { LabelName, RemoveItem, SetItem, VariableType } from '../../../../cypher/index.ts';
import { type Effects, mayHoldEntities, type Names, reading, unite, writing } from '../../../effects.ts';
import { formatExpression } from '../../../expressions/format-expression.ts';
import { asExpression, changed, mapList } from '../../../expressions/mapping.ts';
import type { Load } from '../../../loads.ts';
import type { PlanExpression } from '../../../plan.ts';
import type { ExpressionMapper, VariableTypes } from '../facts.ts';
import { mapVariable } from '../mapping.ts';
import { labelNames } from '../texts.ts';

/** Maps the expressions of an item of SET. */
// The target of SET and REMOVE stays a property or an element: only what it is of may change, and no rewrite changes its kind.
export function mapSet(item: SetItem, map: ExpressionMapper): SetItem {
  switch (item.kind) {
    case 'setProperty':
      return changed(item, { target: map(item.target) as typeof item.target, value: asExpression(map(item.value)) });
    case 'setAll':
      return changed(item, { variable: mapVariable(item.variable, map), value: asExpression(map(item.value)) });
    case 'setLabels':
      return changed(item, { variable: mapVariable(item.variable, map), labels: mapNames(item.labels, map) });
    default:
      return unreachable(item, 'SET item');
  }
}

/** Maps the expressions of an item of REMOVE. */
export function mapRemove(item: RemoveItem, map: ExpressionMapper): RemoveItem {
  if (item.kind === 'removeProperty') return changed(item, { target: map(item.target) as typeof item.target });
  return changed(item, { variable: mapVariable(item.variable, map), labels: mapNames(item.labels, map) });
}

function mapNames(names: readonly LabelName[], map: ExpressionMapper): readonly LabelName[] {
  return mapList(names, (name) => (typeof name === 'string' ? name : asExpression(map(name))));
}

/** Returns the effects of an item of SET. */
export function setEffects(item: SetItem, types: VariableTypes): Effects {
  switch (item.kind) {
    case 'setProperty':
      return setKey(item.target, types);
    case 'setAll': {
      const keys: Names = item.merge && item.value.kind === 'map' ? new Set(item.value.entries.map((entry) => entry.key)) : 'all';
      const set = writing({ setKeys: keys, setsNodes: isPerhapsNode(types.get(item.variable.name)) });
      const copies = item.value.kind === 'variable' && mayHoldEntities(types.get(item.value.name));
      return copies ? unite(set, reading({ keys: 'all' })) : set;
    }
    case 'setLabels':
      return writing({ setsLabels: true });
    default:
      return unreachable(item, 'SET item');
  }
}

/** Returns the effects of an item of REMOVE. */
export function removeEffects(item: RemoveItem, types: VariableTypes): Effects {
  return item.kind === 'removeLabels' ? writing({ setsLabels: true }) : setKey(item.target, types);
}

function setKey(target: Extract<SetItem, { kind: 'setProperty' }>['target'], types: VariableTypes): Effects {
  const { subject } = target;
  const keys: Names = target.kind === 'property' ? new Set([target.key]) : 'all';
  return writing({ setKeys: keys, setsNodes: isPerhapsNode(subject.kind === 'variable' ? types.get(subject.name) : undefined) });
}

const isPerhapsNode = (type: VariableType | undefined): boolean => type !== 'relationship';

/** Returns the data that an item of SET needs in memory. */
export function setLoads(item: SetItem): readonly Load[] {
  const change: Load = { kind: 'changed', entity: entityOf(item) };
  return item.kind === 'setAll' ? [change, { kind: 'properties', of: item.value }] : [change];
}

/** Returns the data that an item of REMOVE needs in memory. */
export const removeLoad = (item: RemoveItem): Load => ({ kind: 'changed', entity: entityOf(item) });

function entityOf(item: SetItem | RemoveItem): PlanExpression {
  return 'target' in item ? item.target.subject : item.variable;
}

/** Formats an item of SET. */
export function setText(item: SetItem): string {
  switch (item.kind) {
    case 'setProperty':
      return `${formatExpression(item.target)} = ${formatExpression(item.value)}`;
    case 'setAll':
      return `${item.variable.name} ${item.merge ? '+=' : '='} ${formatExpression(item.value)}`;
    case 'setLabels':
      return `${item.variable.name}${labelNames(item.labels)}`;
    default:
      return unreachable(item, 'SET item');
  }
}

/** Formats an item of REMOVE. */
export function removeText(item: RemoveItem): string {
  return item.kind === 'removeProperty' ? formatExpression(item.target) : `${item.variable.name}${labelNames(item.labels)}`;
}

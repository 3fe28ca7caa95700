/** The same operator with other expressions: the counterpart of `expressionsOf`. */
import type { LabelName, RemoveItem, SetItem } from '../../cypher/index.ts';
import { asExpression, mapLabels, mapList } from '../expressions/children.ts';
import type { CreateNode, CreateRelationship, NodeIndexRange, Operator, PlanExpression, VariableExpand } from '../plan.ts';

type Mapper = (expression: PlanExpression) => PlanExpression;

export function mapExpressions(operator: Operator, map: Mapper): Operator {
  switch (operator.kind) {
    case 'labelScan':
      return changed(operator, { labels: mapLabels(operator.labels, (expression) => asExpression(map(expression))) });
    case 'nodeByIdSeek':
    case 'relationshipByIdSeek':
      return changed(operator, { id: map(operator.id) });
    case 'nodeIndexSeek':
    case 'relationshipIndexSeek':
      return changed(operator, { values: mapList(operator.values, map) });
    case 'nodeIndexRange':
    case 'relationshipIndexRange':
      return changed(operator, {
        low: mapBound(operator.low, map),
        high: mapBound(operator.high, map),
        prefix: operator.prefix === null ? null : map(operator.prefix),
        area: operator.area === null ? null : changed(operator.area, { value: map(operator.area.value) }),
      });
    case 'variableExpand':
      return changed(operator, { step: mapStep(operator.step, map) });
    case 'shortestPath':
      return changed(operator, {
        step: mapStep(operator.step, map),
        predicate: operator.predicate === null ? null : map(operator.predicate),
      });
    case 'pathSearch':
      return changed(operator, {
        automaton: changed(operator.automaton, {
          nodeTests: mapList(operator.automaton.nodeTests, (test) => changed(test, { predicate: map(test.predicate) })),
          stepTests: mapList(operator.automaton.stepTests, (test) => changed(test, { predicate: map(test.predicate) })),
        }),
      });
    case 'filter':
      return changed(operator, { predicate: map(operator.predicate) });
    case 'project':
      return changed(operator, { items: mapItems(operator.items, map) });
    case 'aggregate':
      return changed(operator, {
        grouping: mapItems(operator.grouping, map),
        aggregations: mapList(operator.aggregations, (item) => changed(item, { arguments: mapList(item.arguments, map) })),
      });
    case 'sort':
      return changed(operator, { items: mapItems(operator.items, map) });
    case 'top':
      return changed(operator, { items: mapItems(operator.items, map), count: map(operator.count) });
    case 'skip':
    case 'limit':
      return changed(operator, { count: map(operator.count) });
    case 'unwind':
    case 'foreach':
      return changed(operator, { list: map(operator.list) });
    case 'hashJoin':
      return changed(operator, { leftKeys: mapList(operator.leftKeys, map), rightKeys: mapList(operator.rightKeys, map) });
    case 'create':
      return changed(operator, { items: mapList(operator.items, (item) => mapCreate(item, map)) });
    case 'merge':
      return changed(operator, {
        create: mapList(operator.create, (item) => mapCreate(item, map)),
        onCreate: mapList(operator.onCreate, (item) => mapSet(item, map)),
        onMatch: mapList(operator.onMatch, (item) => mapSet(item, map)),
      });
    case 'setProperties':
      return changed(operator, { items: mapList(operator.items, (item) => mapSet(item, map)) });
    case 'removeItems':
      return changed(operator, { items: mapList(operator.items, (item) => mapRemove(item, map)) });
    case 'delete':
      return changed(operator, { expressions: mapList(operator.expressions, map) });
    case 'procedureCall':
      return changed(operator, { arguments: mapList(operator.arguments, map) });
    case 'transactionApply':
      return changed(operator, { batchSize: operator.batchSize === null ? null : map(operator.batchSize) });
    case 'loadCsv':
      return changed(operator, { from: map(operator.from) });
    default:
      return operator;
  }
}

function changed<T extends object>(base: T, changes: Partial<T>): T {
  for (const key of Object.keys(changes) as (keyof T)[]) if (base[key] !== changes[key]) return { ...base, ...changes };
  return base;
}

function mapItems<T extends { readonly expression: PlanExpression }>(items: readonly T[], map: Mapper): readonly T[] {
  return mapList(items, (item) => {
    const expression = map(item.expression);
    return expression === item.expression ? item : { ...item, expression };
  });
}

function mapBound(bound: NodeIndexRange['low'], map: Mapper): NodeIndexRange['low'] {
  return bound === null ? null : changed(bound, { value: map(bound.value) });
}

function mapStep(step: VariableExpand['step'], map: Mapper): VariableExpand['step'] {
  return step === null ? null : changed(step, { predicate: map(step.predicate) });
}

function mapCreate(item: CreateNode | CreateRelationship, map: Mapper): CreateNode | CreateRelationship {
  const properties = item.properties === null ? null : map(item.properties);
  const mapName = (name: string | PlanExpression): string | PlanExpression => (typeof name === 'string' ? name : map(name));
  if (item.kind === 'createRelationship') return changed(item, { type: mapName(item.type), properties });
  return changed(item, { labels: mapList(item.labels, mapName), properties });
}

function mapNames(names: readonly LabelName[], map: Mapper): readonly LabelName[] {
  return mapList(names, (name) => (typeof name === 'string' ? name : asExpression(map(name))));
}

// The target of SET and REMOVE stays a property or an element: only what it is of may change, and no rewrite changes its kind.
function mapSet(item: SetItem, map: Mapper): SetItem {
  switch (item.kind) {
    case 'setProperty':
      return changed(item, { target: map(item.target) as typeof item.target, value: asExpression(map(item.value)) });
    case 'setAll':
      return changed(item, { value: asExpression(map(item.value)) });
    case 'setLabels':
      return changed(item, { labels: mapNames(item.labels, map) });
  }
}

function mapRemove(item: RemoveItem, map: Mapper): RemoveItem {
  if (item.kind === 'removeLabels') return changed(item, { labels: mapNames(item.labels, map) });
  return changed(item, { target: map(item.target) as typeof item.target });
}

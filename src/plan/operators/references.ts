/** Which variables an operator itself (without its inputs) reads, which it adds to its rows, and which operators stand below it. */
import { unreachable } from '../../base/index.ts';
import type { LabelExpression, RemoveItem, SetItem } from '../../cypher/index.ts';
import { mapLabels } from '../expressions/children.ts';
import type { CreateNode, CreateRelationship, Operator, PlanExpression, VariableExpand } from '../plan.ts';

/** The operators whose rows flow into this one, left to right. Sub-plans are not among them. */
export function inputsOf(operator: Operator): readonly Operator[] {
  switch (operator.kind) {
    case 'argument':
    case 'schema':
    case 'show':
      return [];
    case 'cartesianProduct':
    case 'hashJoin':
      return [operator.left, operator.right];
    case 'unionAll':
      return operator.inputs;
    default:
      return [operator.input];
  }
}

/** The same operator over other inputs; itself when they are the ones it has. */
export function withInputs(operator: Operator, inputs: readonly Operator[]): Operator {
  const old = inputsOf(operator);
  if (old.every((input, at) => input === inputs[at])) return operator;
  switch (operator.kind) {
    case 'argument':
    case 'schema':
    case 'show':
      return operator;
    case 'cartesianProduct':
    case 'hashJoin':
      return { ...operator, left: inputs[0]!, right: inputs[1]! };
    case 'unionAll':
      return { ...operator, inputs };
    default:
      return { ...operator, input: inputs[0]! };
  }
}

/** The plan that an operator runs once per row of its input, if it has one (those inside its expressions apart). */
export function subplanOf(operator: Operator): Operator | null {
  switch (operator.kind) {
    case 'apply':
    case 'optionalApply':
    case 'semiApply':
    case 'countedJoin':
    case 'foreach':
    case 'transactionApply':
      return operator.plan;
    case 'merge':
      return operator.match;
    case 'variableExpand':
      return operator.quantified?.plan ?? null;
    default:
      return null;
  }
}

/** The same operator with another sub-plan. */
export function withSubplan(operator: Operator, plan: Operator): Operator {
  if (subplanOf(operator) === plan) return operator;
  switch (operator.kind) {
    case 'apply':
    case 'optionalApply':
    case 'semiApply':
    case 'countedJoin':
    case 'foreach':
    case 'transactionApply':
      return { ...operator, plan };
    case 'merge':
      return { ...operator, match: plan };
    case 'variableExpand':
      return operator.quantified === null ? operator : { ...operator, quantified: { ...operator.quantified, plan } };
    default:
      return operator;
  }
}

/** Every expression that the operator computes, in the order of its members. */
export function expressionsOf(operator: Operator): readonly PlanExpression[] {
  switch (operator.kind) {
    case 'labelScan':
      return labelExpressions(operator.labels);
    case 'nodeByIdSeek':
    case 'relationshipByIdSeek':
      return [operator.id];
    case 'nodeIndexSeek':
    case 'relationshipIndexSeek':
      return operator.values;
    case 'nodeIndexRange':
    case 'relationshipIndexRange':
      return [operator.low?.value, operator.high?.value, operator.prefix, operator.area?.value].filter(
        (value) => value !== undefined && value !== null,
      );
    case 'variableExpand':
      return stepExpressions(operator.step);
    case 'pathSearch':
      return [...operator.automaton.nodeTests, ...operator.automaton.stepTests].map(({ predicate }) => predicate);
    case 'shortestPath':
      return [...stepExpressions(operator.step), ...(operator.predicate === null ? [] : [operator.predicate])];
    case 'filter':
      return [operator.predicate];
    case 'project':
      return operator.items.map((item) => item.expression);
    case 'aggregate':
      return [...operator.grouping.map((item) => item.expression), ...operator.aggregations.flatMap((item) => item.arguments)];
    case 'sort':
      return operator.items.map((item) => item.expression);
    case 'top':
      return [...operator.items.map((item) => item.expression), operator.count];
    case 'skip':
    case 'limit':
      return [operator.count];
    case 'unwind':
    case 'foreach':
      return [operator.list];
    case 'hashJoin':
      return [...operator.leftKeys, ...operator.rightKeys];
    case 'create':
      return operator.items.flatMap(createExpressions);
    case 'merge':
      return [...operator.create.flatMap(createExpressions), ...[...operator.onCreate, ...operator.onMatch].flatMap(setExpressions)];
    case 'setProperties':
      return operator.items.flatMap(setExpressions);
    case 'removeItems':
      return operator.items.flatMap(removeExpressions);
    case 'delete':
      return operator.expressions;
    case 'procedureCall':
      return operator.arguments;
    case 'transactionApply':
      return operator.batchSize === null ? [] : [operator.batchSize];
    case 'loadCsv':
      return [operator.from];
    case 'argument':
    case 'allNodesScan':
    case 'relationshipScan':
    case 'expand':
    case 'multiwayJoin':
    case 'distinct':
    case 'apply':
    case 'optionalApply':
    case 'semiApply':
    case 'countedJoin':
    case 'cartesianProduct':
    case 'unionAll':
    case 'eager':
    case 'schema':
    case 'show':
    case 'emptyResult':
      return [];
    default:
      return unreachable(operator, 'operator');
  }
}

function stepExpressions(step: VariableExpand['step']): readonly PlanExpression[] {
  return step === null ? [] : [step.predicate];
}

function labelExpressions(labels: LabelExpression): readonly PlanExpression[] {
  const found: PlanExpression[] = [];
  mapLabels(labels, (expression) => {
    found.push(expression);
    return expression;
  });
  return found;
}

function createExpressions(item: CreateNode | CreateRelationship): readonly PlanExpression[] {
  const names = item.kind === 'createNode' ? item.labels : [item.type];
  const dynamic = names.filter((name) => typeof name !== 'string');
  return item.properties === null ? dynamic : [...dynamic, item.properties];
}

function setExpressions(item: SetItem): readonly PlanExpression[] {
  switch (item.kind) {
    case 'setProperty':
      return [item.target, item.value];
    case 'setAll':
      return [item.variable, item.value];
    case 'setLabels':
      return [item.variable, ...item.labels.filter((label) => typeof label !== 'string')];
    default:
      return unreachable(item, 'SET item');
  }
}

function removeExpressions(item: RemoveItem): readonly PlanExpression[] {
  return item.kind === 'removeProperty' ? [item.target] : [item.variable, ...item.labels.filter((label) => typeof label !== 'string')];
}

/** Variables that the operator reads by name, outside its expressions. */
export function namesReadBy(operator: Operator): readonly string[] {
  switch (operator.kind) {
    case 'relationshipScan':
    case 'relationshipByIdSeek':
    case 'relationshipIndexSeek':
    case 'relationshipIndexRange':
      return operator.uniqueAgainst;
    case 'expand':
      return [
        operator.from,
        ...(operator.into ? [operator.to] : []),
        ...(operator.relationshipBound ? [operator.relationship] : []),
        ...operator.uniqueAgainst,
      ];
    case 'multiwayJoin':
      return operator.legs.flatMap((leg) => [leg.from, ...leg.uniqueAgainst]);
    case 'variableExpand':
      return [
        operator.from,
        ...(operator.into ? [operator.to] : []),
        ...(operator.relationshipsBound ? [operator.relationships] : []),
        ...operator.uniqueAgainst,
      ];
    case 'pathSearch':
      return [operator.from, ...(operator.into ? [operator.to] : [])];
    case 'shortestPath':
      return [operator.from, operator.to];
    case 'countedJoin':
      return [operator.from, operator.on];
    case 'distinct':
      return operator.variables;
    case 'unionAll':
      return operator.variables;
    case 'create':
      return operator.items.flatMap(createEnds);
    case 'merge':
      return operator.create.flatMap(createEnds);
    default:
      return [];
  }
}

function createEnds(item: CreateNode | CreateRelationship): readonly string[] {
  return item.kind === 'createRelationship' ? [item.source, item.target] : [];
}

/** Variables that the operator itself gives a value to. */
export function namesBoundBy(operator: Operator): readonly string[] {
  switch (operator.kind) {
    case 'allNodesScan':
    case 'labelScan':
    case 'nodeByIdSeek':
    case 'nodeIndexSeek':
    case 'nodeIndexRange':
    case 'unwind':
    case 'loadCsv':
      return [operator.variable];
    case 'relationshipScan':
    case 'relationshipByIdSeek':
    case 'relationshipIndexSeek':
    case 'relationshipIndexRange':
      return [operator.relationship, operator.from, operator.to];
    case 'expand':
      return [...(operator.relationshipBound ? [] : [operator.relationship]), ...(operator.into ? [] : [operator.to])];
    case 'multiwayJoin':
      return [operator.to, ...operator.legs.map((leg) => leg.relationship)];
    case 'variableExpand': {
      const groups = operator.quantified?.groups.map((group) => group.outer) ?? [];
      return [...(operator.relationshipsBound ? [] : [operator.relationships]), ...(operator.into ? [] : [operator.to]), ...groups];
    }
    case 'pathSearch':
      return operator.outputs.map(({ variable }) => variable);
    case 'shortestPath':
      return [operator.relationships];
    case 'project':
      return operator.items.map((item) => item.variable);
    case 'aggregate':
      return [...operator.grouping, ...operator.aggregations].map((item) => item.variable);
    case 'countedJoin':
      return [operator.count];
    case 'optionalApply':
      return operator.nullVariables;
    case 'create':
      return operator.items.map((item) => item.variable);
    case 'merge':
      return operator.variables;
    case 'procedureCall':
      return operator.yields.map((field) => field.variable.name);
    case 'show':
      return operator.columns.map((column) => column.variable);
    default:
      return [];
  }
}

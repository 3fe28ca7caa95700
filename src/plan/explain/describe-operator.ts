/** Name and details of an operator, in the words that users of graph databases know from EXPLAIN. */
import { unreachable } from '../../base/index.ts';
import type { RemoveItem, SetItem } from '../../cypher/index.ts';
import type {
  CreateNode,
  CreateRelationship,
  Expand,
  NodeIndexRange,
  NodeIndexSeek,
  Operator,
  PathSearch,
  PlanExpression,
  RelationshipIndexRange,
  RelationshipIndexSeek,
  ShortestPath,
  VariableExpand,
} from '../plan.ts';
import { formatExpression, formatLabels } from './format-expression.ts';

export interface Description {
  readonly name: string;
  readonly details: string;
}

export function describeOperator(operator: Operator): Description {
  switch (operator.kind) {
    case 'argument':
      return { name: 'Argument', details: operator.variables.join(', ') };
    case 'allNodesScan':
      return { name: 'AllNodesScan', details: operator.variable };
    case 'labelScan':
      return { name: 'NodeByLabelScan', details: `${operator.variable}:${formatLabels(operator.labels)}` };
    case 'nodeByIdSeek':
      return {
        name: 'NodeByElementIdSeek',
        details: `${operator.variable} WHERE id ${operator.many ? 'IN' : '='} ${formatExpression(operator.id)}`,
      };
    case 'nodeIndexSeek':
      return describeIndexSeek(operator);
    case 'nodeIndexRange':
      return {
        name: 'NodeIndexSeekByRange',
        details: `${operator.variable}:${operator.label}(${operator.key}) WHERE ${rangeText(operator)}`,
      };
    case 'relationshipScan':
      return {
        name: operator.types === null ? 'AllRelationshipsScan' : 'RelationshipTypeScan',
        details: pattern({ ...operator, length: '' }) + uniqueness(operator.uniqueAgainst),
      };
    case 'relationshipByIdSeek':
      return {
        name: 'RelationshipByElementIdSeek',
        details: `${pattern({ ...operator, types: null, length: '' })} WHERE id ${operator.many ? 'IN' : '='} ${formatExpression(operator.id)}`,
      };
    case 'relationshipIndexSeek':
      return {
        name: operator.unique ? 'RelationshipUniqueIndexSeek' : 'RelationshipIndexSeek',
        details: `${indexedPattern(operator, operator.keys)} WHERE ${seekText(operator)}${uniqueness(operator.uniqueAgainst)}`,
      };
    case 'relationshipIndexRange':
      return {
        name: 'RelationshipIndexSeekByRange',
        details: `${indexedPattern(operator, [operator.key])} WHERE ${rangeText(operator)}${uniqueness(operator.uniqueAgainst)}`,
      };
    case 'expand':
      return { name: `Expand(${operator.into ? 'Into' : 'All'})`, details: expandText(operator) };
    case 'multiwayJoin':
      return {
        name: 'MultiwayJoin',
        details: operator.legs.map((leg) => pattern({ ...leg, to: operator.to, length: '' }) + uniqueness(leg.uniqueAgainst)).join(' AND '),
      };
    case 'variableExpand':
      return describeVariableExpand(operator);
    case 'shortestPath':
      return describeShortestPath(operator);
    case 'pathSearch':
      return describePathSearch(operator);
    case 'filter':
      return { name: 'Filter', details: formatExpression(operator.predicate) };
    case 'project':
      return { name: 'Projection', details: items(operator.items) };
    case 'aggregate':
      return { name: operator.grouping.length === 0 ? 'Aggregation' : 'EagerAggregation', details: aggregateText(operator) };
    case 'distinct':
      return { name: 'Distinct', details: operator.variables.join(', ') };
    case 'sort':
      return { name: 'Sort', details: sortText(operator.items) };
    case 'top':
      return { name: 'Top', details: `${sortText(operator.items)} LIMIT ${formatExpression(operator.count)}` };
    case 'skip':
      return { name: 'Skip', details: formatExpression(operator.count) };
    case 'limit':
      return { name: 'Limit', details: formatExpression(operator.count) };
    case 'unwind':
      return { name: 'Unwind', details: `${formatExpression(operator.list)} AS ${operator.variable}` };
    case 'apply':
      return { name: operator.unit ? 'SubqueryForeach' : 'Apply', details: '' };
    case 'optionalApply':
      return { name: 'OptionalApply', details: operator.nullVariables.join(', ') };
    case 'semiApply':
      return { name: operator.anti ? 'AntiSemiApply' : 'SemiApply', details: '' };
    case 'countedJoin':
      return { name: 'CountedJoin', details: `${operator.count} ways from ${operator.from} to ${operator.on}` };
    case 'cartesianProduct':
      return { name: 'CartesianProduct', details: '' };
    case 'hashJoin':
      return { name: 'ValueHashJoin', details: operator.leftKeys.map((key, at) => keyPair(key, operator.rightKeys[at]!)).join(' AND ') };
    case 'unionAll':
      return { name: 'Union', details: operator.variables.join(', ') };
    case 'eager':
      return { name: 'Eager', details: '' };
    case 'create':
      return { name: 'Create', details: operator.items.map(createText).join(', ') };
    case 'merge':
      return { name: 'Merge', details: mergeText(operator) };
    case 'setProperties':
      return { name: 'SetProperty', details: operator.items.map(setText).join(', ') };
    case 'removeItems':
      return { name: 'Remove', details: operator.items.map(removeText).join(', ') };
    case 'delete':
      return { name: operator.detach ? 'DetachDelete' : 'Delete', details: operator.expressions.map(formatExpression).join(', ') };
    case 'foreach':
      return { name: 'Foreach', details: `${operator.variable} IN ${formatExpression(operator.list)}` };
    case 'procedureCall':
      return { name: 'ProcedureCall', details: procedureText(operator) };
    case 'transactionApply':
      return { name: 'TransactionApply', details: `ON ERROR ${operator.onError.toUpperCase()}` };
    case 'loadCsv':
      return { name: 'LoadCSV', details: `${formatExpression(operator.from)} AS ${operator.variable}` };
    case 'schema':
      return { name: 'Schema', details: operator.command.kind };
    case 'show':
      return { name: 'Show', details: operator.what };
    case 'emptyResult':
      return { name: 'EmptyResult', details: '' };
    default:
      return unreachable(operator, 'operator');
  }
}

function describeIndexSeek(operator: NodeIndexSeek): Description {
  return {
    name: operator.unique ? 'NodeUniqueIndexSeek' : 'NodeIndexSeek',
    details: `${operator.variable}:${operator.label}(${operator.keys.join(', ')})${operator.automatic ? ' automatic' : ''} WHERE ${seekText(operator)}`,
  };
}

function seekText({ keys, values, many }: Pick<NodeIndexSeek, 'keys' | 'values' | 'many'>): string {
  return keys.map((key, at) => `${key} ${many ? 'IN' : '='} ${formatExpression(values[at]!)}`).join(' AND ');
}

/** `(a)-[r:KNOWS(since)]->(b)` */
function indexedPattern(operator: RelationshipIndexSeek | RelationshipIndexRange, keys: readonly string[]): string {
  return pattern({ ...operator, length: `(${keys.join(', ')})` });
}

function rangeText({ key, low, high, prefix, area }: Pick<NodeIndexRange, 'key' | 'low' | 'high' | 'prefix' | 'area'>): string {
  const tests = [
    low === null ? null : `${key} ${low.inclusive ? '>=' : '>'} ${formatExpression(low.value)}`,
    high === null ? null : `${key} ${high.inclusive ? '<=' : '<'} ${formatExpression(high.value)}`,
    prefix === null ? null : `${key} STARTS WITH ${formatExpression(prefix)}`,
    area === null ? null : `${key} in ${area.shape} ${formatExpression(area.value)}`,
  ];
  return tests.filter((test) => test !== null).join(' AND ');
}

interface PatternText {
  readonly from: string;
  readonly relationship: string;
  readonly to: string;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  readonly length: string;
}

function pattern({ from, relationship, to, types, direction, length }: PatternText): string {
  const inner = `[${relationship}${types === null ? '' : `:${types.join('|')}`}${length}]`;
  return `(${from})${direction === 'in' ? '<-' : '-'}${inner}${direction === 'out' ? '->' : '-'}(${to})`;
}

const uniqueness = (names: readonly string[]): string => (names.length === 0 ? '' : ` differs from ${names.join(', ')}`);

function expandText(operator: Expand): string {
  return `${pattern({ ...operator, length: '' })}${operator.relationshipBound ? ` with ${operator.relationship} known` : ''}${uniqueness(operator.uniqueAgainst)}`;
}

function lengthText(min: number, max: number | null): string {
  return `*${min}..${max ?? ''}`;
}

function describeVariableExpand(operator: VariableExpand): Description {
  const flags = [
    operator.reversed ? 'reversed' : null,
    operator.relationshipsBound ? `${operator.relationships} known` : null,
    operator.listNeeded ? null : 'ends only',
    operator.distinctEnds ? 'distinct ends' : null,
  ].filter((flag) => flag !== null);
  const text = pattern({ ...operator, relationship: operator.relationships, length: lengthText(operator.min, operator.max) });
  return {
    name:
      operator.quantified !== null ? `Repeat(${operator.into ? 'Into' : 'Trail'})` : `VarLengthExpand(${operator.into ? 'Into' : 'All'})`,
    details: `${text}${stepText(operator.step)}${uniqueness(operator.uniqueAgainst)}${flags.length === 0 ? '' : ` (${flags.join(', ')})`}`,
  };
}

const stepText = (step: VariableExpand['step']): string => (step === null ? '' : ` WHERE EACH ${formatExpression(step.predicate)}`);

function describeShortestPath(operator: ShortestPath): Description {
  const text = pattern({ ...operator, relationship: operator.relationships, length: lengthText(operator.min, operator.max) });
  const predicate = operator.predicate === null ? '' : ` WHERE ${formatExpression(operator.predicate)}`;
  const mode = operator.mode === 'all' ? 'all' : `${operator.count}${operator.mode === 'groups' ? ' groups' : ''}`;
  return { name: 'ShortestPath', details: `${mode} ${text}${stepText(operator.step)}${predicate}` };
}

function describePathSearch({ from, to, mode, count, into, automaton }: PathSearch): Description {
  const wanted = typeof count === 'number' ? count : formatExpression(count);
  const kept = mode === 'all' ? 'all' : `${wanted}${mode === 'groups' ? ' groups' : ''}`;
  const types = [...new Set(automaton.steps.flatMap((step) => step.types ?? ['*']))];
  const tests = [...automaton.nodeTests, ...automaton.stepTests].map(({ predicate }) => formatExpression(predicate));
  const conditions = tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`;
  return {
    name: `PathSearch(${into ? 'Into' : 'All'})`,
    details: `${kept} from (${from}) to (${to}) by ${types.join('|')}, ${automaton.states.length} places${conditions}`,
  };
}

function items(list: readonly { readonly variable: string; readonly expression: PlanExpression }[]): string {
  return list
    .map(({ variable, expression }) => {
      const text = formatExpression(expression);
      return text === variable ? text : `${text} AS ${variable}`;
    })
    .join(', ');
}

function aggregateText({ grouping, aggregations }: Extract<Operator, { kind: 'aggregate' }>): string {
  const results = aggregations.map((each) => {
    const argument = each.function === 'count' && each.arguments.length === 0 ? '*' : each.arguments.map(formatExpression).join(', ');
    return `${each.function}(${each.distinct ? 'DISTINCT ' : ''}${argument}) AS ${each.variable}`;
  });
  return [items(grouping), results.join(', ')].filter((part) => part !== '').join(', ');
}

function sortText(list: readonly { readonly expression: PlanExpression; readonly descending: boolean }[]): string {
  return list.map((item) => `${formatExpression(item.expression)} ${item.descending ? 'DESC' : 'ASC'}`).join(', ');
}

const keyPair = (left: PlanExpression, right: PlanExpression): string => `${formatExpression(left)} = ${formatExpression(right)}`;

function createText(item: CreateNode | CreateRelationship): string {
  const name = (part: string | PlanExpression): string => (typeof part === 'string' ? part : `$(${formatExpression(part)})`);
  const properties = item.properties === null ? '' : ` ${formatExpression(item.properties)}`;
  if (item.kind === 'createNode') return `(${item.variable}${item.labels.map((label) => `:${name(label)}`).join('')}${properties})`;
  return `(${item.source})-[${item.variable}:${name(item.type)}${properties}]->(${item.target})`;
}

function mergeText({ create, onCreate, onMatch }: Extract<Operator, { kind: 'merge' }>): string {
  const parts = [create.map(createText).join(', ')];
  if (onCreate.length > 0) parts.push(`ON CREATE SET ${onCreate.map(setText).join(', ')}`);
  if (onMatch.length > 0) parts.push(`ON MATCH SET ${onMatch.map(setText).join(', ')}`);
  return parts.join(' ');
}

function setText(item: SetItem): string {
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

function removeText(item: RemoveItem): string {
  return item.kind === 'removeProperty' ? formatExpression(item.target) : `${item.variable.name}${labelNames(item.labels)}`;
}

function labelNames(labels: readonly (string | PlanExpression)[]): string {
  return labels.map((label) => (typeof label === 'string' ? `:${label}` : `:$(${formatExpression(label)})`)).join('');
}

function procedureText({ name, arguments: values, yields }: Extract<Operator, { kind: 'procedureCall' }>): string {
  const fields = yields.map((each) => (each.field === each.variable.name ? each.field : `${each.field} AS ${each.variable.name}`));
  return `${name}(${values.map(formatExpression).join(', ')})${fields.length === 0 ? '' : ` YIELD ${fields.join(', ')}`}`;
}

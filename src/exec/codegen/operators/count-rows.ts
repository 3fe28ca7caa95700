/** Counts all nodes of a label, or all relationships of a type, without looking at one: the tables know how many they hold. */
import type { Aggregate, Operator } from '../../../plan/index.ts';
import { isDynamic } from '../../runtime/labels.ts';
import type { Codegen } from '../codegen.ts';

/**
 * Returns JavaScript for the number of rows of the aggregate's input, when all its aggregates count just those rows and
 * the tables know the number; null otherwise.
 */
export function knownRowCount(cg: Codegen, aggregate: Aggregate): string | null {
  const { input } = aggregate;
  const tables = countableTables(cg, input);
  if (tables === null || aggregate.grouping.length > 0 || aggregate.aggregations.length === 0) return null;
  const bound = boundVariables(input);
  const counts = aggregate.aggregations.every(
    ({ function: name, distinct, arguments: operands }) =>
      name === 'count' && !distinct && operands.every((operand) => operand.kind === 'variable' && bound.includes(operand.name)),
  );
  return counts ? `liveRows(${tables})` : null;
}

function countableTables(cg: Codegen, input: Operator): string | null {
  if (!('input' in input) || input.input.kind !== 'argument') return null;
  if (input.kind === 'allNodesScan') return `${cg.viewName}.nodeTables`;
  if (input.kind === 'labelScan') return isDynamic(input.labels) ? null : `reads.tablesWith(${cg.constant(input.labels)})`;
  if (input.kind !== 'relationshipScan' || input.direction === 'both' || input.uniqueAgainst.length > 0) return null;
  return `reads.relationshipTables(${input.types === null ? 'null' : cg.constant(input.types)})`;
}

function boundVariables(input: Operator): readonly string[] {
  if (input.kind === 'allNodesScan' || input.kind === 'labelScan') return [input.variable];
  return input.kind === 'relationshipScan' ? [input.relationship, input.from, input.to] : [];
}

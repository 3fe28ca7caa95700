/** Compiles label tests on nodes. */
import type { LabelExpression } from '../../../cypher/index.ts';
import { dynamicLabels } from '../../runtime/labels.ts';
import type { Codegen, Environment } from '../codegen.ts';
import type { Typed } from '../typed.ts';
import { compileExpression } from './expression.ts';
import { isInTable, tableOf } from './node-table.ts';
import { toValue } from './to-value.ts';

/** Returns a condition that is true when a node, which is not null, satisfies the label expression. */
export function compileLabelTest(cg: Codegen, environment: Environment, node: Typed, labels: LabelExpression): string {
  const wanted = cg.tablesOf(labels);
  if (wanted === null) {
    return `reads.hasLabels(${node.code}, ${cg.constant(labels)}, ${dynamicNames(cg, environment, labels)})`;
  }
  const known = node.node?.tables ?? null;
  if (known !== null) {
    if (known.every((table) => wanted.includes(table))) return 'true';
    if (known.every((table) => !wanted.includes(table))) return 'false';
  }
  if (wanted.length === 0) return 'false';
  if (wanted.length === 1) return isInTable(cg, node, wanted[0]!);
  const table = tableOf(cg, node);
  const mask = new Uint8Array(cg.shape.nodeTableCount());
  for (const index of wanted) mask[index] = 1;
  return `${cg.constant(mask)}[${table}] === 1`;
}

/** Returns a local with the names that each `$(…)` in the expression stands for, in order; `null` where there is none. */
export function dynamicNames(cg: Codegen, environment: Environment, labels: LabelExpression): string {
  const parts = dynamicLabels(labels);
  if (parts.length === 0) return 'null';
  const names = parts.map((part) => `namesOfLabels([${toValue(compileExpression(cg, environment, part.expression))}])`);
  return cg.f.local('names', `[${names.join(', ')}]`);
}

/** Returns the node as it is known once a label test has held: it is not null, and in fewer tables. */
export function refine(cg: Codegen, node: Typed, labels: LabelExpression): Typed {
  const wanted = cg.tablesOf(labels);
  if (wanted === null || node.node === undefined) return node;
  const known = node.node.tables;
  return {
    ...node,
    valid: null,
    node: { ...node.node, tables: known === null ? wanted : known.filter((table) => wanted.includes(table)) },
  };
}

/** Label tests on nodes. */
import type { LabelExpression } from '../../../cypher/index.ts';
import { dynamicLabels } from '../../runtime/labels.ts';
import type { Codegen, Environment } from '../codegen.ts';
import type { Typed } from '../typed.ts';
import { toValue } from './access.ts';
import { compileExpression } from './expression.ts';

/** A condition over a node that is not null. */
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

/** A condition: the node, which is not null, is in that table. Where the ordinals of a table are one range, or a few, and no node has moved, they tell it; nothing is read. */
export function isInTable(cg: Codegen, node: Typed, table: number): string {
  const isPlain = node.node!.table === null && !cg.generic && !cg.shape.hasVersionedNodes();
  const isListed = isPlain && cg.shape.ordinals(table) === 'listed';
  if (isListed && cg.shape.ordinalRanges(table) > 0) {
    const tests = rangesOf(cg, table).map(({ first, limit }) => `${node.code} >= ${first} && ${node.code} < ${limit}`);
    return tests.length === 1 ? tests[0]! : `(${tests.join(' || ')})`;
  }
  if (!isPlain || isListed) return `${tableOf(cg, node)} === ${table}`;
  const name = cg.nodeTable(table);
  const base = cg.f.hoist(`base:${table}`, 'base', `${name}.ordinalBase`);
  const limit = cg.f.hoist(`limit:${table}`, 'limit', `${base} + ${name}.rowCount`);
  return cg.shape.ordinals(table) === 'equal' ? `${node.code} < ${limit}` : `${node.code} >= ${base} && ${node.code} < ${limit}`;
}

interface RangeCode {
  readonly first: string;
  readonly limit: string;
  readonly base: string;
}

/** The ranges of a listed table, ascending, in locals. */
export function rangesOf(cg: Codegen, table: number): readonly RangeCode[] {
  const ranges = cg.f.hoist(`ranges:${table}`, 'ranges', `ordinalRanges(${cg.nodeTable(table)})`);
  return Array.from({ length: cg.shape.ordinalRanges(table) }, (_, i) => {
    const field = (name: keyof RangeCode): string => cg.f.hoist(`${ranges}.${i}.${name}`, name, `${ranges}[${i}].${name}`);
    return { first: field('first'), limit: field('limit'), base: field('base') };
  });
}

export function tableOf(cg: Codegen, node: Typed): string {
  if (node.node!.table !== null) return node.node!.table;
  const ordinal = node.code;
  return cg.f.memo(`tableOf:${ordinal}`, () => {
    const plain = `${cg.viewField('nodeTableOf')}[${ordinal}]`;
    if (!cg.generic && !cg.shape.hasVersionedNodes()) return cg.f.later('tab', plain);
    const versioned = cg.viewField('nodeVersioned');
    const tested = `(${versioned}[${ordinal} >> 3] >> (${ordinal} & 7)) & 1 ? reads.tableOf(${ordinal}) : ${plain}`;
    return cg.generic ? cg.f.local('tab', tested) : cg.f.later('tab', tested);
  });
}

/** The names that every `$(…)` in the expression stands for, in order; `null` where there is none. */
export function dynamicNames(cg: Codegen, environment: Environment, labels: LabelExpression): string {
  const parts = dynamicLabels(labels);
  if (parts.length === 0) return 'null';
  const names = parts.map((part) => `namesOfLabels([${toValue(compileExpression(cg, environment, part.expression))}])`);
  return cg.f.local('names', `[${names.join(', ')}]`);
}

/** What is known of a node once the test held. */
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

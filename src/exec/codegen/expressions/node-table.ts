/** Writes the code that tells in which table a node lies. */
import type { Codegen } from '../codegen.ts';
import type { Typed } from '../typed.ts';

/** The entry of a view's directory for a node that is in no table. */
const NO_TABLE = 0xffff;

/**
 * Returns a condition that is true when the node, which is not null, is in that table. Where no node has moved, and the
 * ordinals of the table are one range or a few, the ordinal alone decides and nothing is read.
 */
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

/** Binds the ranges of a table that lists its ordinals to locals, in ascending order. */
export function rangesOf(cg: Codegen, table: number): readonly RangeCode[] {
  const ranges = cg.f.hoist(`ranges:${table}`, 'ranges', `ordinalRanges(${cg.nodeTable(table)})`);
  return Array.from({ length: cg.shape.ordinalRanges(table) }, (_, i) => {
    const field = (name: keyof RangeCode): string => cg.f.hoist(`${ranges}.${i}.${name}`, name, `${ranges}[${i}].${name}`);
    return { first: field('first'), limit: field('limit'), base: field('base') };
  });
}

/** JavaScript that gives the index of the table that the node, which is not null, is in. */
export function tableOf(cg: Codegen, node: Typed): string {
  if (node.node!.table !== null) return node.node!.table;
  const ordinal = node.code;
  return cg.f.memo(`tableOf:${ordinal}`, () => {
    const entry = `${cg.viewField('nodeTableOf')}[${ordinal}]`;
    // Where files hold nodes that were not loaded, one that the directory does not know must be asked for: that fails
    // loudly, or it is no node.
    const plain = cg.generic || cg.shape.hasUnloadedNodes() ? `(${entry} === ${NO_TABLE} ? reads.tableOf(${ordinal}) : ${entry})` : entry;
    if (!cg.generic && !cg.shape.hasVersionedNodes()) return cg.f.later('tab', plain);
    const versioned = cg.viewField('nodeVersioned');
    const tested = `(${versioned}[${ordinal} >> 3] >> (${ordinal} & 7)) & 1 ? reads.tableOf(${ordinal}) : ${plain}`;
    return cg.generic ? cg.f.local('tab', tested) : cg.f.later('tab', tested);
  });
}

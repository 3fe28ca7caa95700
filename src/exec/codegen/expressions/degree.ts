/** Compiles `COUNT { (n)-[:T]->() }` to the length of a list, instead of a walk along it. */
import type { Expand, Operator } from '../../../plan/index.ts';
import { neighbourTables } from '../adjacency-arrays.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { nodeOf } from '../environment.ts';
import { LONGEST_SHORT_LIST } from '../shape.ts';
import type { Typed } from '../typed.ts';

/**
 * Returns the expand below a filter that keeps all its rows: one by labels that every neighbour has, as far as the type
 * tells. Any other plan is returned as it is.
 */
function expandOf(cg: Codegen, plan: Operator): Operator {
  if (plan.kind !== 'filter' || plan.input.kind !== 'expand' || plan.predicate.kind !== 'hasLabels') return plan;
  const { subject, labels } = plan.predicate;
  if (subject.kind !== 'variable' || subject.name !== plan.input.to) return plan;
  const tables = neighbourTables(cg, plan.input);
  const wanted = cg.tablesOf(labels);
  return tables !== null && wanted !== null && tables.every((table) => wanted.includes(table)) ? plan.input : plan;
}

/** Compiles the number of relationships of one node; null when the plan counts something else. */
export function compileDegree(cg: Codegen, environment: Environment, counted: Operator): Typed | null {
  const plan = expandOf(cg, counted);
  if (plan.kind !== 'expand' || plan.into || plan.relationshipBound || plan.uniqueAgainst.length > 0 || plan.input.kind !== 'argument')
    return null;
  const from = nodeOf(cg, environment, plan.from);
  if (from === null) return { type: 'integer', code: '0', valid: null, most: 0 };
  const offsets = fromOffsets(cg, plan, from);
  const degree =
    offsets?.code ??
    `reads.degree(${from.code}, ${plan.types === null ? 'null' : cg.constant(plan.types)}, ${cg.constant(plan.direction)})`;
  return {
    type: 'integer',
    code: cg.f.local('degree', from.valid === null ? degree : `(${from.valid} ? ${degree} : 0)`),
    valid: null,
    small: true,
    most: offsets?.most,
  };
}

/**
 * Returns the difference of two offsets, and the most that it can be; null unless there is one type and one direction,
 * and no relationship is ended or in the log.
 */
function fromOffsets(
  cg: Codegen,
  expand: Expand,
  { code: node, node: facts }: Typed,
): { readonly code: string; readonly most: number | undefined } | null {
  if (cg.generic || expand.types === null || expand.types.length !== 1 || expand.direction === 'both') return null;
  const type = cg.shape.typeId(expand.types[0]!);
  if (type < 0) return { code: '0', most: 0 };
  const out = expand.direction === 'out';
  if (cg.shape.hasEndedRelationships(type) || cg.shape.hasLog(type, expand.direction)) return null;
  const tableName = cg.f.hoist(`reltable:${type}`, 'rt', `${cg.viewName}.relationshipTables[${type}]`);
  const adjacency = cg.f.hoist(`${tableName}.${expand.direction}`, 'adj', `${tableName}.${out ? 'outgoing' : 'incoming'}`);
  const field = (name: string, prefix: string): string => cg.f.hoist(`${adjacency}.${name}`, prefix, `${adjacency}.${name}`);
  const [base, limit, offsets] = [field('base', 'base'), field('limit', 'limit'), field('offsets', 'off')];
  const length = `${offsets}[${node} - ${base} + 1] - ${offsets}[${node} - ${base}]`;
  const tables = facts?.tables ?? null;
  const isCovered = tables !== null && cg.shape.covers(type, expand.direction, tables);
  const code = isCovered ? `(${length})` : `(${node} >= ${base} && ${node} < ${limit} ? ${length} : 0)`;
  return { code, most: cg.shape.hasShortLists(type, expand.direction) ? LONGEST_SHORT_LIST : undefined };
}

/**
 * Each fact by which something states a requirement: entries of the tables of operators, expressions, functions,
 * procedures and results. The tables are watched: what states something is noted, and the one fact that is planted as a
 * mistake says nothing.
 */

import { builtInProcedures } from '../../src/exec/index.ts';
import { RESULT_LOADS } from '../../src/exec/requirements/result-loads.ts';
import { describedFunctions, functionNamed } from '../../src/functions/index.ts';
import { ARGUMENT_LOADS } from '../../src/plan/expressions/kinds/calls.ts';
import { EXPRESSION_FACTS } from '../../src/plan/expressions/table.ts';
import type { Load, Operator } from '../../src/plan/index.ts';
import { noLoads } from '../../src/plan/operators/kinds/nothing.ts';
import { factsOf, operatorKinds } from '../../src/plan/operators/kinds/table.ts';

/** The loads that each kind of operator may state; kinds that are left out state nothing. */
const OPERATOR_LOADS: { readonly [Kind in Operator['kind']]?: readonly Load['kind'][] } = {
  allNodesScan: ['everyNode'],
  labelScan: ['label', 'everyNode'],
  nodeByIdSeek: ['identifiers'],
  nodeIndexSeek: ['label', 'keys'],
  nodeIndexRange: ['label', 'keys'],
  relationshipScan: ['types', 'ends'],
  relationshipByIdSeek: ['types'],
  relationshipIndexSeek: ['types', 'keys'],
  relationshipIndexRange: ['types', 'keys'],
  expand: ['types', 'ends'],
  multiwayJoin: ['types'],
  variableExpand: ['types', 'ends'],
  shortestPath: ['types'],
  pathSearch: ['types'],
  project: ['value'],
  unwind: ['value'],
  aggregate: ['value', 'aggregation'],
  create: ['createdNode', 'createdRelationship', 'identifiers'],
  merge: ['createdNode', 'createdRelationship', 'identifiers', 'changed'],
  setProperties: ['changed', 'properties'],
  removeItems: ['changed'],
  delete: ['types', 'changed'],
  foreach: ['value'],
  procedureCall: ['call'],
  loadCsv: ['value'],
  show: ['value'],
};

/** One rule for all procedures that take a graph. */
const PROJECTING = 'procedures that project';

/** Names of facts that were asked for since it was emptied. */
export const stated = new Set<string>();
let planted: string | null = null;

/** While it runs, the fact says nothing. */
export async function withoutFact<T>(name: string, run: () => Promise<T>): Promise<T> {
  planted = name;
  try {
    return await run();
  } finally {
    planted = null;
  }
}

function isSaid(name: string): boolean {
  stated.add(name);
  return name !== planted;
}

type Loads = (one: unknown) => readonly { readonly kind: string }[];

function watch(table: object, key: string, nameOf: (one: never, load: string) => string): void {
  const entries = table as Record<string, Loads>;
  const original = entries[key]!;
  entries[key] = (one) => original(one).filter((load) => isSaid(nameOf(one as never, load.kind)));
}

/** Watches all tables. @returns the names of all facts that state something */
export function watchFacts(): string[] {
  const names: string[] = [];
  for (const kind of operatorKinds) {
    const facts = factsOf({ kind } as Operator);
    if ((facts.loads as unknown) === noLoads) continue;
    watch(facts, 'loads', (_: Operator, load) => `operator ${kind}: ${load}`);
    names.push(...(OPERATOR_LOADS[kind] ?? ['nothing that this test knows of']).map((load) => `operator ${kind}: ${load}`));
  }
  for (const [kind, facts] of Object.entries(EXPRESSION_FACTS)) {
    if (kind === 'function' || facts.loads === null) continue;
    watch(facts, 'loads', () => `expression ${kind}`);
    names.push(`expression ${kind}`);
  }
  watch(EXPRESSION_FACTS.function, 'loads', ({ name }: { readonly name: string }) => `function ${functionNamed(name)?.name}`);
  for (const { name, facts } of describedFunctions) {
    if (ARGUMENT_LOADS[facts.reads] !== ARGUMENT_LOADS.nothing) names.push(`function ${name}`);
  }
  watch(RESULT_LOADS, 'column', () => 'result column');
  names.push('result column');
  names.push(PROJECTING);
  for (const procedure of builtInProcedures.filter(({ projects }) => projects === true))
    Object.defineProperty(procedure, 'projects', { get: () => (isSaid(PROJECTING) ? true : undefined) });
  for (const procedure of builtInProcedures) {
    const { scans } = procedure;
    if (scans === undefined) continue;
    const name = `procedure ${procedure.name}`;
    Object.defineProperty(procedure, 'scans', { get: () => (isSaid(name) ? scans : undefined) });
    names.push(name);
  }
  return names;
}

/**
 * Selects the conditions of a filter over a scan that are tested for a morsel of rows before any row is looked at
 * (`exec/scan/`): those that compare a property of the scanned node with a value that does not change. Only the first
 * conditions of a filter are taken, up to one of another kind: a later condition must not keep an earlier one from
 * failing.
 */
import type { ComparisonOperator } from '../../../cypher/index.ts';
import type { AllNodesScan, LabelScan, Operator, PlanExpression } from '../../../plan/index.ts';
import { isDynamic } from '../../runtime/labels.ts';
import type { RowTest } from '../../scan/row-filters.ts';
import type { Codegen } from '../codegen.ts';
import { compileExpression } from '../expressions/expression.ts';
import { toValue } from '../expressions/to-value.ts';
import type { Typed } from '../typed.ts';
import { scannedTables } from './leaves.ts';

/** A filter over a scan, divided into the conditions that are tested for morsels and for rows. */
export interface Selection {
  readonly scan: AllNodesScan | LabelScan;
  /** Locals with `RowFilters`. */
  readonly filters: readonly string[];
  /**
   * The conditions of the filters that have to be tested again, for each row that is left, when the filters are not
   * exact; without those whose filters are always exact.
   */
  readonly tested: readonly PlanExpression[];
  /** The conditions without a filter, which have to be tested for each row that is left. */
  readonly rest: readonly PlanExpression[];
}

interface Test {
  readonly key: string;
  readonly test: RowTest;
  readonly value: Typed;
}

/** Returns the selection of a scan; null when the first condition cannot be tested for morsels, or the code is generic or profiled. */
export function selectionOf(cg: Codegen, scan: Operator, conjuncts: readonly PlanExpression[]): Selection | null {
  if (cg.generic || cg.profile || (scan.kind !== 'labelScan' && scan.kind !== 'allNodesScan')) return null;
  if (scan.kind === 'labelScan' && isDynamic(scan.labels)) return null;
  const tests: Test[] = [];
  for (const conjunct of conjuncts) {
    const test = testOf(cg, scan.variable, conjunct);
    if (test === null) break;
    tests.push(test);
  }
  if (tests.length === 0) return null;
  const tested = conjuncts.filter((_, i) => i < tests.length && !isAlwaysExact(cg, scan, tests[i]!));
  return { scan, filters: together(tests).map((same) => filtersOf(cg, same)), tested, rest: conjuncts.slice(tests.length) };
}

/** Groups the tests by filter: all bounds of one property are one filter. */
function together(tests: readonly Test[]): Test[][] {
  const groups: Test[][] = [];
  for (const test of tests) {
    const same = isBound(test) ? groups.find(([first]) => first!.key === test.key && isBound(first!)) : undefined;
    if (same === undefined) groups.push([test]);
    else same.push(test);
  }
  return groups;
}

function isBound({ test }: Test): boolean {
  return test !== 'contains' && test !== 'startsWith';
}

function filtersOf(cg: Codegen, tests: readonly Test[]): string {
  const key = cg.shape.keyId(tests[0]!.key);
  const names = cg.constant(tests.map(({ test }) => test));
  const values = tests.map(({ value }) => toValue(value)).join(', ');
  return cg.f.hoist(`filters:${names}:${values}`, 'filters', `new RowFilters(${key}, ${names}, [${values}], graph.readsSnapshot)`);
}

const TURNED: Readonly<Record<'=' | '<' | '<=' | '>' | '>=', RowTest>> = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function testOf(cg: Codegen, variable: string, condition: PlanExpression): Test | null {
  if (condition.kind === 'binary') {
    const { operator, left, right } = condition;
    return operator === 'startsWith' || operator === 'contains' ? made(cg, variable, operator, left, right) : null;
  }
  if (condition.kind !== 'comparison' || condition.operators.length !== 1) return null;
  const operator: ComparisonOperator = condition.operators[0]!;
  if (operator === '<>') return null;
  const [left, right] = [condition.operands[0]!, condition.operands[1]!];
  return made(cg, variable, operator, left, right) ?? made(cg, variable, TURNED[operator], right, left);
}

function made(cg: Codegen, variable: string, test: RowTest, property: PlanExpression, value: PlanExpression): Test | null {
  if (property.kind !== 'property' || property.subject.kind !== 'variable' || property.subject.name !== variable) return null;
  if (property.key === '_id' || !isFixed(value)) return null;
  // An expression that fails is to fail where a row is compared with its value, not here.
  const { result } = cg.f.capture(() => compileExpression(cg, new Map(), value));
  return result.hoisted === true || result.constant === true ? { key: property.key, test, value: result } : null;
}

function isFixed(value: PlanExpression): boolean {
  if (value.kind === 'function') return value.arguments.length > 0 && value.arguments.every(isFixed);
  return value.kind === 'literal' || value.kind === 'parameter';
}

/** Tells whether the filter of a test is always exact: it looks for a string in columns that hold strings alone. */
function isAlwaysExact(cg: Codegen, scan: AllNodesScan | LabelScan, { key, test, value }: Test): boolean {
  if (value.type !== 'string' || (test !== 'contains' && test !== 'startsWith')) return false;
  return scannedTables(cg, scan)!.every((table) => {
    const column = cg.shape.nodeColumn(table, key);
    return column === null || column.kind === 'string' || column.kind === 'dictionary';
  });
}

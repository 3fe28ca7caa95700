/**
 * The state of one aggregate: counts and sums of typed columns in plain numbers, everything else in an accumulator of the function library.
 *
 * Without grouping there is one group, and what can be kept in one number (a *register*) is: it is settled into the state when the input has ended.
 */
import type { Aggregate } from '../../../plan/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { toValue } from '../expressions/access.ts';
import { compileExpression } from '../expressions/expression.ts';
import { any, type Typed } from '../typed.ts';
import { MULTIPLICITY } from './close-edge.ts';

type Aggregation = Aggregate['aggregations'][number];

export interface AccumulatorCode {
  /** JavaScript that makes the state. */
  readonly initial: string;
  result(state: string, group: string): Typed;
  /** Takes the register into the state. */
  readonly settle?: (state: string, register: string) => string;
}

export interface Accumulation {
  readonly aggregation: Aggregation;
  /** Constant with the function's name. */
  readonly name: string;
  readonly state: string;
  readonly group: string;
  /** When there is only one group. */
  readonly register: Register | null;
}

/** A number that begins as 0. */
export interface Register {
  readonly code: string;
  /** Of the block that it stands in. */
  readonly depth: number;
}

const LARGEST = String(Number.MAX_SAFE_INTEGER);

/** The input can have no rows: the aggregates of nothing. */
export function unreached(name: string, aggregation: Aggregation): AccumulatorCode {
  return isCount(aggregation) && !aggregation.distinct ? counting(false) : general(name, aggregation);
}

function isCount(aggregation: Aggregation): boolean {
  return aggregation.function.toLowerCase() === 'count';
}

/** Writes what a row adds. */
export function accumulate(cg: Codegen, environment: Environment, one: Accumulation): AccumulatorCode {
  const { aggregation, state, group } = one;
  const operands = aggregation.arguments;
  if (operands.length === 0) return countRow(cg, one, null, environment.get(MULTIPLICITY)?.code);
  const first = compileExpression(cg, environment, operands[0]!);
  if (isCount(aggregation) && !aggregation.distinct) {
    if (first.type === 'null') return counting(false);
    return countRow(cg, one, first.type === 'any' ? `${first.code} !== null` : first.valid);
  }
  if (isCount(aggregation) && first.type === 'node') return countNodes(cg, one, first);
  const typed = aggregation.distinct ? null : typedState(cg, one, first);
  if (typed !== null) return typed;
  const rest = operands.slice(1).map((operand) => toValue(compileExpression(cg, environment, operand)));
  cg.f.emit(`${state}.add(${[group, toValue(first), ...rest].join(', ')});`);
  return general(one.name, aggregation);
}

function general(name: string, aggregation: Aggregation): AccumulatorCode {
  return {
    initial: `new Accumulators(rt, ${name}, ${aggregation.distinct})`,
    result: (state, group) => any(`${state}.result(${group})`),
  };
}

function counting(registered: boolean): AccumulatorCode {
  return {
    initial: 'new Counts()',
    result: (state, group) => ({ type: 'integer', code: `${state}.get(${group})`, valid: null, small: true }),
    ...(registered ? { settle: (state: string, register: string) => `${state}.add(0, ${register});` } : {}),
  };
}

function countRow(cg: Codegen, { state, group, register }: Accumulation, present: string | null, times = '1'): AccumulatorCode {
  const count = register === null ? `${state}.add(${group}, ${times});` : `${partOf(cg, register)} += ${times};`;
  cg.f.emit(present === null ? count : `if (${present}) ${count}`);
  return counting(register !== null);
}

/** What the innermost list adds, in a local of its own: V8 keeps it in a register of the processor. The register itself where that cannot be. */
function partOf(cg: Codegen, { code, depth }: Register): string {
  const part = cg.f.fresh('part');
  return cg.f.aroundLoop(depth, `let ${part} = 0;`, `${code} += ${part};`) ? part : code;
}

function countNodes(cg: Codegen, { state, group }: Accumulation, node: Typed): AccumulatorCode {
  const add = `${state}.add(${group}, ${node.code});`;
  cg.f.emit(node.valid === null ? add : `if (${node.valid}) ${add}`);
  return {
    initial: 'new DistinctNodeCounts(rt)',
    result: (name, one) => ({ type: 'integer', code: `${name}.get(${one})`, valid: null, small: true }),
  };
}

/** Sums and means of typed columns. null: the general accumulator it is. */
function typedState(cg: Codegen, one: Accumulation, value: Typed): AccumulatorCode | null {
  const name = one.aggregation.function.toLowerCase();
  if (name !== 'sum' && name !== 'avg') return null;
  if (value.type === 'integer') {
    if (name === 'sum' && one.register !== null) return registeredSum(cg, { ...one, register: one.register }, value);
    if (name !== 'avg' || one.register === null || !addToPart(cg, one, one.register, value)) addTyped(cg, one, value);
    if (name === 'avg') return { initial: 'new Averages(new IntegerSums())', result: (state, group) => any(`${state}.get(${group})`) };
    return { initial: 'new IntegerSums()', result: (state, group) => ({ type: 'integer', code: `${state}.get(${group})`, valid: null }) };
  }
  if (value.type !== 'float') return null;
  addTyped(cg, one, value);
  const initial = name === 'sum' ? 'new FloatSums()' : 'new Averages(new FloatSums())';
  return { initial, result: (state, group) => any(`${state}.get(${group})`) };
}

function addTyped(cg: Codegen, { state, group }: Accumulation, value: Typed): void {
  const add = `${state}.add(${group}, ${value.code});`;
  cg.f.emit(value.valid === null ? add : `if (${value.valid}) ${add}`);
}

/** A mean: what the innermost list adds, and how often, in locals. False where that cannot be, or a value may be a bigint; then nothing was written. */
function addToPart(cg: Codegen, { state }: Accumulation, register: Register, value: Typed): boolean {
  if (value.small !== true) return false;
  const part = cg.f.fresh('part');
  const times = cg.f.fresh('times');
  const after = `if (${times} > 0) ${state}.addPart(0, ${part}, ${times});`;
  if (!cg.f.aroundLoop(register.depth, `let ${part} = 0, ${times} = 0;`, after)) return false;
  if (value.valid !== null) cg.f.open(`if (${value.valid}) {`);
  const added = cg.f.local('v', value.code);
  const isSafe = `${part} + ${added} <= ${LARGEST} && ${part} + ${added} >= -${LARGEST}`;
  cg.f.emit(
    `if (${isSafe}) { ${part} += ${added}; ${times}++; } else { ${state}.addPart(0, ${part}, ${times}); ${part} = ${added}; ${times} = 1; }`,
  );
  if (value.valid !== null) cg.f.close();
  return true;
}

/** The register holds what is safe; before it would overflow it is settled. A value that is no number, but a bigint, goes into the state at once. */
function registeredSum(cg: Codegen, { state, register }: Accumulation & { register: Register }, value: Typed): AccumulatorCode {
  const part = cg.f.fresh('part');
  const isPart = cg.f.aroundLoop(register.depth, `let ${part} = 0;`, addSafely(state, register.code, part));
  if (value.valid !== null) cg.f.open(`if (${value.valid}) {`);
  const added = cg.f.local('v', value.code);
  const add = addSafely(state, isPart ? part : register.code, added);
  cg.f.emit(value.small === true ? add : `if (isNumber(${added})) { ${add} } else ${state}.add(0, ${added});`);
  if (value.valid !== null) cg.f.close();
  return {
    initial: 'new IntegerSums()',
    result: (name, group) => ({ type: 'integer', code: `${name}.get(${group})`, valid: null }),
    settle: (name, local) => `${name}.add(0, ${local});`,
  };
}

function addSafely(state: string, into: string, value: string): string {
  return `if (${into} + ${value} <= ${LARGEST} && ${into} + ${value} >= -${LARGEST}) ${into} += ${value}; else { ${state}.add(0, ${into}); ${into} = ${value}; }`;
}

/**
 * The state of one aggregate: counts and sums of typed columns in plain numbers, everything else in an accumulator of the function library.
 *
 * Without grouping there is one group, and what can be kept in one number (a *register*) is: it is settled into the
 * state when the input has ended.
 */
import type { AggregateName } from '../../../functions/index.ts';
import type { Aggregate } from '../../../plan/index.ts';
import { aggregates, MEAN_SCALE } from '../../functions/index.ts';
import { SELECTED_ROWS } from '../../scan/morsel.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { compileExpression } from '../expressions/expression.ts';
import { toValue } from '../expressions/to-value.ts';
import { any, isAtMost, LARGEST_INT32, type Typed } from '../typed.ts';
import { MULTIPLICITY } from './close-edge.ts';

type Aggregation = Aggregate['aggregations'][number];

/** The code of an aggregate's state. */
export interface AccumulatorCode {
  /** JavaScript that makes the state. */
  readonly initial: string;
  result(state: string, group: string, groups: string): Typed;
  /** Its values are sorted before a result is asked for. */
  readonly sorts?: boolean;
  /** Takes the register into the state. */
  readonly settle?: (state: string, register: string) => string;
}

/** An aggregate with its state in the generated code. */
export interface Accumulation {
  readonly aggregation: Aggregation;
  /** Constant with the function's name. */
  readonly name: string;
  readonly state: string;
  readonly group: string;
  /** When there is only one group. */
  readonly register: Register | null;
  /** Where groups are found in an array: what the states keep, as arrays of this function. */
  readonly arrays: GroupArrays | null;
  /** The field of the groups that counts their rows; null: none does. */
  readonly rowCounts: string | null;
}

/** Arrays by group, of states. Each has room for every group that the code around meets. */
export interface GroupArrays {
  /** A local with the array that stands in a field of the state. */
  of(state: string, field: string): string;
}

/** A number that begins as 0. */
export interface Register {
  readonly code: string;
  /** The depth of the block that it stands in. */
  readonly depth: number;
  /** The state is one for the whole run. */
  readonly isAlone: boolean;
}

const LARGEST = String(Number.MAX_SAFE_INTEGER);
/** So many of these as a scan has at a time add up to a safe integer. */
const LARGEST_OF_MORSEL = Number.MAX_SAFE_INTEGER / SELECTED_ROWS;

/** The input can have no rows: the aggregates of nothing. */
export function unreached(name: string, aggregation: Aggregation): AccumulatorCode {
  return isCount(aggregation) && !aggregation.distinct ? counting(false) : general(name, aggregation);
}

function isCount(aggregation: Aggregation): boolean {
  return aggregation.function === 'count';
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
  if (isCount(aggregation)) {
    if (first.type === 'node')
      return one.register === null ? countDistinct(cg, one, 'DistinctNodeCounts', first) : countNodes(cg, one, first);
    const key = distinctKey(first);
    if (key !== null) return countDistinct(cg, one, 'DistinctIntegerCounts', key);
  }
  const typed = aggregation.distinct ? null : (TYPED_STATES[aggregation.function]?.(cg, one, first) ?? null);
  if (typed !== null) return typed;
  const rest = operands.slice(1).map((operand) => toValue(compileExpression(cg, environment, operand)));
  cg.f.emit(`${state}.add(${[group, toValue(first), ...rest].join(', ')});`);
  return general(one.name, aggregation);
}

function general(name: string, aggregation: Aggregation): AccumulatorCode {
  const { facts, create } = aggregates[aggregation.function];
  const { unsorted, finish } = create();
  return {
    initial: `new Accumulators(values, memory, ${name}, ${aggregation.distinct}${facts.usesCatalog === true ? ', catalog' : ''})`,
    result: (state, group) => any(`${state}.result(${group})`),
    sorts: unsorted !== undefined || finish !== undefined,
  };
}

function counting(registered: boolean): AccumulatorCode {
  return {
    initial: 'new Counts()',
    result: (state, group) => ({ type: 'integer', code: `${state}.get(${group})`, valid: null, small: true }),
    ...(registered ? { settle: (state: string, register: string) => `${state}.add(0, ${register});` } : {}),
  };
}

function countRow(cg: Codegen, { state, group, register, arrays }: Accumulation, present: string | null, times = '1'): AccumulatorCode {
  if (register !== null && present === null && times === '1') {
    cg.f.increment(partOf(cg, register));
    return counting(true);
  }
  const added = arrays === null ? `${state}.add(${group}, ${times});` : `${arrays.of(state, 'counts')}[${group}] += ${times};`;
  const count = register === null ? added : `${partOf(cg, register)} += ${times};`;
  cg.f.emit(present === null ? count : `if (${present}) ${count}`);
  return counting(register !== null);
}

/**
 * Returns a local for the part that the innermost list adds: V8 keeps it in a register of the processor. The register
 * itself where that cannot be.
 */
function partOf(cg: Codegen, { code, depth }: Register): string {
  const part = cg.f.fresh('part');
  return cg.f.aroundLoop(depth, `let ${part} = 0;`, `${code} += ${part};`) ? part : code;
}

/** Returns JavaScript that is equal exactly where the values' integers are. */
function distinctKey(value: Typed): { readonly code: string; readonly valid: string | null } | null {
  if (value.day !== undefined) return value.day;
  if (value.dictionary !== undefined) return { code: value.dictionary.code, valid: value.valid };
  return value.type === 'integer' && value.small === true ? value : null;
}

function countDistinct(
  cg: Codegen,
  { state, group }: Accumulation,
  counts: 'DistinctNodeCounts' | 'DistinctIntegerCounts',
  { code, valid }: Pick<Typed, 'code' | 'valid'>,
  made = `new ${counts}(memory)`,
): AccumulatorCode {
  const add = `${state}.add(${group}, ${code});`;
  cg.f.emit(valid === null ? add : `if (${valid}) ${add}`);
  return {
    initial: made,
    result: (name, one) => ({ type: 'integer', code: `${name}.get(${one})`, valid: null, small: true }),
  };
}

/** Without groups. A run without duplicates is handed over whole where nothing is asked of its nodes. */
function countNodes(cg: Codegen, one: Accumulation, node: Typed): AccumulatorCode {
  const made = 'new DistinctNodeCount(memory, graph.view.nodeLimit)';
  const isWhole =
    node.valid === null &&
    cg.f.insteadOfLoop(node.code, ({ array, position, end }, run) =>
      cg.f.emit(`${one.state}.addRun(${run}, ${array}, ${position}, ${end});`),
    );
  if (!isWhole) return countDistinct(cg, one, 'DistinctNodeCounts', node, made);
  return { initial: made, result: (name, group) => ({ type: 'integer', code: `${name}.get(${group})`, valid: null, small: true }) };
}

/**
 * min() and max() of numbers and days. A NaN comes after all other numbers; of those that are equal the first stays.
 * null: it is something else.
 */
function extreme(cg: Codegen, { state, group, arrays }: Accumulation, value: Typed, isLeast: boolean): AccumulatorCode | null {
  const isFloat = value.type === 'float';
  const read = value.day ?? (isFloat || (value.type === 'integer' && value.small === true) ? value : null);
  if (read === null) return null;
  const [values, has] = ['values', 'has'].map(
    (field) => arrays?.of(state, field) ?? cg.f.hoist(`${state}.${field}`, 'a', `${state}.${field}`),
  );
  if (read.valid !== null) cg.f.open(`if (${read.valid}) {`);
  const one = cg.f.local('v', read.code);
  const [first, second] = isLeast ? [one, `${values}[${group}]`] : [`${values}[${group}]`, one];
  const nan = isFloat ? ` || (${second} !== ${second} && ${first} === ${first})` : '';
  cg.f.emit(`if (${first} < ${second} || ${has}[${group}] === 0${nan}) { ${values}[${group}] = ${one}; ${has}[${group}] = 1; }`);
  if (read.valid !== null) cg.f.close();
  const kept = value.day !== undefined ? 'date' : isFloat ? 'float' : 'integer';
  return { initial: 'new Extremes()', result: (name, at) => any(`${name}.${kept}(${at})`) };
}

/** Kept as numbers in arrays or registers where the types allow it; null: the general accumulator it is. */
type TypedState = (cg: Codegen, one: Accumulation, value: Typed) => AccumulatorCode | null;

/** Beside counts. An aggregate that is not here is kept by its accumulator. */
const TYPED_STATES: Readonly<Partial<Record<AggregateName, TypedState>>> = {
  sum: typedSum,
  avg: typedMean,
  min: (cg, one, value) => typedExtreme(cg, one, value, true),
  max: (cg, one, value) => typedExtreme(cg, one, value, false),
};

/** Tells whether an aggregate can keep plain numbers. */
export function hasTypedState(name: AggregateName): boolean {
  return name === 'count' || TYPED_STATES[name] !== undefined;
}

/** Without groups, what a sub-plan adds up is made anew for each row around it. */
function typedExtreme(cg: Codegen, one: Accumulation, value: Typed, isLeast: boolean): AccumulatorCode | null {
  return one.arrays !== null || one.register?.isAlone === true ? extreme(cg, one, value, isLeast) : null;
}

function typedSum(cg: Codegen, one: Accumulation, value: Typed): AccumulatorCode | null {
  if (value.type === 'integer') {
    if (one.register !== null) return registeredSum(cg, { ...one, register: one.register }, value);
    addTyped(cg, one, value);
    return { initial: 'new IntegerSums()', result: (state, group) => ({ type: 'integer', code: `${state}.get(${group})`, valid: null }) };
  }
  if (value.type !== 'float') return null;
  addTyped(cg, one, value);
  return { initial: 'new FloatSums()', result: (state, group) => any(`${state}.get(${group})`) };
}

function typedMean(cg: Codegen, one: Accumulation, value: Typed): AccumulatorCode | null {
  if (one.arrays !== null && countsRows(one, value)) return meanOfRows(cg, one, value);
  if (value.type !== 'integer' && value.type !== 'float') return null;
  const isPart = value.type === 'integer' && one.register !== null && addToPart(cg, one, one.register, value);
  if (!isPart) addTyped(cg, one, value);
  const sums = value.type === 'integer' ? 'IntegerSums' : 'FloatMeans';
  return { initial: `new Averages(new ${sums}())`, result: (state, group) => any(`${state}.get(${group})`) };
}

/** Each row has a value, and something counts the rows: the mean needs no count of its own. */
function countsRows({ rowCounts }: Accumulation, value: Typed): boolean {
  return rowCounts !== null && value.valid === null && (value.type === 'float' || (value.type === 'integer' && value.small === true));
}

function meanOfRows(cg: Codegen, one: Accumulation, value: Typed): AccumulatorCode {
  addTyped(cg, one, value);
  const sums = value.type === 'float' ? 'FloatMeans' : 'IntegerSums';
  const counts = (groups: string): string => `${groups}.${one.rowCounts}`;
  return {
    initial: `new Averages(new ${sums}())`,
    result: (state, group, groups) => any(`${state}.over(${group}, ${counts(groups)}.get(${group}))`),
  };
}

function addTyped(cg: Codegen, one: Accumulation, value: Typed): void {
  if (value.valid !== null) cg.f.open(`if (${value.valid}) {`);
  if (one.arrays === null || (value.type === 'integer' && value.small !== true))
    cg.f.emit(`${one.state}.add(${one.group}, ${value.code});`);
  else addToArrays(cg, one, one.arrays, value);
  if (value.valid !== null) cg.f.close();
}

function addToArrays(cg: Codegen, one: Accumulation, arrays: GroupArrays, value: Typed): void {
  const { aggregation, state, group } = one;
  const isMean = aggregation.function === 'avg';
  const owner = isMean ? `${state}.sums` : state;
  const sums = arrays.of(owner, 'sums');
  const isCounted = isMean ? !countsRows(one, value) : value.type === 'float';
  if (isCounted) cg.f.emit(`${arrays.of(state, 'counts')}[${group}]++;`);
  if (value.type === 'float') {
    const added = isMean ? cg.f.local('v', value.code) : value.code;
    cg.f.emit(`${sums}[${group}] += ${added};`);
    if (isMean) cg.f.emit(`${arrays.of(owner, 'scaled')}[${group}] += ${added} * ${MEAN_SCALE};`);
  } else {
    const added = cg.f.local('v', value.code);
    const tables = isAtMost(value, LARGEST_INT32) ? cg.f.tablesOfRows : null;
    if (tables !== null && cg.shape.hasFewRows(tables)) {
      cg.f.emit(`${sums}[${group}] += ${added};`);
      return;
    }
    const sum = cg.f.local('sum', `${sums}[${group}] + ${added}`);
    cg.f.emit(`if (${sum} <= ${LARGEST} && ${sum} >= -${LARGEST}) ${sums}[${group}] = ${sum}; else ${owner}.add(${group}, ${added});`);
  }
}

/**
 * A mean: what the innermost list adds, and how often, in locals. False where that cannot be, or a value may be a
 * bigint; then nothing was written.
 */
function addToPart(cg: Codegen, { state }: Accumulation, register: Register, value: Typed): boolean {
  if (value.small !== true) return false;
  const part = cg.f.fresh('part');
  const times = cg.f.fresh('times');
  const after = `if (${times} > 0) ${state}.addPart(0, ${part}, ${times});`;
  if (!cg.f.aroundLoop(register.depth, `let ${part} = 0, ${times} = 0;`, after)) return false;
  if (value.valid !== null) cg.f.open(`if (${value.valid}) {`);
  const added = cg.f.local('v', value.code);
  if (isAtMost(value, LARGEST_OF_MORSEL) && cg.f.isInRowLoop) {
    cg.f.emit(`${part} += ${added}; ${times}++;`);
    if (value.valid !== null) cg.f.close();
    return true;
  }
  const isSafe = `${part} + ${added} <= ${LARGEST} && ${part} + ${added} >= -${LARGEST}`;
  cg.f.emit(
    `if (${isSafe}) { ${part} += ${added}; ${times}++; } else { ${state}.addPart(0, ${part}, ${times}); ${part} = ${added}; ` +
      `${times} = 1; }`,
  );
  if (value.valid !== null) cg.f.close();
  return true;
}

/**
 * The register holds what is safe; before it would overflow it is settled. A value that is no number, but a bigint,
 * goes into the state at once.
 */
function registeredSum(cg: Codegen, { state, register }: Accumulation & { register: Register }, value: Typed): AccumulatorCode {
  const part = cg.f.fresh('part');
  const isPart = cg.f.aroundLoop(register.depth, `let ${part} = 0;`, addSafely(state, register.code, part));
  if (value.valid !== null) cg.f.open(`if (${value.valid}) {`);
  const added = cg.f.local('v', value.code);
  const isBounded = isPart && isAtMost(value, LARGEST_OF_MORSEL) && cg.f.isInRowLoop;
  const add = isBounded ? `${part} += ${added};` : addSafely(state, isPart ? part : register.code, added);
  cg.f.emit(value.small === true ? add : `if (isNumber(${added})) { ${add} } else ${state}.add(0, ${added});`);
  if (value.valid !== null) cg.f.close();
  return {
    initial: 'new IntegerSums()',
    result: (name, group) => ({ type: 'integer', code: `${name}.get(${group})`, valid: null }),
    settle: (name, local) => `${name}.add(0, ${local});`,
  };
}

function addSafely(state: string, into: string, value: string): string {
  return (
    `if (${into} + ${value} <= ${LARGEST} && ${into} + ${value} >= -${LARGEST}) ${into} += ${value}; else { ` +
    `${state}.add(0, ${into}); ${into} = ${value}; }`
  );
}

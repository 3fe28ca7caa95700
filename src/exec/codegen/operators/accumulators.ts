/**
 * Writes the state of one aggregate: counts and sums in plain numbers, any other in an accumulator of the library.
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
  /** True when the values of the state are sorted before a result is read. */
  readonly sorts?: boolean;
  /** Returns JavaScript that adds the register to the state. */
  readonly settle?: (state: string, register: string) => string;
}

/** An aggregate with its state in the generated code. */
export interface Accumulation {
  readonly aggregation: Aggregation;
  /** The constant with the name of the function. */
  readonly name: string;
  readonly state: string;
  readonly group: string;
  /** The register of the only group; null when rows are grouped. */
  readonly register: Register | null;
  /** The arrays of the states as locals of this function, where groups are found in an array; else null. */
  readonly arrays: GroupArrays | null;
  /** The field with the state that counts the rows of each group; null when no aggregate counts them. */
  readonly rowCounts: string | null;
}

/** Arrays of states, by group. Each has room for every group that the code around it meets. */
export interface GroupArrays {
  /** Returns a local with the array that stands in a field of the state. */
  of(state: string, field: string): string;
}

/** A number that begins as 0 and is settled into a state. */
export interface Register {
  readonly code: string;
  /** The depth of the block in which the register stands. */
  readonly depth: number;
  /** True when there is one state for the whole run of the statement: the aggregate is in no sub-plan. */
  readonly isAlone: boolean;
}

const LARGEST = String(Number.MAX_SAFE_INTEGER);
/** The largest absolute value of integers of which a morsel always has a safe sum. */
const LARGEST_OF_MORSEL = Number.MAX_SAFE_INTEGER / SELECTED_ROWS;

/** Returns the code of an aggregate whose input can have no rows. */
export function unreached(name: string, aggregation: Aggregation): AccumulatorCode {
  return isCount(aggregation) && !aggregation.distinct ? counting(false) : general(name, aggregation);
}

function isCount(aggregation: Aggregation): boolean {
  return aggregation.function === 'count';
}

/** Writes code that adds a row to the state. */
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
 * Returns a local that adds up the part of the innermost loop: V8 keeps it in a register of the processor. Returns the
 * register of the aggregate where that cannot be.
 */
function partOf(cg: Codegen, { code, depth }: Register): string {
  const part = cg.f.fresh('part');
  return cg.f.aroundLoop(depth, `let ${part} = 0;`, `${code} += ${part};`) ? part : code;
}

/** Returns an integer that is equal exactly where the values are, and when it may be read; null when the value has none. */
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

/** Writes count(DISTINCT) of nodes without grouping. A run without duplicates is added as a whole, if no code reads its single nodes. */
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
 * Writes min() or max() of numbers and days. A NaN comes after all other numbers; of equal values the first stays. Null
 * when the value is of another type.
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

/** Writes an aggregate as numbers in arrays or registers; null when the type of the value does not allow it. */
type TypedState = (cg: Codegen, one: Accumulation, value: Typed) => AccumulatorCode | null;

/** The aggregates, beside counts, that can keep plain numbers. An aggregate that is not here is kept by its accumulator. */
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

/** Writes min() or max() as numbers in arrays; null where groups have no arrays, or a sub-plan makes its state anew for each row. */
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

/** Tells whether a mean needs no count of its own: each row has a value, and another aggregate counts the rows. */
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
 * Writes a mean whose sum and count over the innermost loop are locals. False, with nothing written, where that cannot
 * be, or a value may be a bigint.
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
 * Writes a sum in a register, which is settled before it would leave the safe integers. A value that is a bigint goes
 * into the state at once.
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

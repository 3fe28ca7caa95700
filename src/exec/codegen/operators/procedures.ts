/** Writes calls of procedures, SHOW, schema commands, LOAD CSV and CALL … IN TRANSACTIONS. */
import type { LoadCsv, ProcedureCall, Schema, Show, TransactionApply } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { compileValue } from '../expressions/expression.ts';
import { toValue } from '../expressions/to-value.ts';
import { any, NULL, type Typed } from '../typed.ts';
import { merge } from './apply.ts';
import { withNames } from './needs.ts';
import { produce } from './produce.ts';
import { type StoredRow, storeRow } from './stored-row.ts';

type Needed = ReadonlySet<string>;

/** Writes a call of a procedure. */
export function produceProcedureCall(cg: Codegen, call: ProcedureCall, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, call.input, outer, withNames(needed, ...call.arguments), (environment) => {
    const values = call.arguments.map((argument) => compileValue(cg, environment, argument));
    const fields = cg.constant(call.yields.map((one) => one.field));
    const commits = call.writes && call.isAlone;
    const invocation = `procedures.call(${cg.constant(call.name)}, [${values.join(', ')}], ${fields}${commits ? ', true' : ''})`;
    const batch = cg.f.fresh('rows');
    cg.f.open(`for (const ${batch} of ${invocation}) {`);
    if (commits) cg.f.emit(`if (procedures.isMarker(${batch})) { yield ${batch}; continue; }`);
    cg.f.emit(`if (${batch} === null) { ${cg.rest()} continue; }`);
    if (call.unit) {
      cg.work('1');
      cg.f.close();
      consume(environment);
      return;
    }
    const row = cg.f.fresh('row');
    cg.f.open(`for (const ${row} of ${batch}) {`);
    cg.work('1');
    const bound = new Map(environment);
    call.yields.forEach((one, i) => bound.set(one.variable.name, any(cg.f.local('x', `${row}[${i}]`))));
    consume(bound);
    cg.f.close();
    cg.f.close();
  });
}

/** Writes SHOW. */
export function produceShow(cg: Codegen, show: Show, outer: Environment, consume: Consume): void {
  const row = cg.f.fresh('row');
  cg.f.open(`for (const ${row} of schema.show(${cg.constant(show.what)}, ${cg.constant(show.columns.map((column) => column.field))})) {`);
  cg.work('1');
  const bound = new Map(outer);
  show.columns.forEach((column, i) => bound.set(column.variable, any(cg.f.local('x', `${row}[${i}]`))));
  consume(bound);
  cg.f.close();
}

/** Writes a command on the schema. */
export function produceSchema(cg: Codegen, schema: Schema): void {
  cg.f.emit(`yield* schema.change(${cg.constant(schema.command)});`);
}

/** Writes LOAD CSV. */
export function produceLoadCsv(cg: Codegen, load: LoadCsv, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, load.input, outer, withNames(needed, load.from), (environment) => {
    const row = cg.f.fresh('row');
    const from = compileValue(cg, environment, load.from);
    cg.f.open(`for (const ${row} of csv.rows(${from}, ${load.withHeaders}, ${cg.constant(load.fieldTerminator)})) {`);
    cg.f.emit(`if (${row} === null) { ${cg.rest()} continue; }`);
    cg.work('1');
    cg.holds();
    consume(new Map(environment).set(load.variable, any(row)));
    cg.f.close();
  });
}

/**
 * Writes CALL … IN TRANSACTIONS. Input rows are made first; then the sub-plan runs for batches of them, each batch a
 * transaction of its own: `yield` of a batch marker hands control to the engine, which commits and begins the next
 * transaction.
 */
export function produceTransactionApply(cg: Codegen, apply: TransactionApply, outer: Environment, needed: Needed, consume: Consume): void {
  const below = withNames(needed, apply.plan);
  const rows = cg.f.local('rows', '[]');
  let stored: StoredRow | null = null;
  produce(cg, apply.input, outer, below, (environment) => {
    stored = storeRow(cg, environment, outer, below);
    const kept = cg.f.local('r', `[${stored.fields.join(', ')}]`);
    cg.f.emit(`${rows}.push(${kept});`);
    cg.f.emit(`memory.charge(1, ${stored.fields.length});${stored.isShort ? '' : ` memory.chargeValues(${kept});`}`);
  });
  const loaded = stored as StoredRow | null;
  if (loaded === null) return;
  const size = apply.batchSize === null ? '1000' : `batchSize(${compileValue(cg, outer, apply.batchSize)})`;
  const batch = cg.f.local('size', size);
  const results = cg.f.local('results', '[]');
  const from = cg.f.fresh('from');
  cg.f.open(`for (let ${from} = 0; ${from} < ${rows}.length; ${from} += ${batch}) {`);
  const number = cg.f.local('number', `Math.floor(${from} / ${batch}) + 1`);
  const kept = cg.f.local('kept', '[]');
  const row = cg.f.fresh('row');
  let inner: StoredRow | null = null;
  cg.f.emit('let failure = null;');
  cg.f.open('try {');
  cg.f.open(`for (const ${row} of ${rows}.slice(${from}, ${from} + ${batch})) {`);
  cg.work('1');
  const environment = loaded.load(row, outer);
  if (apply.unit) {
    produce(cg, apply.plan, environment, new Set(), () => undefined);
    cg.f.emit(`${kept}.push([${row}, []]); memory.charge(1, 2);`);
  } else {
    const before = apply.optional ? cg.f.local('before', `${kept}.length`) : null;
    produce(cg, apply.plan, environment, needed, (bound) => {
      const generalised = generalise(cg, bound, environment, needed);
      inner = storeRow(cg, generalised, new Map(), needed);
      cg.f.emit(`${kept}.push([${row}, [${inner.fields.join(', ')}]]); memory.charge(1, ${2 + inner.fields.length});`);
    });
    if (before !== null) cg.f.emit(`if (${kept}.length === ${before}) { ${kept}.push([${row}, null]); memory.charge(1, 2); }`);
  }
  cg.f.close();
  cg.f.emit(`yield* batches.commit(${apply.joinsTransaction});`);
  cg.f.emit(`for (const one of ${kept}) ${results}.push([...one, null, ${number}]);`);
  cg.f.reopen('} catch (error) {');
  cg.f.emit(`failure = yield* batches.rollBack(error, ${cg.constant(apply.onError)}, ${apply.joinsTransaction});`);
  cg.f.emit(`for (const one of ${rows}.slice(${from}, ${from} + ${batch})) ${results}.push([one, null, failure, ${number}]);`);
  cg.f.close();
  if (apply.onError === 'break') {
    cg.f.open('if (failure !== null) {');
    cg.f.emit(`for (const one of ${rows}.slice(${from} + ${batch})) ${results}.push([one, null, ${cg.constant('not started')}, 0]);`);
    cg.f.emit('break;');
    cg.f.close();
  }
  cg.f.close();
  const result = cg.f.fresh('row');
  cg.f.open(`for (const ${result} of ${results}) {`);
  cg.work('1');
  const outerRow = cg.f.local('row', `${result}[0]`);
  let bound: Environment = loaded.load(outerRow, outer);
  const nulls = new Map(bound);
  for (const name of apply.nullVariables) nulls.set(name, NULL);
  const fields = (inner as StoredRow | null)?.fields.length ?? 0;
  if (fields > 0) {
    const values = cg.f.local('row', `${result}[1] ?? [${new Array(fields).fill('null').join(', ')}]`);
    bound = merge(nulls, (inner as StoredRow | null)!.load(values, new Map()));
  } else bound = nulls;
  if (apply.reportStatus !== null)
    bound = new Map(bound).set(apply.reportStatus, any(cg.f.local('x', `batchStatus(${result}[2], ${result}[3])`)));
  consume(bound);
  cg.f.close();
}

/** Returns the variables of the sub-plan as values of any type, so that null can stand for them in the rows of a batch that failed. */
function generalise(cg: Codegen, inner: Environment, outer: Environment, needed: Needed): Environment {
  const result = new Map<string, Typed>();
  for (const [name, typed] of inner)
    if (needed.has(name) && outer.get(name) !== typed) result.set(name, any(cg.f.local('x', toValue(typed))));
  return result;
}

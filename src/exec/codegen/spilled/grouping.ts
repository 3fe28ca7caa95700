/** Writes grouping, aggregation and DISTINCT in the form that can spill. */
import { type Aggregate, type Distinct, variable } from '../../../plan/index.ts';
import { aggregates } from '../../functions/index.ts';
import type { AggregateForm } from '../../runtime/spill/spilled-aggregation.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { compileExpression } from '../expressions/expression.ts';
import { stabilise } from '../expressions/locals.ts';
import { toValue } from '../expressions/to-value.ts';
import { expressionsRead, produceAggregate } from '../operators/aggregate.ts';
import { produceDistinct, separately } from '../operators/breakers.ts';
import { withNames } from '../operators/needs.ts';
import { produce } from '../operators/produce.ts';
import { fieldsOf, loadTyped, type StoredRow, storeRow } from '../operators/stored-row.ts';
import { sinkRow } from '../paged/sinks.ts';
import { any, type Typed } from '../typed.ts';
import { openRows } from './open-rows.ts';

type Needed = ReadonlySet<string>;

/** Aggregates of one operator at most: each is a bit of one small integer. */
const MOST_AGGREGATES = 30;

/** Returns JavaScript for a primitive that stands for the values. */
export function hashKeyOf(values: readonly Typed[]): string {
  if (values.length === 0) return 'null';
  if (values.length === 1) return `values.hashKey(${toValue(values[0]!)})`;
  return `values.hashKeyOf([${values.map(toValue).join(', ')}])`;
}

/**
 * Tells whether an aggregation is kept in memory: without grouping, if each aggregate keeps numbers or one value; or
 * with too many aggregates to spill.
 */
function holdsLittle({ grouping, aggregations }: Aggregate): boolean {
  const isSmall = aggregations.every(({ function: name, distinct }) => !distinct && aggregates[name].facts.keeps !== 'values');
  return (grouping.length === 0 && isSmall) || aggregations.length > MOST_AGGREGATES;
}

/** Writes grouping whose groups may go to files. */
export function produceSpilledAggregate(cg: Codegen, aggregate: Aggregate, outer: Environment, needed: Needed, consume: Consume): void {
  const { grouping, aggregations } = aggregate;
  if (holdsLittle(aggregate)) {
    produceAggregate(cg, aggregate, outer, needed, consume);
    return;
  }
  const read = expressionsRead(aggregate);
  const below = withNames(new Set(), ...read);
  const forms = aggregations.map(
    ({ function: name, distinct, arguments: operands }): AggregateForm => ({ name, distinct, operands: operands.length }),
  );
  const constant = cg.constant(forms);
  const usesCatalog = aggregations.some(({ function: name }) => aggregates[name].facts.usesCatalog === true);
  let keys: readonly Typed[] | null = null;
  const width = (): number => (keys ?? []).reduce((sum, key) => sum + fieldsOf(key).length, 0);
  const { state } = separately(
    cg,
    outer,
    () => `new SpilledAggregation(spill, values, ${width()}, ${constant}${usesCatalog ? ', catalog' : ''})`,
    (groups) => {
      if (grouping.length === 0) cg.f.emit(`${groups}.begin();`);
      produce(cg, aggregate.input, outer, below, (environment) =>
        sinkRow(cg, { outer, environment, expressions: read, names: new Set() }, (row, expressions) => {
          keys = expressions.slice(0, grouping.length).map((key) => stabilise(cg, compileExpression(cg, row, key)));
          const operands = expressions.slice(grouping.length).map((one) => toValue(compileExpression(cg, row, one)));
          cg.f.emit(`${groups}.add(${hashKeyOf(keys)}, [${[...keys.flatMap(fieldsOf), ...operands].join(', ')}]);`);
        }),
      );
    },
  );
  if (keys === null && grouping.length > 0) return;
  const { row, close } = openRows(cg, `${state}.rows()`, outer);
  const environment = new Map(outer);
  let at = 0;
  grouping.forEach((item, i) => {
    const key = keys![i]!;
    environment.set(item.variable, loadTyped(cg, key, row, at));
    at += fieldsOf(key).length;
  });
  aggregations.forEach((item, i) => environment.set(item.variable, any(cg.f.local('x', `${row}[${at + i}]`))));
  consume(environment);
  close();
}

/**
 * Writes DISTINCT whose rows may go to files. Rows leave as they are found while the keys fit into memory; rows with
 * keys that do not fit leave at the end. Within a sub-plan all keys have to fit.
 */
export function produceSpilledDistinct(cg: Codegen, distinct: Distinct, outer: Environment, needed: Needed, consume: Consume): void {
  if (outer.size > 0) {
    produceDistinct(cg, distinct, outer, needed, consume);
    return;
  }
  const below = new Set([...needed, ...distinct.variables]);
  let stored: StoredRow | null = null;
  const rows = cg.rowsOf(() => {
    const seen = cg.f.local('seen', 'new SpilledDistinct(spill)');
    produce(cg, distinct.input, outer, below, (environment) =>
      sinkRow(cg, { outer, environment, expressions: distinct.variables.map(variable), names: needed }, (entering, expressions) => {
        stored = storeRow(cg, entering, outer, needed);
        const row = cg.f.local('r', `[${stored.fields.join(', ')}]`);
        const key = hashKeyOf(expressions.map((expression) => compileExpression(cg, entering, expression)));
        cg.f.emit(`if (${seen}.add(${key}, ${row})) yield ${row};`);
      }),
    );
    cg.f.emit(`yield* ${seen}.deferred();`);
  });
  if (stored === null) return;
  const loaded: StoredRow = stored;
  const { row, close } = openRows(cg, rows, outer);
  consume(loaded.load(row, outer));
  close();
}

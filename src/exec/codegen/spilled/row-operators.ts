/** Writes operators that keep whole rows, sorted or in the order in which they came, in the form that can spill. */
import { type CartesianProduct, type Eager, type Operator, type Sort, type Top, type UnionAll, variable } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { compileExpression } from '../expressions/expression.ts';
import { toValue } from '../expressions/to-value.ts';
import { comparator, expressionsOf, mostRows, separately, sortKey } from '../operators/breakers.ts';
import { withNames } from '../operators/needs.ts';
import { produce } from '../operators/produce.ts';
import { type StoredRow, storeRow } from '../operators/stored-row.ts';
import { sinkRow } from '../paged/sinks.ts';
import { any } from '../typed.ts';
import { openRows } from './open-rows.ts';

type Needed = ReadonlySet<string>;

interface Sorted {
  readonly state: string;
  readonly stored: StoredRow;
}

/** Writes a pipeline that sorts the rows of an input; null when the input can have no rows. */
function sorted(cg: Codegen, { input, items }: Sort | Top, outer: Environment, needed: Needed): Sorted | null {
  const below = withNames(needed, ...items.map((item) => item.expression));
  let stored: StoredRow | null = null;
  let compare = '() => 0';
  const { state } = separately(
    cg,
    outer,
    () => `new ExternalSort(spill, ${compare})`,
    (sort) => {
      produce(cg, input, outer, below, (environment) =>
        sinkRow(cg, { outer, environment, expressions: expressionsOf(items), names: needed }, (row, expressions) => {
          const keys = items.map((item, i) => sortKey(cg, row, expressions[i]!, item.descending));
          compare = comparator(keys);
          const codes = keys.map(({ code }) => code);
          stored = storeRow(cg, row, outer, needed, codes);
          cg.f.emit(`if (${sort}.add([${[...codes, ...stored.fields].join(', ')}])) yield* ${sort}.flush();`);
        }),
      );
    },
  );
  return stored === null ? null : { state, stored };
}

/** Writes a sort whose rows may go to files. */
export function produceSort(cg: Codegen, sort: Sort, outer: Environment, needed: Needed, consume: Consume): void {
  const rows = sorted(cg, sort, outer, needed);
  if (rows === null) return;
  const { row, close } = openRows(cg, `${rows.state}.rows()`, outer);
  consume(rows.stored.load(row, outer));
  close();
}

/** Writes a sort of which only the first rows are read: they may be so many that they do not fit into memory. */
export function produceTop(cg: Codegen, top: Top, outer: Environment, needed: Needed, consume: Consume): void {
  const most = cg.f.local('limit', mostRows(cg, outer, top));
  const rows = sorted(cg, top, outer, needed);
  if (rows === null) return;
  const { row, close } = openRows(cg, `${rows.state}.rows()`, outer, most);
  consume(rows.stored.load(row, outer));
  close();
}

/** Writes a pipeline that keeps all rows of an input in their order; null when the input can have no rows. */
function listed(cg: Codegen, input: Operator, outer: Environment, needed: Needed): Sorted | null {
  let stored: StoredRow | null = null;
  const { state } = separately(cg, outer, 'new RowList(spill)', (list) => {
    produce(cg, input, outer, needed, (environment) =>
      sinkRow(cg, { outer, environment, expressions: [], names: needed }, (row) => {
        stored = storeRow(cg, row, outer, needed);
        cg.f.emit(`if (${list}.push([${stored.fields.join(', ')}])) yield* ${list}.flush();`);
      }),
    );
  });
  return stored === null ? null : { state, stored };
}

/** Writes an eager operator whose rows may go to files. */
export function produceEager(cg: Codegen, eager: Eager, outer: Environment, needed: Needed, consume: Consume): void {
  const list = listed(cg, eager.input, outer, needed);
  if (list === null) return;
  const { row, close } = openRows(cg, `${list.state}.rows()`, outer);
  consume(list.stored.load(row, outer));
  close();
  cg.f.emit(`${list.state}.close();`);
}

/** Writes a cartesian product whose rows may go to files. */
export function produceCartesianProduct(
  cg: Codegen,
  product: CartesianProduct,
  outer: Environment,
  needed: Needed,
  consume: Consume,
): void {
  const list = listed(cg, product.right, outer, needed);
  if (list === null) return;
  cg.f.open(`if (${list.state}.length > 0) {`);
  produce(cg, product.left, outer, needed, (environment) => {
    const { row, close } = openRows(cg, `${list.state}.rows()`, environment);
    consume(list.stored.load(row, environment));
    close();
  });
  cg.f.close();
  cg.f.emit(`${list.state}.close();`);
}

/** Writes UNION ALL whose rows may go to files. */
export function produceUnionAll(cg: Codegen, union: UnionAll, outer: Environment, _needed: Needed, consume: Consume): void {
  const { state } = separately(cg, outer, 'new RowList(spill)', (list) => {
    for (const input of union.inputs) {
      produce(cg, input, outer, new Set(union.variables), (environment) =>
        sinkRow(cg, { outer, environment, expressions: union.variables.map(variable), names: new Set() }, (row, expressions) => {
          const values = expressions.map((expression) => toValue(compileExpression(cg, row, expression)));
          cg.f.emit(`if (${list}.push([${values.join(', ')}])) yield* ${list}.flush();`);
        }),
      );
    }
  });
  const { row, close } = openRows(cg, `${state}.rows()`, outer);
  const bound = new Map(outer);
  union.variables.forEach((name, i) => bound.set(name, any(cg.f.local('x', `${row}[${i}]`))));
  consume(bound);
  close();
  cg.f.emit(`${state}.close();`);
}

/** Writes joins by the values of keys in the form that can spill. */
import type { HashJoin } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { compileExpression } from '../expressions/expression.ts';
import { toValue } from '../expressions/to-value.ts';
import { produceHashJoin } from '../operators/breakers.ts';
import { withNames } from '../operators/needs.ts';
import { produce } from '../operators/produce.ts';
import { type StoredRow, storeRow } from '../operators/stored-row.ts';
import { sinkRow } from '../paged/sinks.ts';
import { openRows } from './open-rows.ts';

type Keys = HashJoin['leftKeys'];

/** Returns a local with a list of the values of the keys. */
function keyValues(cg: Codegen, environment: Environment, keys: Keys): string {
  return cg.f.local('k', `[${keys.map((key) => toValue(compileExpression(cg, environment, key))).join(', ')}]`);
}

/** Writes a hash join whose rows may go to files; within a sub-plan the right side has to fit into memory. */
export function produceSpilledJoin(cg: Codegen, join: HashJoin, outer: Environment, needed: ReadonlySet<string>, consume: Consume): void {
  if (outer.size > 0) {
    produceHashJoin(cg, join, outer, needed, consume);
    return;
  }
  const table = cg.state();
  const right = buildSide(cg, join, table, needed);
  if (right === null) return;
  let left: StoredRow | null = null;
  const pairs = cg.rowsOf(() => {
    const state = cg.f.hoist(table, 's', table);
    produce(cg, join.left, outer, withNames(needed, ...join.leftKeys), (environment) =>
      sinkRow(cg, { outer, environment, expressions: join.leftKeys, names: needed }, (entering, expressions) => {
        const keys = keyValues(cg, entering, expressions);
        left = storeRow(cg, entering, outer, needed);
        const row = cg.f.local('r', `[${left.fields.join(', ')}]`);
        cg.f.open(`if (${state}.isSpilled) {`);
        cg.f.emit(`${state}.defer(${keys}, ${row});`);
        cg.f.reopen('} else {');
        const other = cg.f.fresh('row');
        cg.f.open(`for (const ${other} of ${state}.find(${keys})) {`);
        cg.work('1');
        cg.f.emit(`yield [${row}, ${other}];`);
        cg.f.close();
        cg.f.close();
      }),
    );
    cg.f.emit(`yield* ${state}.deferred();`);
  });
  if (left === null) return;
  const loaded: StoredRow = left;
  const { row: pair, close } = openRows(cg, pairs, outer);
  const [row, other] = [cg.f.local('r', `${pair}[0]`), cg.f.local('r', `${pair}[1]`)];
  consume(right.load(other, loaded.load(row, outer)));
  close();
}

/** Writes a pipeline that fills the hash table with the rows of the right side; null when that side can have no rows. */
function buildSide(cg: Codegen, join: HashJoin, table: string, needed: ReadonlySet<string>): StoredRow | null {
  const outer: Environment = new Map();
  let stored: StoredRow | null = null;
  const held = cg.f.local('held', 'memory.held');
  cg.f.emit(`${table} = new SpilledJoin(spill, values);`);
  cg.pipeline(() => {
    const state = cg.f.hoist(table, 's', table);
    produce(cg, join.right, outer, withNames(needed, ...join.rightKeys), (environment) =>
      sinkRow(cg, { outer, environment, expressions: join.rightKeys, names: needed }, (entering, expressions) => {
        const keys = keyValues(cg, entering, expressions);
        stored = storeRow(cg, entering, outer, needed);
        cg.f.emit(`if (${state}.insert(${keys}, [${stored.fields.join(', ')}])) yield* ${state}.flush();`);
      }),
    );
  });
  cg.f.emit(`memory.held = ${held};`);
  return stored;
}

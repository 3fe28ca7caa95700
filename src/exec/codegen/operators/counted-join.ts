/**
 * Writes joins of rows with counts of other rows: the rows of the sub-plan are counted by node in an array, once for
 * each start node, and each row of the input reads its count there.
 */
import type { CountedJoin } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { bind, nodeOf } from '../environment.ts';
import type { Typed } from '../typed.ts';
import { guard } from './expand.ts';
import { withVariables } from './needs.ts';
import { produce } from './produce.ts';

/** Writes a join with counts of other rows. */
export function produceCountedJoin(
  cg: Codegen,
  join: CountedJoin,
  outer: Environment,
  needed: ReadonlySet<string>,
  consume: Consume,
): void {
  const { f } = cg;
  produce(cg, join.input, outer, withVariables(needed, join.from, join.on), (environment) => {
    const from = nodeOf(cg, environment, join.from);
    const on = nodeOf(cg, environment, join.on);
    if (from === null || on === null) return;
    const guarded = guard(cg, [from.valid, on.valid]);
    // The arrays are bound once, in the prologue: V8 then reads their addresses and lengths once, outside of the loops.
    const nodes = cg.viewField('nodeLimit');
    const ways = f.hoist(f.fresh('ways of'), 'ways', `takeWays(${nodes})`);
    const met = f.hoist(f.fresh('met of'), 'met', `new Uint32Array(${ways}.length + 1)`);
    const metCount = f.hoistVariable(f.fresh('met count of'), 'metCount', '0');
    const start = f.hoistVariable(f.fresh('start of'), 'start', '-1');
    const countWays = (): void => {
      f.open(`if (${from.code} !== ${start}) {`);
      f.emit(`clearWays(${ways}, ${met}, ${metCount});`);
      f.emit(`${start} = ${cg.paged ? '-1' : from.code}; ${metCount} = 0;`);
      produce(cg, join.plan, environment, new Set([join.on]), (inner) => {
        const end = nodeOf(cg, inner, join.on);
        if (end === null) return;
        const isNode = guard(cg, [end.valid]);
        // Every node is written to the list, and stays if it is a new one: there is no branch for the processor to predict wrong.
        f.emit(`${met}[${metCount}] = ${end.code};`);
        f.emit(`${metCount} += +(${ways}[${end.code}]++ === 0);`);
        if (isNode) f.close();
      });
      // Counts are not complete when a page was missing.
      if (cg.paged) f.emit(`if (!restarts.missed) ${start} = ${from.code};`);
      f.close();
    };
    if (!f.aroundLoopOf(on.code, from.code, { before: countWays })) countWays();
    const count: Typed = { type: 'integer', code: f.local('count', `${ways}[${on.code}]`), valid: null, small: true };
    if (!join.keepsNone) f.open(`if (${count.code} !== 0) {`);
    consume(bind(environment, [join.count, count]));
    if (!join.keepsNone) f.close();
    f.atEnd(`clearWays(${ways}, ${met}, ${metCount}); giveWays(${ways});`);
    if (guarded) f.close();
  });
}

/** Compiles sub-plans as values (EXISTS, COUNT, COLLECT, pattern comprehensions), which are written in place, as loops. */
import { assert } from '../../../base/index.ts';
import type { PlanExpression } from '../../../plan/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { produce } from '../operators/produce.ts';
import { any, type Typed } from '../typed.ts';
import { compileDegree } from './degree.ts';
import { growingList } from './locals.ts';
import { toValue } from './to-value.ts';

/** Compiles a sub-plan whose result is a value. */
export function compilePlanSubquery(cg: Codegen, environment: Environment, subquery: PlanExpression & { kind: 'planSubquery' }): Typed {
  const { plan, mode, variable } = subquery;
  if (mode === 'exists') {
    const before = cg.f.local('before', 'memory.used');
    const found = cg.f.variable('found', 'false');
    const label = cg.f.fresh('L');
    cg.f.open(`${label}: {`);
    produce(cg, plan, environment, new Set(), () => cg.f.emit(`${found} = true; break ${label};`));
    cg.f.close();
    cg.f.emit(`memory.release(memory.used - ${before});`);
    return { type: 'boolean', code: found, valid: null };
  }
  const degree = mode === 'count' ? compileDegree(cg, environment, plan) : null;
  if (degree !== null) return degree;
  if (mode === 'count') {
    const count = cg.f.variable('n', '0');
    let hasRows = false;
    produce(cg, plan, environment, new Set(), () => {
      hasRows = true;
      cg.f.increment(count);
    });
    // No code was asked for a row: the shape rules out all of them, such as self-loops of a type that has none.
    return hasRows ? { type: 'integer', code: count, valid: null, small: true } : { type: 'integer', code: '0', valid: null, most: 0 };
  }
  assert(variable !== null, 'a collecting subquery names its variable');
  const made = cg.f.local('out', '[]');
  const out = growingList(cg, made);
  produce(cg, plan, environment, new Set([variable]), (row) => {
    const typed = row.get(variable);
    assert(typed !== undefined, 'a collecting subquery binds its variable');
    out.add(toValue(typed), typed.type === 'integer' || typed.type === 'boolean');
  });
  out.end();
  return any(made, 'list');
}

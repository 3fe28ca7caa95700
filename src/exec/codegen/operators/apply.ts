/** Writes sub-plans that run once for each outer row (subqueries, OPTIONAL MATCH, EXISTS), in place, inside the loop of the outer row. */
import { unreachable } from '../../../base/index.ts';
import type { Apply, OptionalApply, SemiApply } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { NULL, node, relationship, type Typed } from '../typed.ts';
import { closeEdge, MULTIPLICITY } from './close-edge.ts';
import { withNames } from './needs.ts';
import { produce } from './produce.ts';
import { type StoredRow, storeRow } from './stored-row.ts';

type Needed = ReadonlySet<string>;

/** Joins two environments: a variable of the inner one replaces one of the outer with the same name. */
export function merge(outer: Environment, inner: Environment): Environment {
  const merged = new Map(outer);
  for (const [name, typed] of inner) merged.set(name, typed);
  return merged;
}

/** Writes a sub-plan for each outer row. */
export function produceApply(cg: Codegen, apply: Apply, outer: Environment, needed: Needed, consume: Consume): void {
  // Inside the one row of an argument, code that reads pages would run the whole sub-plan again for each page that what follows misses.
  if (cg.paged && !cg.profile && apply.input.kind === 'argument' && !apply.unit) {
    produce(cg, apply.plan, outer, needed, (inner) => consume(merge(outer, inner)));
    return;
  }
  produce(cg, apply.input, outer, withNames(needed, apply.plan), (environment) => {
    if (apply.unit) {
      produce(cg, apply.plan, environment, new Set(), () => undefined);
      consume(environment);
    } else {
      produce(cg, apply.plan, environment, needed, (inner) => consume(merge(environment, inner)));
    }
  });
}

/**
 * Writes OPTIONAL MATCH for each outer row. The rows of the sub-plan are kept until it has ended; then they go on, or
 * one row of nulls if there are none.
 */
export function produceOptionalApply(cg: Codegen, apply: OptionalApply, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, apply.input, outer, withNames(needed, apply.plan), (environment) => {
    const wanted = new Set(apply.nullVariables.filter((name) => needed.has(name)));
    const before = cg.f.local('before', 'memory.used');
    const rows = cg.f.local('rows', '[]');
    let stored: StoredRow | null = null;
    let shapes: Environment = new Map();
    produce(cg, apply.plan, environment, wanted, (inner) => {
      shapes = nullable(inner, wanted);
      stored = storeRow(cg, shapes, new Map(), wanted);
      const kept = cg.f.local('r', `[${stored.fields.join(', ')}]`);
      cg.f.emit(`${rows}.push(${kept});`);
      cg.f.emit(`memory.charge(1, ${stored.fields.length});${stored.isShort ? '' : ` memory.chargeValues(${kept});`}`);
    });
    const nothing = [...shapes.values()].flatMap(nullFields);
    cg.f.emit(`if (${rows}.length === 0) ${rows}.push([${nothing.join(', ')}]);`);
    const used = cg.f.local('used', `memory.used - ${before}`);
    const row = cg.f.fresh('row');
    cg.f.open(`for (const ${row} of ${rows}) {`);
    cg.work('1');
    const nulls = new Map(environment);
    for (const name of apply.nullVariables) nulls.set(name, NULL);
    const loaded = stored as StoredRow | null;
    consume(loaded === null ? nulls : loaded.load(row, nulls));
    cg.f.close();
    cg.f.emit(`memory.release(${used});`);
  });
}

/** Returns an environment with the same variables, each able to be null. */
function nullable(environment: Environment, names: ReadonlySet<string>): Environment {
  const result = new Map<string, Typed>();
  for (const [name, typed] of environment) {
    if (!names.has(name)) continue;
    if (typed.valid !== null || typed.type === 'any') result.set(name, typed);
    else if (typed.type === 'node') result.set(name, node(typed.code, true, typed.node));
    else if (typed.type === 'relationship') result.set(name, relationship(typed.relationship!, true));
    else result.set(name, { ...typed, valid: `${typed.code} !== null` });
  }
  return result;
}

function nullFields(typed: Typed): string[] {
  switch (typed.type) {
    case 'null':
      return [];
    case 'node':
      return ['-1'];
    case 'relationship':
      return typed.relationship!.type === null ? ['-1', '-1'] : ['-1'];
    case 'boolean':
    case 'integer':
    case 'float':
    case 'string':
    case 'any':
      return ['null'];
    default:
      return unreachable(typed.type, 'type');
  }
}

/** Writes EXISTS for each outer row. */
export function produceSemiApply(cg: Codegen, apply: SemiApply, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, apply.input, outer, withNames(needed, apply.plan), (environment) => {
    if (testEdge(cg, apply, environment, consume)) return;
    const before = cg.f.local('before', 'memory.used');
    const found = cg.f.variable('found', 'false');
    const label = cg.f.fresh('L');
    cg.f.open(`${label}: {`);
    produce(cg, apply.plan, environment, new Set(), () => cg.f.emit(`${found} = true; break ${label};`));
    cg.f.close();
    cg.f.emit(`memory.release(memory.used - ${before});`);
    cg.f.open(apply.anti ? `if (!${found}) {` : `if (${found}) {`);
    consume(environment);
    cg.f.close();
  });
}

/**
 * Writes EXISTS of `(a)-[:T]->(b)` between two bound nodes as a test of how many relationships there are, without a
 * loop. False, with nothing written, when the sub-plan is anything else.
 */
function testEdge(cg: Codegen, { plan, anti }: SemiApply, environment: Environment, consume: Consume): boolean {
  if (cg.profile || plan.kind !== 'expand' || plan.relationshipBound || plan.input.kind !== 'argument') return false;
  let count = '0';
  const isKnown = closeEdge(cg, plan, environment, {
    needed: new Set([MULTIPLICITY]),
    consume: (bound) => {
      count = bound.get(MULTIPLICITY)!.code;
    },
  });
  if (!isKnown) return false;
  cg.f.open(`if (${count} ${anti ? '===' : '!=='} 0) {`);
  consume(environment);
  cg.f.close();
  return true;
}

/** Giving names to values that are read more than once. */
import type { Codegen } from '../codegen.ts';
import { isSimple, type Typed } from '../typed.ts';
import { date } from './access.ts';

/**
 * The same value in a form that can be read many times: scalars in a local that holds null where there is none.
 * Nodes and relationships are locals already.
 */
export function stabilise(cg: Codegen, typed: Typed): Typed {
  if (typed.type === 'node' || typed.type === 'relationship' || typed.type === 'null') return typed;
  if (typed.day !== undefined) {
    const day = cg.f.local('day', typed.day.valid === null ? typed.day.code : `(${typed.day.valid} ? ${typed.day.code} : null)`);
    return date(day, typed.day.valid === null ? null : `${day} !== null`);
  }
  if (typed.type === 'any') return isSimple(typed.code) ? typed : { ...typed, code: cg.f.local('x', typed.code) };
  if (isSimple(typed.code) && (typed.valid === null || typed.valid === `${typed.code} !== null`)) return typed;
  if (typed.dictionary !== undefined && typed.valid === null) {
    return typed;
  }
  const local = cg.f.local('x', typed.valid === null ? typed.code : `(${typed.valid} ? ${typed.code} : null)`);
  return { type: typed.type, code: local, valid: typed.valid === null ? null : `${local} !== null`, small: typed.small };
}

/** Lists that are made element by element count against the memory of the statement once they are long. */
export function chargeLongList(cg: Codegen, list: string): void {
  cg.f.emit(`if ((${list}.length & 65535) === 0) rt.charge(65536, 1);`);
}

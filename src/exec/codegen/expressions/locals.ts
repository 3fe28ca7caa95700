/** Giving names to values that are read more than once. */
import type { Codegen } from '../codegen.ts';
import { isSimple, type Typed } from '../typed.ts';
import { date } from './to-value.ts';

/**
 * The same value in a form that can be read many times: scalars in a local that holds null where there is none.
 * Nodes and relationships are locals already.
 */
export function stabilise(cg: Codegen, typed: Typed): Typed {
  return named(typed, (prefix, code) => cg.f.local(prefix, code));
}

/** The same for a value that may never be needed: what lies in a column is not read before. */
export function stabiliseLate(cg: Codegen, typed: Typed): Typed {
  return typed.late === true ? named(typed, (prefix, code) => cg.f.later(prefix, code)) : stabilise(cg, typed);
}

/** Makes a local of the code, now or later. */
type Name = (prefix: string, code: string) => string;

function named(typed: Typed, local: Name): Typed {
  if (typed.type === 'node' || typed.type === 'relationship' || typed.type === 'null') return typed;
  if (typed.day !== undefined) {
    const day = local('day', typed.day.valid === null ? typed.day.code : `(${typed.day.valid} ? ${typed.day.code} : null)`);
    return date(day, typed.day.valid === null ? null : `${day} !== null`);
  }
  if (typed.number !== undefined) return typed;
  if (typed.type === 'any') return isSimple(typed.code) ? typed : { ...typed, code: local('x', typed.code) };
  if (isSimple(typed.code) && (typed.valid === null || typed.valid === `${typed.code} !== null`)) return typed;
  if (typed.dictionary !== undefined) return typed.valid === null ? typed : codeOrNone(typed, typed.dictionary, local);
  const name = local('x', typed.valid === null ? typed.code : `(${typed.valid} ? ${typed.code} : null)`);
  return {
    type: typed.type,
    code: name,
    valid: typed.valid === null ? null : `${name} !== null`,
    small: typed.small,
    most: typed.most,
  };
}

/** A string of a dictionary or null, as its code or -1: nothing is decoded that may not be needed. */
export function nullableCode(cg: Codegen, typed: Typed, dictionary: NonNullable<Typed['dictionary']>): Typed {
  return codeOrNone(typed, dictionary, (prefix, code) => cg.f.later(prefix, code));
}

function codeOrNone({ valid }: Typed, dictionary: NonNullable<Typed['dictionary']>, local: Name): Typed {
  const { name, key } = dictionary;
  const code = local('code', `(${valid} ? ${dictionary.code} : -1)`);
  return { type: 'string', code: `${name}.decode(${code})`, valid: `${code} >= 0`, dictionary: { name, code, key } };
}

/** Once a list has so many elements, or elements that take so much, it counts against the memory of the statement. */
const MANY_ELEMENTS = 2 ** 16;
const MANY_BYTES = 2 ** 24;

/** A list that is made element by element: answers with what writes that one more is added to it. */
export function growingList(cg: Codegen, list: string): (value: string) => void {
  const bytes = cg.f.variable('bytes', '0');
  return (value) => {
    const element = cg.f.local('el', value);
    cg.f.emit(`${list}.push(${element});`);
    cg.f.emit(`if ((${list}.length & ${MANY_ELEMENTS - 1}) === 0) memory.charge(${MANY_ELEMENTS}, 1);`);
    cg.f.emit(`if ((${bytes} += bytesBeside(${element})) > ${MANY_BYTES}) { memory.chargeBytes(${bytes}); ${bytes} = 0; }`);
  };
}

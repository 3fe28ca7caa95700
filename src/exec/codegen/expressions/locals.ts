/** Gives names to values that are read more than once. */
import type { Codegen } from '../codegen.ts';
import { isSimple, type Typed } from '../typed.ts';
import { date } from './to-value.ts';

/**
 * Returns the value in a form that can be read many times: scalars in a local that holds null where there is none.
 * Nodes and relationships are locals already.
 */
export function stabilise(cg: Codegen, typed: Typed): Typed {
  return named(typed, (prefix, code) => cg.f.local(prefix, code));
}

/** Returns the value in a form that can be read many times; a value of a column is not read before it is needed. */
export function stabiliseLate(cg: Codegen, typed: Typed): Typed {
  return typed.late === true ? named(typed, (prefix, code) => cg.f.later(prefix, code)) : stabilise(cg, typed);
}

/** Makes a local of the code, at once or where it is first needed. */
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

/** Returns a string of a dictionary, or null, as its code or -1: it is decoded only where it is needed. */
export function nullableCode(cg: Codegen, typed: Typed, dictionary: NonNullable<Typed['dictionary']>): Typed {
  return codeOrNone(typed, dictionary, (prefix, code) => cg.f.later(prefix, code));
}

function codeOrNone({ valid }: Typed, dictionary: NonNullable<Typed['dictionary']>, local: Name): Typed {
  const { name, key } = dictionary;
  const code = local('code', `(${valid} ? ${dictionary.code} : -1)`);
  return { type: 'string', code: `${name}.decode(${code})`, valid: `${code} >= 0`, dictionary: { name, code, key } };
}

/** Bytes beyond which a complete list is held, with its measured size. */
const LARGE_LIST = 4096;
/** Bytes up to which a list is not charged while it grows (`MemoryAccount.grow`). */
const UNCHARGED = 65_536;
const BYTES_PER_ELEMENT = 8;

/** A list that grows as it is made. */
export interface GrowingList {
  /** Writes that one more element is added. `isNumber`: the element takes no memory beside its place. */
  add(value: string, isNumber: boolean): void;
  /** Writes that the list is complete. */
  end(): void;
}

/** Returns what makes a list element by element: it is charged to the statement as it grows, and held by the row once complete. */
export function growingList(cg: Codegen, list: string): GrowingList {
  const bytes = cg.f.variable('bytes', '48');
  const room = cg.f.variable('room', String(UNCHARGED));
  cg.holds();
  return {
    add(value, isNumber) {
      const element = isNumber ? value : cg.f.local('el', value);
      cg.f.emit(`${list}.push(${element});`);
      const added = isNumber ? String(BYTES_PER_ELEMENT) : `${BYTES_PER_ELEMENT} + memory.bytesInside(${element})`;
      cg.f.emit(`if ((${bytes} += ${added}) > ${room}) ${room} = memory.grow(${room}, ${bytes});`);
    },
    end: () => cg.f.emit(`if (${bytes} > ${LARGE_LIST}) memory.settle(${list}, ${room} - ${UNCHARGED}, ${bytes});`),
  };
}

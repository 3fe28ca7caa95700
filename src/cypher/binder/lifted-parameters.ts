/**
 * Parameters that stand for literals lifted out of a statement (auto-parameterize.ts): `#` and a letter for the type, then a number. Users
 * cannot write such names: the parser refuses them.
 */
import { FLOAT, INTEGER, LIST, MAP, STRING, type Type } from './types.ts';

const LETTERS: Readonly<Record<string, Type>> = { i: INTEGER, f: FLOAT, s: STRING, l: LIST, m: MAP };

export function liftedParameterName(letter: 'i' | 'f' | 's' | 'l' | 'm', number: number): string {
  return `#${letter}${number}`;
}

export function isLiftedParameter(name: string): boolean {
  return name.startsWith('#');
}

/** null for a user's own parameter, of which nothing is known. */
export function liftedParameterType(name: string): Type | null {
  return isLiftedParameter(name) ? LETTERS[name[1]!]! : null;
}

/**
 * Parameters that replace literals of a statement (auto-parameterize.ts). Their names tell the type, so that statements
 * share a shape only if their literals have the same types: `#`, a code (i f s b m n ?, with an `l` before it for each
 * list around it), a number. Users cannot write such names, since the parser refuses parameters that start with `#`.
 */
import { unreachable } from '../../../base/index.ts';
import { ANY, BOOLEAN, FLOAT, INTEGER, listOf, MAP, NULL, STRING, type Type } from '../types.ts';

const CODES: Readonly<Record<string, Type>> = { i: INTEGER, f: FLOAT, s: STRING, b: BOOLEAN, m: MAP, n: NULL, '?': ANY };

/** Returns the name of a parameter that stands for a literal. */
export function liftedParameterName(type: Type, number: number): string {
  return `#${codeOf(type)}${number}`;
}

function codeOf(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `l${codeOf(type.element!)}`;
    case 'integer':
    case 'float':
    case 'string':
    case 'boolean':
    case 'map':
    case 'null':
      return type.kind === 'null' ? 'n' : type.kind[0]!;
    case 'any':
    case 'number':
    case 'node':
    case 'relationship':
    case 'path':
      return '?';
    default:
      return unreachable(type.kind, 'type');
  }
}

/** Returns the type of a parameter that replaces a literal; null for a parameter of the user, whose type is unknown. */
export function liftedParameterType(name: string): Type | null {
  const match = /^#(l*)([ifsbmn?])\d+$/.exec(name);
  if (match === null) return null;
  let type = CODES[match[2]!]!;
  for (const _ of match[1]!) type = listOf(type);
  return type;
}

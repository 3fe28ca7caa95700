/** Keys of several parts as one pair of numbers: see `exec/runtime/rows/composite-keys.ts`. */
import type { Codegen } from '../codegen.ts';
import { toValue } from '../expressions/to-value.ts';
import type { Typed } from '../typed.ts';

/** No Integer, no ordinal and no number of a key. */
const NULL_PART = '0.5';

/** The code of a key of several parts. */
export interface CompositeKey {
  readonly first: string;
  readonly second: string;
  /** Arguments of the constructor of what keeps the numbers. */
  readonly sizes: string;
}

/** Writes what makes the pair of this row. `bind`: a local with a part of what keeps the numbers. */
export function compositeKey(cg: Codegen, keys: readonly Typed[], bind: (part: string) => string): CompositeKey {
  let numbered = 0;
  const parts = keys.map((key) => {
    const code = numberOf(key) ?? `${bind(`keys[${numbered++}]`)}.of(values.hashKey(${toValue(key)}), memory)`;
    return cg.f.local('part', code);
  });
  const pairs = parts.length - 2;
  let first = parts[0]!;
  for (let at = 0; at < pairs; at++) first = cg.f.local('part', `${bind(`pairs[${at}]`)}.of(${first}, ${parts[at + 1]}, memory)`);
  return { first, second: parts.at(-1)!, sizes: `${numbered}, ${pairs}` };
}

/** JavaScript for the number that stands for the value; null: none does. */
function numberOf(key: Typed): string | null {
  const orNull = ({ code, valid }: { readonly code: string; readonly valid: string | null }): string =>
    valid === null ? code : `(${valid} ? ${code} : ${NULL_PART})`;
  if (key.type === 'null') return '0';
  if (key.type === 'node') return key.code;
  if (key.dictionary !== undefined) return orNull({ code: key.dictionary.code, valid: key.valid });
  if (key.number !== undefined) return key.number;
  if (key.type === 'boolean') return orNull({ code: `(${key.code} ? 1 : 0)`, valid: key.valid });
  if (key.type === 'integer' && key.small === true) return orNull(key);
  return key.day === undefined ? null : orNull(key.day);
}

/** Writes keys of several parts as one pair of numbers: see `exec/runtime/rows/composite-keys.ts`. */
import type { Codegen } from '../codegen.ts';
import { toValue } from '../expressions/to-value.ts';
import type { Typed } from '../typed.ts';

/** The number that stands for null: it is no integer, no ordinal and no number of a key. */
const NULL_PART = '0.5';

/** The code of a key of several parts: its pair of numbers. */
export interface CompositeKey {
  readonly first: string;
  readonly second: string;
  /** Arguments for the constructor of the `CompositeKeys`. */
  readonly sizes: string;
}

/** Writes code that makes the pair of numbers of a row. `bind` returns a local with a part of the `CompositeKeys`. */
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

/** Returns JavaScript for a number that stands for the value; null when it needs one from the `CompositeKeys`. */
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

/**
 * Rows that outlive the loop which made them: a JavaScript array of raw fields (an ordinal, a row, a number, …), one or
 * two per variable. Static types survive the trip, so what comes after a breaker is compiled as well as what came
 * before it.
 */
import { unreachable } from '../../../base/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { any, NULL, node, relationship, type Typed } from '../typed.ts';

/** A row in an array, with the code that reads it. */
export interface StoredRow {
  /** The values of the array, in order. */
  readonly fields: readonly string[];
  /** True when all values are short: none takes memory beside its place. */
  readonly isShort: boolean;
  /** Binds the variables again, from the array in the local `row`, and returns them together with `outer`. */
  load(row: string, outer: Environment): Environment;
}

/**
 * Returns how a row is kept in an array: those of its variables that are in `names`, and not in `outer` already.
 *
 * @param before fields that stand in the array before these, such as keys of a sort; a value among them is not kept
 * twice
 */
export function storeRow(
  cg: Codegen,
  environment: Environment,
  outer: Environment,
  names: ReadonlySet<string>,
  before: readonly string[] = [],
): StoredRow {
  const fields: string[] = [];
  let isShort = true;
  const loaders: ((row: string, into: Map<string, Typed>) => void)[] = [];
  for (const [name, typed] of environment) {
    if (!names.has(name) || outer.get(name) === typed) continue;
    const own = fieldsOf(typed);
    const known = own.length === 1 ? before.indexOf(own[0]!) : -1;
    const at = known >= 0 ? known : before.length + fields.length;
    if (known < 0) fields.push(...own);
    isShort &&= typed.type !== 'any' && typed.type !== 'string';
    loaders.push((row, into) => into.set(name, loadTyped(cg, typed, row, at)));
  }
  return {
    fields,
    isShort,
    load(row, around) {
      const loaded = new Map(around);
      for (const loader of loaders) loader(row, loaded);
      return loaded;
    },
  };
}

/** Returns JavaScript for each of the fields that keep a value in an array. */
export function fieldsOf(typed: Typed): string[] {
  switch (typed.type) {
    case 'null':
      return [];
    case 'node':
    case 'any':
      return [typed.code];
    case 'relationship': {
      const facts = typed.relationship!;
      return facts.type === null ? [facts.typeCode, facts.rowCode] : [facts.rowCode];
    }
    case 'boolean':
    case 'integer':
    case 'float':
    case 'string':
      return [typed.valid === null ? typed.code : `(${typed.valid} ? ${typed.code} : null)`];
    default:
      return unreachable(typed.type, 'type');
  }
}

/** Returns a value that is kept in an array from field `at` on. */
export function loadTyped(cg: Codegen, typed: Typed, row: string, at: number): Typed {
  switch (typed.type) {
    case 'null':
      return NULL;
    case 'node':
      return node(cg.f.local('n', `${row}[${at}]`), typed.valid !== null, { tables: typed.node!.tables, row: null, table: null });
    case 'relationship': {
      const facts = typed.relationship!;
      const typeCode = facts.type === null ? cg.f.local('rt', `${row}[${at}]`) : facts.typeCode;
      const rowCode = cg.f.local('rr', `${row}[${facts.type === null ? at + 1 : at}]`);
      return relationship({ typeCode, rowCode, type: facts.type, source: null, target: null }, typed.valid !== null);
    }
    case 'any':
      return any(cg.f.local('x', `${row}[${at}]`), typed.shape);
    case 'boolean':
    case 'integer':
    case 'float':
    case 'string': {
      const local = cg.f.local('x', `${row}[${at}]`);
      return { type: typed.type, code: local, valid: typed.valid === null ? null : `${local} !== null`, small: typed.small };
    }
    default:
      return unreachable(typed.type, 'type');
  }
}

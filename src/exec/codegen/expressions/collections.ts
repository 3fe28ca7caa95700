/** Compiles lists, maps, subscripts, comprehensions, quantifiers, reduce and CASE. */
import type {
  CaseExpression,
  Expression,
  IndexAccess,
  ListComprehension,
  ListLiteral,
  MapLiteral,
  MapProjection,
  Quantifier,
  Reduce,
  SliceAccess,
} from '../../../cypher/index.ts';
import type { Codegen, Environment } from '../codegen.ts';
import { knownValues } from '../known-values.ts';
import { any, type Typed } from '../typed.ts';
import { compare } from './comparison.ts';
import { compileExpression } from './expression.ts';
import { growingList, stabilise } from './locals.ts';
import { compileCondition, isTrue } from './logic.ts';
import { toValue, valueLocal } from './to-value.ts';

/** The least number of elements for which a list of known values is made from a table. */
const LONG_LIST = 256;

/** Returns the local with a long list of literals and parameters, which is made once; null for a short one, or any other list. */
export function longKnownList(cg: Codegen, { items }: ListLiteral): string | null {
  const known = items.length < LONG_LIST ? null : knownValues(items);
  if (known === null) return null;
  const table = cg.constant(known);
  return cg.f.hoist(`list:${table}`, 'list', `rt.knownList(${table})`);
}

/** Compiles a list literal. */
export function compileList(cg: Codegen, environment: Environment, list: ListLiteral): Typed {
  const long = longKnownList(cg, list);
  if (long !== null) {
    holdMade(cg, long);
    return any(long, 'list');
  }
  const typed = list.items.map((item) => compileExpression(cg, environment, item));
  const items = typed.map((item) => valueLocal(cg, item));
  const made = cg.f.local('list', `[${items.join(', ')}]`);
  if (typed.some(mayHoldValues)) holdMade(cg, made);
  return any(made, 'list');
}

/**
 * Writes that a list or map is held. It is small if its values stand elsewhere too; but as a tree, as which other code
 * reads it, it may be large.
 */
function holdMade(cg: Codegen, made: string): void {
  cg.holds();
  cg.f.emit(`memory.holdMade(${made});`);
}

function mayHoldValues({ type, constant }: Typed): boolean {
  return type === 'any' && constant !== true;
}

/** Compiles a map literal. */
export function compileMap(cg: Codegen, environment: Environment, map: MapLiteral): Typed {
  const typed = map.entries.map(({ value }) => compileExpression(cg, environment, value));
  const entries = map.entries.map(({ key }, i) => `[${cg.constant(key)}, ${toValue(typed[i]!)}]`);
  const made = cg.f.local('map', `new Map([${entries.join(', ')}])`);
  if (typed.some(mayHoldValues)) holdMade(cg, made);
  return any(made, 'map');
}

/** Compiles a map projection. */
export function compileMapProjection(cg: Codegen, environment: Environment, projection: MapProjection): Typed {
  const subject = valueLocal(cg, compileExpression(cg, environment, projection.subject));
  const map = cg.f.variable('map', projection.all ? `values.projectAll(${subject})` : `projectNone(${subject})`);
  if (projection.entries.length === 0) return any(map);
  cg.f.open(`if (${map} !== null) {`);
  const named = projection.all ? cg.f.local('named', 'new Map()') : map;
  for (const { key, value } of projection.entries) {
    cg.f.emit(`${named}.set(${cg.constant(key)}, ${toValue(compileExpression(cg, environment, value))});`);
  }
  if (projection.all) cg.f.emit(`${map} = namedBefore(${named}, ${map});`);
  holdMade(cg, map);
  cg.f.close();
  return any(map);
}

/** Compiles a subscript. */
export function compileIndex(cg: Codegen, environment: Environment, access: IndexAccess): Typed {
  const subject = valueLocal(cg, compileExpression(cg, environment, access.subject));
  const index = toValue(compileExpression(cg, environment, access.index));
  return any(cg.f.local('x', `reads.subscript(${subject}, ${index})`));
}

/** Compiles a slice of a list. */
export function compileSlice(cg: Codegen, environment: Environment, access: SliceAccess): Typed {
  const subject = valueLocal(cg, compileExpression(cg, environment, access.subject));
  const bound = (part: Expression | null): string =>
    part === null ? 'undefined' : valueLocal(cg, compileExpression(cg, environment, part));
  const from = bound(access.from);
  const to = bound(access.to);
  cg.holds();
  return any(cg.f.local('x', `values.slice(${subject}, ${from}, ${to})`));
}

/**
 * Writes a loop over a list value; `body` writes the code of a turn, with the element bound. `held`: JavaScript for the
 * bytes that are held at the beginning of each turn; null: those that were held before it.
 */
function forEach(
  cg: Codegen,
  environment: Environment,
  variable: string,
  list: string,
  body: (environment: Environment, element: string) => void,
  held: string | null,
): void {
  const element = cg.f.fresh('el');
  const header = `for (const ${element} of ${list}) {`;
  if (held === null) cg.f.open(header);
  else cg.f.openHolding(header, held);
  cg.work('1');
  body(new Map(environment).set(variable, any(element)), element);
  cg.f.close();
}

/** Compiles a list comprehension. */
export function compileListComprehension(cg: Codegen, environment: Environment, comprehension: ListComprehension): Typed {
  const list = cg.f.local('in', `values.listOf(${toValue(compileExpression(cg, environment, comprehension.list))})`);
  const made = cg.f.local('out', `${list} === null ? null : []`);
  const out = growingList(cg, made);
  cg.f.open(`if (${list} !== null) {`);
  forEach(
    cg,
    environment,
    comprehension.variable.name,
    list,
    (inner, element) => {
      if (comprehension.where !== null) cg.f.open(`if (${compileCondition(cg, inner, comprehension.where)}) {`);
      const value = comprehension.projection === null ? any(element) : compileExpression(cg, inner, comprehension.projection);
      out.add(toValue(value), value.type === 'integer' || value.type === 'boolean');
      if (comprehension.where !== null) cg.f.close();
    },
    null,
  );
  out.end();
  cg.f.close();
  return any(made, 'list');
}

/** Compiles a quantifier. */
export function compileQuantifier(cg: Codegen, environment: Environment, quantifier: Quantifier): Typed {
  const list = cg.f.local('in', `values.listOf(${toValue(compileExpression(cg, environment, quantifier.list))})`);
  const counts = { true: cg.f.variable('yes', '0'), false: cg.f.variable('no', '0'), null: cg.f.variable('unknown', '0') };
  cg.f.open(`if (${list} !== null) {`);
  forEach(
    cg,
    environment,
    quantifier.variable.name,
    list,
    (inner, element) => {
      const value = quantifier.where === null ? element : valueLocal(cg, compileExpression(cg, inner, quantifier.where));
      cg.f.emit(
        `if (${value} === true) ${counts.true}++; else if (${value} === null) ${counts.null}++; else if (isFalse(${value})) ` +
          `${counts.false}++;`,
      );
    },
    null,
  );
  cg.f.close();
  const some = {
    all: `${counts.false} > 0 ? false : ${counts.null} > 0 ? null : true`,
    any: `${counts.true} > 0 ? true : ${counts.null} > 0 ? null : false`,
    none: `${counts.true} > 0 ? false : ${counts.null} > 0 ? null : true`,
    single: `${counts.true} > 1 ? false : ${counts.null} > 0 ? null : ${counts.true} === 1`,
  }[quantifier.quantifier];
  return any(cg.f.local('x', `${list} === null ? null : ${some}`));
}

/** Compiles reduce(). The value of each step is held until that of the next step is there. */
export function compileReduce(cg: Codegen, environment: Environment, reduce: Reduce): Typed {
  const list = cg.f.local('in', `values.listOf(${toValue(compileExpression(cg, environment, reduce.list))})`);
  const accumulator = cg.f.variable('acc', `${list} === null ? null : ${toValue(compileExpression(cg, environment, reduce.initial))}`);
  const held = cg.f.local('held', 'memory.held');
  const size = cg.f.variable('size', '0');
  cg.holds();
  cg.f.open(`if (${list} !== null) {`);
  const step = (inner: Environment): void => {
    cg.f.emit(`${accumulator} = ${toValue(compileExpression(cg, inner, reduce.expression))};`);
    cg.f.emit(`if (!isNumber(${accumulator})) ${size} = memory.bytesBeside(${accumulator});`);
  };
  const around = new Map(environment).set(reduce.accumulator.name, any(accumulator));
  forEach(cg, around, reduce.variable.name, list, step, `${held} + ${size}`);
  cg.f.close();
  return any(accumulator);
}

/** Branches inside one another at most: the depth of what V8 parses by recursion does not grow with a long CASE. */
const MOST_NESTED = 64;

/**
 * Compiles CASE. A branch is computed only when it is chosen. Each stands in the `else` of the one before it; after
 * every `MOST_NESTED` branches, a new block begins for values that have chosen none.
 */
export function compileCase(cg: Codegen, environment: Environment, expression: CaseExpression): Typed {
  const { branches, otherwise } = expression;
  const subject = expression.subject === null ? null : stabilise(cg, compileExpression(cg, environment, expression.subject));
  const result = cg.f.variable('x', 'null');
  const isOpen = branches.length > MOST_NESTED ? cg.f.variable('open', 'true') : null;
  const values: Typed[] = [];
  const give = (branch: Expression): void => {
    const value = compileExpression(cg, environment, branch);
    values.push(value);
    cg.f.emit(`${result} = ${toValue(value)};`);
    if (isOpen !== null) cg.f.emit(`${isOpen} = false;`);
  };
  let depth = 0;
  const closeAll = (): void => {
    for (; depth > 0; depth--) cg.f.close();
  };
  branches.forEach((branch, i) => {
    if (i > 0 && i % MOST_NESTED === 0) {
      closeAll();
      cg.f.open(`if (${isOpen}) {`);
      depth++;
    }
    const condition =
      subject === null
        ? compileCondition(cg, environment, branch.when)
        : isTrue(compare(cg, '=', subject, compileExpression(cg, environment, branch.when)));
    cg.f.open(`if (${condition}) {`);
    give(branch.then);
    cg.f.reopen('} else {');
    depth++;
  });
  if (otherwise !== null) give(otherwise);
  closeAll();
  return oneOf(result, values, otherwise !== null);
}

/**
 * Returns a local that holds one of several values. It is typed when all of them have the same type and their Value is
 * the raw value. `complete`: the local always gets one of the values.
 */
function oneOf(local: string, values: readonly Typed[], complete: boolean): Typed {
  const present = values.filter((value) => value.type !== 'null');
  const type = present[0]?.type;
  if (type === undefined || !(type === 'integer' || type === 'string' || type === 'boolean')) return any(local);
  if (present.some((value) => value.type !== type)) return any(local);
  const always = complete && present.length === values.length && present.every((value) => value.valid === null);
  return { type, code: local, valid: always ? null : `${local} !== null` };
}

/** Writes operators that treat one row at a time: filter, project, unwind, skip, limit. */
import { isNamed } from '../../../functions/index.ts';
import { conjunction, type Filter, type Limit, type PlanExpression, type Project, type Skip, type Unwind } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { rangeCondition } from '../expressions/comparison.ts';
import { compileExpression, compileValue } from '../expressions/expression.ts';
import { refine } from '../expressions/labels.ts';
import { stabiliseLate } from '../expressions/locals.ts';
import { compileCondition } from '../expressions/logic.ts';
import { sinkRow } from '../paged/sinks.ts';
import { any, type Typed } from '../typed.ts';
import { MULTIPLICITY } from './close-edge.ts';
import { guard, produceExpandAfter } from './expand.ts';
import { produceScan } from './leaves.ts';
import { withNames } from './needs.ts';
import { produce } from './produce.ts';
import { selectionOf } from './selection.ts';

type Needed = ReadonlySet<string>;

/** Writes a filter. */
export function produceFilter(cg: Codegen, filter: Filter, outer: Environment, needed: Needed, consume: Consume): void {
  const { input } = filter;
  const all = conjunctsOf(filter.predicate);
  const below = withNames(needed, filter.predicate);
  const selection = selectionOf(cg, input, all);
  const order = cg.profile || input.kind !== 'expand' || input.into ? undefined : all.find((each) => isOrderOf(each, input.to));
  if (selection !== null) {
    produceScan(cg, { ...selection, outer, needed: below }, (environment, isExact) => {
      askedAgain(cg, selection.tested, { environment, isExact }, () => nested(cg, selection.rest, environment, consume));
    });
  } else if (order?.kind === 'nodeOrder' && input.kind === 'expand') {
    // Lists are sorted: neighbours with greater ordinals are the end of a list.
    const rest = all.filter((each) => each !== order);
    produceExpandAfter(cg, input, order.low.name, {
      outer,
      needed: below,
      consume: (environment) => nested(cg, rest, environment, consume),
    });
  } else {
    produce(cg, input, outer, below, (environment) => {
      // Most rows of an expand between known nodes stand for no match at all.
      const multiplicity = environment.get(MULTIPLICITY);
      const guarded = guard(cg, [multiplicity === undefined ? null : `${multiplicity.code} !== 0`]);
      nested(cg, all, environment, consume);
      if (guarded) cg.f.close();
    });
  }
}

/** Writes the conditions that filters have tested for a morsel once more, for each row, unless the filters are exact. */
function askedAgain(
  cg: Codegen,
  tested: readonly PlanExpression[],
  { environment, isExact }: { readonly environment: Environment; readonly isExact: string },
  passed: () => void,
): void {
  if (tested.length === 0) {
    passed();
    return;
  }
  const passes = cg.f.variable('passes', isExact);
  cg.f.open(`if (!${isExact}) {`);
  nested(cg, tested, environment, () => cg.f.emit(`${passes} = true;`));
  cg.f.close();
  cg.f.open(`if (${passes}) {`);
  passed();
  cg.f.close();
}

function conjunctsOf(predicate: PlanExpression): readonly PlanExpression[] {
  return predicate.kind === 'logical' && predicate.operator === 'and' ? predicate.operands : [predicate];
}

function isOrderOf(conjunct: PlanExpression, node: string): boolean {
  return conjunct.kind === 'nodeOrder' && conjunct.high.name === node && conjunct.low.name !== node;
}

/** Blocks inside one another at most: the depth of what V8 parses by recursion does not grow with a long condition. */
const MOST_NESTED = 64;

/** Returns the conditions as they are or, when they are more than `MOST_NESTED`, joined to fewer, in their order. */
function inFewParts(conjuncts: readonly PlanExpression[]): readonly PlanExpression[] {
  if (conjuncts.length <= MOST_NESTED) return conjuncts;
  const size = Math.ceil(conjuncts.length / MOST_NESTED);
  return Array.from({ length: Math.ceil(conjuncts.length / size) }, (_, i) => conjunction(conjuncts.slice(i * size, (i + 1) * size)));
}

/** Writes nested conditions, one per conjunct; a label test that held narrows the tables of its node for what follows. */
function nested(cg: Codegen, conjuncts: readonly PlanExpression[], environment: Environment, consume: Consume): void {
  const all = inFewParts(conjuncts);
  let known = environment;
  let open = 0;
  for (let at = 0; at < all.length; at++) {
    const conjunct = all[at]!;
    const next = all[at + 1];
    const range = next === undefined ? null : rangeCondition(cg, known, conjunct, next);
    if (range !== null) at++;
    const condition = range ?? compileCondition(cg, known, conjunct);
    if (condition !== 'true' && condition !== '(true)') {
      cg.f.open(`if (${condition}) {`);
      open++;
    }
    known = narrowed(cg, known, conjunct);
  }
  consume(known);
  for (; open > 0; open--) cg.f.close();
}

function narrowed(cg: Codegen, environment: Environment, conjunct: PlanExpression): Environment {
  if (conjunct.kind !== 'hasLabels' || conjunct.subject.kind !== 'variable') return environment;
  const name = conjunct.subject.name;
  const typed = environment.get(name);
  return typed?.type === 'node' ? new Map(environment).set(name, refine(cg, typed, conjunct.labels)) : environment;
}

/** Writes a projection. */
export function produceProject(cg: Codegen, project: Project, outer: Environment, needed: Needed, consume: Consume): void {
  // Errors of an item that is never read are errors all the same, so every item is computed; reading a column has none.
  produce(cg, project.input, outer, withNames(needed, ...project.items.map((item) => item.expression)), (environment) => {
    const result = new Map<string, Typed>(project.discard ? outer : environment);
    for (const { variable, expression } of project.items)
      result.set(variable, stabiliseLate(cg, compileExpression(cg, environment, expression)));
    consume(result);
  });
}

/** Writes UNWIND. */
export function produceUnwind(cg: Codegen, unwind: Unwind, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, unwind.input, outer, withNames(needed, unwind.list), (environment) => {
    const element = openElements(cg, unwind.list, environment);
    cg.work('1');
    consume(new Map(environment).set(unwind.variable, element));
    cg.f.close();
  });
}

/** Opens a loop over the elements of a list, and returns the element of a turn. */
export function openElements(cg: Codegen, list: PlanExpression, environment: Environment): Typed {
  const element = cg.f.fresh('el');
  if (list.kind === 'function' && isNamed(list.name, 'range')) {
    overRange(
      cg,
      element,
      list.arguments.map((argument) => compileValue(cg, environment, argument)),
    );
    return { type: 'integer', code: element, valid: null };
  }
  cg.f.open(`for (const ${element} of values.elements(${compileValue(cg, environment, list)})) {`);
  return any(element);
}

/** Opens a loop over the numbers of range() one by one: the list is never made. */
function overRange(cg: Codegen, element: string, operands: readonly string[]): void {
  const context = cg.f.hoist('functionContext', 'fc', 'rt.functionContext');
  const range = cg.f.local('range', `countedRange(${[context, ...operands].join(', ')})`);
  const [end, step, at] = [cg.f.local('end', `${range}.end`), cg.f.local('by', `${range}.step`), cg.f.local('at', `${range}.at`)];
  const count = cg.f.fresh('i');
  cg.f.open(`for (let ${count} = ${range}.start; ${step} > 0 ? ${count} <= ${end} : ${count} >= ${end}; ${count} += ${step}) {`);
  cg.f.emit(`const ${element} = ${at} === null ? ${count} : ${at}(${count});`);
}

/** Writes SKIP. */
export function produceSkip(cg: Codegen, skip: Skip, outer: Environment, needed: Needed, consume: Consume): void {
  const count = cg.f.variable('skip', `rowCount(${compileValue(cg, outer, skip.count)}, ${cg.constant('SKIP')})`);
  produce(cg, skip.input, outer, needed, (environment) =>
    sinkRow(cg, { outer, environment, expressions: [], names: needed }, (row) => {
      cg.f.open(`if (${count} > 0) {`);
      cg.f.emit(`${count}--;`);
      cg.f.reopen('} else {');
      consume(row);
      cg.f.close();
    }),
  );
}

/** Writes LIMIT. */
export function produceLimit(cg: Codegen, limit: Limit, outer: Environment, needed: Needed, consume: Consume): void {
  const left = cg.f.variable('limit', `rowCount(${compileValue(cg, outer, limit.count)}, ${cg.constant('LIMIT')})`);
  const label = cg.f.fresh('L');
  // Updates below run even when no row is wanted. Code that reads pages has none, and must not leave a row that has missed a page.
  const runsForNone = cg.generic && !cg.paged;
  cg.f.open(runsForNone ? `${label}: {` : `${label}: if (${left} > 0) {`);
  produce(cg, limit.input, outer, needed, (environment) => {
    if (runsForNone) cg.f.emit(`if (${left} <= 0) break ${label};`);
    sinkRow(cg, { outer, environment, expressions: [], names: needed }, (row) => {
      consume(row);
      cg.f.emit(`if (--${left} <= 0) break ${label};`);
    });
  });
  cg.f.close();
}

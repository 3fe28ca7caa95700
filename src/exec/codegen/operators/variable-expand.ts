/**
 * Writes variable-length patterns, quantified paths and shortest paths: the walk itself is a class of the runtime; the
 * predicate of a step is compiled.
 */
import { assert } from '../../../base/index.ts';
import type { ShortestPath, VariableExpand } from '../../../plan/index.ts';
import { neighbourTables } from '../adjacency-arrays.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { bind, nodeOf } from '../environment.ts';
import { compileCondition } from '../expressions/logic.ts';
import { toValue } from '../expressions/to-value.ts';
import { any, node, relationship, type Typed } from '../typed.ts';
import { guard } from './expand.ts';
import { withNames, withVariables } from './needs.ts';
import { nodeSet } from './node-set.ts';
import { produce } from './produce.ts';

type Needed = ReadonlySet<string>;

/** Writes a variable-length expand. */
export function produceVariableExpand(cg: Codegen, expand: VariableExpand, outer: Environment, needed: Needed, consume: Consume): void {
  const below = withVariables(
    withNames(needed, expand.uniqueAgainst, expand.step, expand.quantified),
    expand.from,
    ...(expand.into ? [expand.to] : []),
    ...(expand.relationshipsBound ? [expand.relationships] : []),
  );
  produce(cg, expand.input, outer, below, (environment) => {
    const from = nodeOf(cg, environment, expand.from);
    const into = expand.into ? nodeOf(cg, environment, expand.to) : undefined;
    if (from === null || into === null) return;
    const guarded = guard(cg, [from.valid, into?.valid ?? null]);
    if (expand.quantified !== null) quantified(cg, expand, expand.quantified, { environment, from, into }, consume);
    else if (expand.relationshipsBound) alongBound(cg, expand, { environment, from, into }, consume);
    else walk(cg, expand, { environment, from, into }, consume);
    if (guarded) cg.f.close();
  });
}

interface Ends {
  readonly environment: Environment;
  readonly from: Typed;
  readonly into: Typed | undefined;
}

function walk(cg: Codegen, expand: VariableExpand, ends: Ends, consume: Consume): void {
  const { environment, from, into } = ends;
  const shape = shapeOf(cg, expand, environment);
  if (expand.distinctEnds) {
    distinctWalk(cg, expand, { ...ends, shape }, consume);
    return;
  }
  const walker = cg.f.local('walk', `new Walk(rt, ${shape})`);
  cg.f.emit(`${walker}.start(${from.code}, ${into?.code ?? '-1'});`);
  overWalk(cg, walker);
  const bound = new Map(environment);
  if (expand.listNeeded) cg.holds();
  if (expand.listNeeded) bound.set(expand.relationships, any(cg.f.local('rels', `${walker}.relationships(${expand.reversed})`), 'list'));
  if (into === undefined) bound.set(expand.to, endOf(cg, walker, endTables(neighbourTables(cg, expand), expand, from)));
  consume(bound);
  cg.f.close();
}

function endOf(cg: Codegen, walker: string, tables: readonly number[] | null): Typed {
  return node(cg.f.local('n', `${walker}.end`), false, { tables, row: null, table: null });
}

/**
 * Returns the indexes of the tables that the end of a walk can be in: those that its last step reaches, and those of
 * its start if it may take no step. Null when they are not known.
 */
function endTables(reached: readonly number[] | null, expand: VariableExpand, from: Typed): readonly number[] | null {
  if (expand.min > 0 || reached === null) return reached;
  const start = from.node?.tables ?? null;
  return start === null ? null : [...new Set([...reached, ...start])];
}

/** Writes a walk that gives each end once. Ends come in batches, each with a loop that lines can be written around. */
function distinctWalk(
  cg: Codegen,
  expand: VariableExpand,
  { environment, from, into, shape }: Ends & { readonly shape: string },
  consume: Consume,
): void {
  const { f } = cg;
  const walker = f.local('walk', `new DistinctWalk(rt, ${shape}, ${nodeSet(cg)})`);
  f.emit(`${walker}.start(${from.code}, ${into?.code ?? '-1'});`);
  f.open(`while (${walker}.next()) {`);
  cg.work(`${walker}.steps`);
  const array = f.local('ends', `${walker}.ends`);
  const position = f.variable('k', `${walker}.first`);
  const end = f.local('e', `${walker}.last`);
  const binds = f.fresh('n');
  f.openLoop(`for (; ${position} < ${end}; ${position}++) {`, { binds, array, position, end, run: walker });
  const tables = endTables(neighbourTables(cg, expand), expand, from);
  f.laterAs(binds, `${array}[${position}]`);
  consume(into === undefined ? bind(environment, [expand.to, node(binds, false, { tables, row: null, table: null })]) : environment);
  f.closeLoop();
  f.close();
}

/** Returns JavaScript for the `WalkShape` of the expand. */
function shapeOf(cg: Codegen, expand: VariableExpand, environment: Environment): string {
  const types = expand.types === null ? 'null' : cg.constant(expand.types);
  const max = expand.max === null ? 'Infinity' : String(expand.max);
  const excluded = expand.uniqueAgainst.map((name) => toValue(environment.get(name)!));
  const step = stepPredicate(cg, environment, expand.step);
  const direction = cg.constant(expand.direction);
  return `{ types: ${types}, direction: ${direction}, min: ${expand.min}, max: ${max}, excluded: [${excluded.join(', ')}], step: ${step} }`;
}

/** Opens a loop over the rows of a walk: `next` returns 0 at its end, 1 for a row, 2 when it offers to be interrupted. */
function overWalk(cg: Codegen, walker: string): void {
  const state = cg.f.fresh('state');
  cg.f.open(`for (let ${state} = ${walker}.next(); ${state} !== 0; ${state} = ${walker}.next()) {`);
  cg.f.emit(`if (${state} === 2) { ${cg.rest()} continue; }`);
}

/** Writes a walk along a list of relationships that is bound already: it must consist of exactly these. */
function alongBound(cg: Codegen, expand: VariableExpand, ends: Ends, consume: Consume): void {
  const { environment, from, into } = ends;
  const list = environment.get(expand.relationships);
  assert(list !== undefined, 'the bound list is in scope');
  const end = cg.f.fresh('n');
  const shape = shapeOf(cg, expand, environment);
  const between = `{ from: ${from.code}, into: ${into?.code ?? '-1'}, reversed: ${expand.reversed} }`;
  cg.f.open(`for (const ${end} of reads.alongRelationships(${toValue(list)}, ${between}, ${shape})) {`);
  cg.work('1');
  consume(into === undefined ? bind(environment, [expand.to, node(end, false)]) : environment);
  cg.f.close();
}

/** Writes a function of (type, row, from, to) that tells whether the walk may take a step, and returns its name; `null` for any step. */
export function stepPredicate(cg: Codegen, environment: Environment, step: VariableExpand['step']): string {
  if (step === null) return 'null';
  const name = cg.f.fresh('step');
  const [type, row, from, to] = ['rt', 'rr', 'n', 'n'].map((prefix) => cg.f.fresh(prefix)) as [string, string, string, string];
  cg.closure(`const ${name} = (${type}, ${row}, ${from}, ${to}) => {`, () => {
    cg.work('1');
    const bound = bind(
      environment,
      [step.relationship, relationship({ typeCode: type, rowCode: row, type: null, source: null, target: null }, false)],
      [step.from, node(from, false)],
      [step.to, node(to, false)],
    );
    return compileCondition(cg, bound, step.predicate);
  });
  return name;
}

/** Writes a quantified path: each repetition of the inner pattern is a run of its plan, in a depth-first search over repetitions. */
function quantified(
  cg: Codegen,
  expand: VariableExpand,
  group: NonNullable<VariableExpand['quantified']>,
  ends: Ends,
  consume: Consume,
): void {
  const { environment, from, into } = ends;
  const excluded = expand.uniqueAgainst.map((name) => toValue(environment.get(name)!));
  const start = cg.f.fresh('n');
  const name = cg.f.fresh('once');
  let reached: readonly number[] | null = null;
  cg.closure(`const ${name} = (${start}) => {`, () => {
    cg.work('1');
    cg.f.emit('const steps = [];');
    const wanted = new Set([group.to, ...group.relationships, ...group.groups.map((one) => one.inner)]);
    produce(cg, group.plan, bind(environment, [group.from, node(start, false)]), wanted, (inner) => {
      const read = (variable: string): string => toValue(inner.get(variable) ?? environment.get(variable)!);
      const to = nodeOf(cg, inner, group.to);
      if (to === null) return;
      reached = to.node?.tables ?? null;
      const relationships = group.relationships.map(read).join(', ');
      const values = group.groups.map((one) => read(one.inner)).join(', ');
      cg.f.emit(`steps.push({ to: ${to.code}, relationships: [${relationships}], values: [${values}] });`);
    });
    return 'steps';
  });
  const max = expand.max === null ? 'Infinity' : String(expand.max);
  const walker = cg.f.local(
    'walk',
    `new QuantifiedWalk(rt, ${name}, { min: ${expand.min}, max: ${max}, excluded: [${excluded.join(', ')}] })`,
  );
  cg.f.emit(`${walker}.start(${from.code}, ${into?.code ?? '-1'});`);
  overWalk(cg, walker);
  cg.holds();
  const bound = new Map(environment);
  bound.set(expand.relationships, any(cg.f.local('rels', `${walker}.relationships(${expand.reversed})`), 'list'));
  group.groups.forEach((one, i) => bound.set(one.outer, any(cg.f.local('x', `${walker}.values(${i}, ${expand.reversed})`), 'list')));
  if (into === undefined) bound.set(expand.to, endOf(cg, walker, endTables(reached, expand, from)));
  consume(bound);
  cg.f.close();
}

/** Writes a search for shortest paths. */
export function produceShortestPath(cg: Codegen, path: ShortestPath, outer: Environment, needed: Needed, consume: Consume): void {
  const below = withVariables(withNames(needed, path.step, path.predicate), path.from, path.to);
  produce(cg, path.input, outer, below, (environment) => {
    const from = nodeOf(cg, environment, path.from);
    const to = nodeOf(cg, environment, path.to);
    if (from === null || to === null) return;
    const guarded = guard(cg, [from.valid, to.valid]);
    const types = path.types === null ? 'null' : cg.constant(path.types);
    const max = path.max === null ? 'Infinity' : String(path.max);
    const step = stepPredicate(cg, environment, path.step);
    const accept = pathPredicate(cg, environment, path);
    const list = cg.f.fresh('rels');
    const shape =
      `{ types: ${types}, direction: ${cg.constant(path.direction)}, min: ${path.min}, max: ${max}, excluded: [], ` + `step: ${step} }`;
    const wanted = `{ mode: ${cg.constant(path.mode)}, count: ${path.count}, accept: ${accept} }`;
    cg.f.open(`for (const ${list} of shortestPaths(rt, { from: ${from.code}, to: ${to.code} }, ${shape}, ${wanted})) {`);
    cg.f.emit(`if (${list} === null) { ${cg.rest()} continue; }`);
    cg.work('1');
    cg.holds();
    consume(new Map(environment).set(path.relationships, any(list, 'list')));
    cg.f.close();
    if (guarded) cg.f.close();
  });
}

function pathPredicate(cg: Codegen, environment: Environment, path: ShortestPath): string {
  if (path.predicate === null) return 'null';
  const name = cg.f.fresh('accept');
  const list = cg.f.fresh('rels');
  cg.closure(`const ${name} = (${list}) => {`, () => {
    cg.work('1');
    return compileCondition(cg, bind(environment, [path.relationships, any(list, 'list')]), path.predicate!);
  });
  return name;
}

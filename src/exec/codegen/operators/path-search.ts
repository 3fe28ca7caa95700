/**
 * Writes the search of a selector: the automaton of its pattern, whose conditions are compiled, is passed to a class of
 * the runtime, and each path that it finds comes back as a row.
 */
import type { PathOutput, PathSearch } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { bind, nodeOf } from '../environment.ts';
import { compileValue } from '../expressions/expression.ts';
import { compileCondition } from '../expressions/logic.ts';
import { any, node, relationship, type Typed } from '../typed.ts';
import { guard } from './expand.ts';
import { withNames, withVariables } from './needs.ts';
import { produce } from './produce.ts';
import { stepPredicate } from './variable-expand.ts';

type Needed = ReadonlySet<string>;

/** Writes the search of a selector. */
export function producePathSearch(cg: Codegen, search: PathSearch, outer: Environment, needed: Needed, consume: Consume): void {
  const { nodeTests, stepTests } = search.automaton;
  const below = withVariables(withNames(needed, nodeTests, stepTests), search.from, ...(search.into ? [search.to] : []));
  produce(cg, search.input, outer, below, (environment) => {
    const from = nodeOf(cg, environment, search.from);
    const into = search.into ? nodeOf(cg, environment, search.to) : undefined;
    if (from === null || into === null) return;
    const guarded = guard(cg, [from.valid, into?.valid ?? null]);
    const path = cg.f.fresh('path');
    const ends = `{ from: ${from.code}, into: ${into?.code ?? '-1'} }`;
    const count = typeof search.count === 'number' ? search.count : `pathCount(${compileValue(cg, environment, search.count)})`;
    const wanted = `{ mode: ${cg.constant(search.mode)}, count: ${count} }`;
    cg.f.open(`for (const ${path} of searchPaths(rt, ${ends}, ${automatonCode(cg, search, environment)}, ${wanted})) {`);
    cg.f.emit(`if (${path} === null) { ${cg.rest()} continue; }`);
    cg.work('1');
    cg.holds();
    const bound = new Map(environment);
    for (const output of search.outputs) if (needed.has(output.variable)) bound.set(output.variable, outputOf(cg, search, output, path));
    consume(bound);
    cg.f.close();
    if (guarded) cg.f.close();
  });
}

/** Returns JavaScript for the `Automaton` of the pattern. */
function automatonCode(cg: Codegen, { automaton }: PathSearch, environment: Environment): string {
  const nodeTests = automaton.nodeTests.map((test) => {
    const name = cg.f.fresh('place');
    const at = cg.f.fresh('n');
    cg.closure(`const ${name} = (${at}) => {`, () => {
      cg.work('1');
      return compileCondition(cg, bind(environment, [test.node, node(at, false)]), test.predicate);
    });
    return name;
  });
  const stepTests = automaton.stepTests.map((test) => stepPredicate(cg, environment, test));
  const states = automaton.states.map((test) => nodeTests[test] ?? 'null');
  const steps = automaton.steps.map(({ from, to, types, direction, test }) => {
    const ofTypes = types === null ? 'null' : cg.constant(types);
    return `{ from: ${from}, to: ${to}, types: ${ofTypes}, direction: ${cg.constant(direction)}, test: ${stepTests[test] ?? 'null'} }`;
  });
  const { start, accept, skips } = automaton;
  return (
    `{ start: ${start}, accept: ${accept}, states: [${states.join(', ')}], steps: [${steps.join(', ')}], skips: ` +
    `${cg.constant(skips)} }`
  );
}

function outputOf(cg: Codegen, { reversed }: PathSearch, { of, isList, places }: PathOutput, path: string): Typed {
  const at = cg.constant(places);
  if (isList) return any(cg.f.local('list', `${path}.${of}s(${at}, ${reversed})`), 'list');
  if (of === 'node') return node(cg.f.local('n', `${path}.node(${at})`), false);
  const value = cg.f.local('rel', `${path}.relationships(${at}, false)[0]`);
  return relationship({ typeCode: `${value}.type`, rowCode: `${value}.row`, type: null, source: null, target: null }, false);
}

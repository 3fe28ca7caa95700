/**
 * Writes an expand between two nodes that are bound already, when the relationship itself is not read: then only the
 * number of relationships matters.
 *
 * Rows with the same first node come one after the other. Some of them are answered by binary search in its sorted
 * list. Once that would take too many searches, the weights of all its neighbours are noted in an array (how many
 * relationships lead to each), and each further row is answered by one read. So the search never costs much more than
 * the better of both.
 *
 * Relationships of the same MATCH that lie between the same two nodes are counted with the others, each once, and
 * subtracted.
 */
import type { Expand } from '../../../plan/index.ts';
import { type Arrays, arraysOf } from '../adjacency-arrays.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { bind } from '../environment.ts';
import type { RelationshipFacts, Typed } from '../typed.ts';

type Side = 'out' | 'in';

/**
 * The name for how many equal rows a row stands for, 0 among them. The binder gives it to no variable. A row has
 * it only if its consumer needs it; a row without it stands for itself.
 */
export const MULTIPLICITY = ' multiplicity';

/** Writes the expand as a count of relationships. False, with nothing written, when the plan or the shape does not allow it. */
export function closeEdge(
  cg: Codegen,
  expand: Expand,
  environment: Environment,
  { needed, consume }: { needed: ReadonlySet<string>; consume: Consume },
): boolean {
  if (!expand.into || needed.has(expand.relationship) || cg.generic || expand.types === null || expand.types.length !== 1) return false;
  const from = plainNode(environment.get(expand.from));
  const into = plainNode(environment.get(expand.to));
  const type = cg.shape.typeId(expand.types[0]!);
  if (from === null || into === null || type < 0) return false;
  const sides: readonly Side[] = expand.direction === 'both' ? ['out', 'in'] : [expand.direction];
  if (cg.shape.hasEndedRelationships(type) || sides.some((side) => cg.shape.hasLog(type, side))) return false;
  const loopFree = !cg.shape.mayHaveLoops(type, sides[0]!);
  // No relationship of the type begins where it ends: no row.
  if (loopFree && from === into) return true;
  const taken = coinciding(environment, expand, { type, from, into, loopFree });
  if (taken === null || !cg.f.atAnchor(from, [])) return false;
  const count = countEdges(
    cg,
    sides.map((side) => arraysOf(cg, type, side)),
    { from, into, take: sides.every((side) => cg.shape.hasFewParallel(type, side)) ? 'takeByteWeights' : 'takeWeights' },
  );
  if (needed.has(MULTIPLICITY)) {
    for (const same of taken) cg.f.emit(`if (${same}) ${count}--;`);
    consume(bind(environment, [MULTIPLICITY, { type: 'integer', code: count, valid: null, small: true }]));
    return true;
  }
  cg.f.openRare(`if (${count} !== 0) {`);
  for (const same of taken) cg.f.emit(`if (${same}) ${count}--;`);
  cg.f.open(`for (; ${count} > 0; ${count}--) {`);
  cg.f.open(`if (${count} > 1) {`);
  cg.work('1');
  cg.f.close();
  consume(environment);
  cg.f.close();
  cg.f.close();
  return true;
}

/** Returns the local with the ordinal of a node that is never null; null for any other value. */
function plainNode(typed: Typed | undefined): string | null {
  return typed?.type === 'node' && typed.valid === null && /^\w+$/.test(typed.code) ? typed.code : null;
}

/**
 * Returns a condition for each relationship that the expand must not repeat and may count: true when it is among those
 * counted. Null when that cannot be decided.
 */
function coinciding(
  environment: Environment,
  expand: Expand,
  { type, from, into, loopFree }: { type: number; from: string; into: string; loopFree: boolean },
): readonly string[] | null {
  const conditions: string[] = [];
  const apart = nodesApart(environment);
  for (const name of expand.uniqueAgainst) {
    const other = environment.get(name);
    const facts = other?.type === 'relationship' && other.valid === null ? other.relationship! : null;
    if (facts === null || facts.type === null) return null;
    if (facts.type !== type) continue;
    const same = sameEnds(facts, expand.direction, { from, into, loopFree, apart });
    if (same === null) return null;
    if (same !== 'false') conditions.push(same);
  }
  return conditions;
}

/**
 * Returns pairs of locals with nodes that are never the same one: the ends of relationships of types in which none
 * begins where it ends.
 */
function nodesApart(environment: Environment): Set<string> {
  const apart = new Set<string>();
  for (const { type, valid, relationship } of environment.values()) {
    if (type !== 'relationship' || valid !== null || relationship!.loopFree !== true) continue;
    const { source, target, ends = [source, target] } = relationship!;
    apart.add(`${ends[0]} ${ends[1]}`).add(`${ends[1]} ${ends[0]}`);
  }
  return apart;
}

const isSelf = (test: string): boolean => /^(\w+) === \1$/.test(test);

function sameEnds(
  facts: RelationshipFacts,
  direction: Expand['direction'],
  { from, into, loopFree, apart }: { from: string; into: string; loopFree: boolean; apart: ReadonlySet<string> },
): string | null {
  const known = facts.source !== null && facts.target !== null;
  if (direction === 'both') {
    const [one, other] = known ? [facts.source!, facts.target!] : (facts.ends ?? [null, null]);
    if (one === null || other === null) return null;
    const eitherWay = [
      [from, into],
      [into, from],
    ].filter(([a, b]) => !apart.has(`${one} ${a}`) && !apart.has(`${other} ${b}`));
    const tests = eitherWay.map(([a, b]) => [`${one} === ${a}`, `${other} === ${b}`].filter((test) => !isSelf(test)));
    if (tests.some((each) => each.length === 0)) return 'true';
    return tests.length === 0 ? 'false' : tests.map((each) => `(${each.join(' && ')})`).join(' || ');
  }
  if (!known) return null;
  const [source, target] = direction === 'out' ? [from, into] : [into, from];
  if (loopFree && (facts.source === target || facts.target === source)) return 'false';
  return `${facts.source} === ${source} && ${facts.target} === ${target}`;
}

/** Writes code that counts the relationships between two nodes, and returns the local with their number. */
function countEdges(
  cg: Codegen,
  sides: readonly Arrays[],
  { from, into, take }: { from: string; into: string; take: 'takeWeights' | 'takeByteWeights' },
): string {
  const bounds = sides.map(() => ({ start: cg.f.fresh('start'), stop: cg.f.fresh('stop') }));
  const credit = cg.f.fresh('credit');
  // In the prologue, and never another one: V8 then reads its address and length once, outside of the loops.
  const weights = cg.f.hoist(cg.f.fresh('weights of'), 'weights', `${take}(${cg.viewField('nodeLimit')})`);
  const noted = cg.f.hoistVariable(cg.f.fresh('noted of'), 'noted', '-1');
  cg.f.atAnchor(from, [
    ...sides.flatMap((a, i) => {
      const { start, stop } = bounds[i]!;
      const read = `${start} = ${a.offsets}[${from} - ${a.base}]; ${stop} = ${a.offsets}[${from} - ${a.base} + 1];`;
      return [`let ${start} = 0, ${stop} = 0;`, `if (${from} >= ${a.base} && ${from} < ${a.limit}) { ${read} }`];
    }),
    `let ${credit} = ((${bounds.map(({ start, stop }) => `${stop} - ${start}`).join(' + ')}) >> 2) + 4;`,
  ]);
  /** Returns JavaScript for the node that is left out of a list, -1 for none: a self-loop stands in both lists. */
  const except = (i: number): string => (i === 0 ? '-1' : from);
  const clear = sides.map(
    (a) => `clearWeights(${weights}, ${a.neighbours}, ${a.offsets}[${noted} - ${a.base}] | 0, ${a.offsets}[${noted} - ${a.base} + 1] | 0);`,
  );
  const forget = `if (${noted} >= 0) { ${clear.join(' ')} ${noted} = -1; }`;
  const note = (): void => {
    cg.f.emit(forget);
    cg.f.emit(`${noted} = ${from};`);
    sides.forEach((a, i) => cg.f.emit(`addWeights(${weights}, ${a.neighbours}, ${bounds[i]!.start}, ${bounds[i]!.stop}, ${except(i)});`));
  };
  const first = cg.f.fresh('first');
  const isKnown = cg.f.aroundLoopOf(into, from, {
    before({ array, position, end }) {
      cg.f.emit(`const ${first} = ${position};`);
      cg.f.open(`if (${credit} >= 0) {`);
      cg.f.open(`if ((${credit} -= ${end} - ${position}) < 0) {`);
      note();
      cg.f.reopen('} else {');
      cg.f.emit(forget);
      sides.forEach((a, i) => {
        const sorted = `{ neighbours: ${a.neighbours}, from: ${bounds[i]!.start}, to: ${bounds[i]!.stop}, except: ${except(i)} }`;
        cg.f.emit(`weighAmong(${weights}, ${array}, ${first}, ${end}, ${sorted});`);
      });
      cg.f.close();
      cg.f.close();
    },
    after: ({ array, end }) => cg.f.emit(`if (${credit} >= 0) clearWeights(${weights}, ${array}, ${first}, ${end});`),
  });
  const count = cg.f.variable('count', `${weights}[${into}]`);
  if (!isKnown) {
    const search = sides.map((a, i) => {
      const found = `countIn(${a.neighbours}, ${bounds[i]!.start}, ${bounds[i]!.stop}, ${into})`;
      return i === 0 ? found : `(${into} === ${from} ? 0 : ${found})`;
    });
    cg.f.open(`if (${credit} >= 0) {`);
    cg.f.emit(`${count} = ${search.join(' + ')};`);
    cg.f.open(`if (${credit}-- === 0) {`);
    note();
    cg.f.close();
    cg.f.close();
  }
  cg.f.atEnd(`if (${noted} >= 0) { ${clear.join(' ')} } giveWeights(${weights});`);
  return count;
}

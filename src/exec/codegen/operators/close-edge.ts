/**
 * An expand between two nodes that are bound already, when nobody asks which relationship it was: how many there are is all that counts.
 *
 * Rows that ask about the same node come one after the other. After some of them were answered by binary search in its sorted list, the weights of all its neighbours
 * are noted, and each further row is answered by one look; so the search never costs much more than the better of both.
 *
 * Relationships of the same MATCH that lie between the same two nodes are among those counted, each once, and are taken off.
 */
import type { Expand } from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import type { RelationshipFacts, Typed } from '../typed.ts';
import { type Arrays, arraysOf } from './expand.ts';

type Side = 'out' | 'in';

/** False when the shape does not allow it; then nothing was written. */
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
  const taken = coinciding(environment, expand, { type, from, into });
  if (taken === null || !cg.f.atAnchor(from, [])) return false;
  const count = countEdges(
    cg,
    sides.map((side) => arraysOf(cg, type, side)),
    { from, into },
  );
  cg.f.open(`if (${count} !== 0) {`);
  for (const same of taken) cg.f.emit(`if (${same}) ${count}--;`);
  cg.f.open(`for (; ${count} > 0; ${count}--) {`);
  consume(environment);
  cg.f.close();
  cg.f.close();
  return true;
}

/** The local with the ordinal of a node that is never null. */
function plainNode(typed: Typed | undefined): string | null {
  return typed?.type === 'node' && typed.valid === null && /^\w+$/.test(typed.code) ? typed.code : null;
}

/** For each relationship that must be another one: when is it one of those that are counted? null: that cannot be told. */
function coinciding(
  environment: Environment,
  expand: Expand,
  { type, from, into }: { type: number; from: string; into: string },
): readonly string[] | null {
  const conditions: string[] = [];
  for (const name of expand.uniqueAgainst) {
    const other = environment.get(name);
    const facts = other?.type === 'relationship' && other.valid === null ? other.relationship! : null;
    if (facts === null || facts.type === null) return null;
    if (facts.type !== type) continue;
    const same = sameEnds(facts, expand.direction, from, into);
    if (same === null) return null;
    if (same !== 'false') conditions.push(same);
  }
  return conditions;
}

function sameEnds(facts: RelationshipFacts, direction: Expand['direction'], from: string, into: string): string | null {
  const known = facts.source !== null && facts.target !== null;
  if (direction === 'both') {
    const [one, other] = known ? [facts.source!, facts.target!] : (facts.ends ?? [null, null]);
    if (one === null || other === null) return null;
    return `(${one} === ${from} && ${other} === ${into}) || (${one} === ${into} && ${other} === ${from})`;
  }
  if (!known) return null;
  const [source, target] = direction === 'out' ? [from, into] : [into, from];
  return `${facts.source} === ${source} && ${facts.target} === ${target}`;
}

/** A local with the number of relationships between the two. */
function countEdges(cg: Codegen, sides: readonly Arrays[], { from, into }: { from: string; into: string }): string {
  const bounds = sides.map(() => ({ start: cg.f.fresh('start'), stop: cg.f.fresh('stop') }));
  const credit = cg.f.fresh('credit');
  const weights = cg.f.hoistVariable(cg.f.fresh('weights of'), 'weights', 'NO_WEIGHTS');
  const noted = cg.f.hoistVariable(cg.f.fresh('noted of'), 'noted', '-1');
  cg.f.atAnchor(from, [
    ...sides.flatMap((a, i) => {
      const { start, stop } = bounds[i]!;
      const read = `${start} = ${a.offsets}[${from} - ${a.base}]; ${stop} = ${a.offsets}[${from} - ${a.base} + 1];`;
      return [`let ${start} = 0, ${stop} = 0;`, `if (${from} >= ${a.base} && ${from} < ${a.limit}) { ${read} }`];
    }),
    `let ${credit} = ((${bounds.map(({ start, stop }) => `${stop} - ${start}`).join(' + ')}) >> 2) + 4;`,
  ]);
  /** A self-loop stands in both lists. */
  const except = (i: number): string => (i === 0 ? '-1' : from);
  const clear = sides.map(
    (a) => `clearWeights(${weights}, ${a.neighbours}, ${a.offsets}[${noted} - ${a.base}] | 0, ${a.offsets}[${noted} - ${a.base} + 1] | 0);`,
  );
  const note = sides.map((a, i) => `addWeights(${weights}, ${a.neighbours}, ${bounds[i]!.start}, ${bounds[i]!.stop}, ${except(i)})`);
  const search = sides.map((a, i) => {
    const found = `countIn(${a.neighbours}, ${bounds[i]!.start}, ${bounds[i]!.stop}, ${into})`;
    return i === 0 ? found : `(${into} === ${from} ? 0 : ${found})`;
  });
  const count = cg.f.variable('count', '0');
  cg.f.emit(`if (${credit} < 0) ${count} = ${weights}[${into}];`);
  cg.f.open('else {');
  cg.f.open(`if (${credit}-- === 0) {`);
  cg.f.emit(`if (${weights} === NO_WEIGHTS) ${weights} = takeWeights(${cg.viewField('nodeLimit')});`);
  cg.f.emit(`if (${noted} >= 0) { ${clear.join(' ')} }`);
  cg.f.emit(`${noted} = ${from};`);
  cg.f.emit(`if (!(${note.join(' && ')})) { ${clear.join(' ')} ${noted} = -1; ${credit} = 0x3fffffff; }`);
  cg.f.close();
  cg.f.emit(`${count} = ${search.join(' + ')};`);
  cg.f.close();
  cg.f.atEnd(`if (${noted} >= 0) { ${clear.join(' ')} } giveWeights(${weights});`);
  return count;
}

/**
 * Writes joins that find the neighbours which several nodes have in common: their sorted lists are walked together,
 * each galloping over what another does not have (leapfrog join). The work is that of the shortest list, times the
 * logarithm of the rows galloped over.
 *
 * Where a list is not sorted (new relationships are in a log, or the shape is not known) the legs become expands, one
 * after the other.
 */
import { assert } from '../../../base/index.ts';
import type { Expand, MultiwayJoin, Operator } from '../../../plan/index.ts';
import { type Arrays, arraysOf, neighbourTables, rowAt } from '../adjacency-arrays.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { bind, nodeOf } from '../environment.ts';
import { node, relationship } from '../typed.ts';
import { guard } from './expand.ts';
import { withVariables } from './needs.ts';
import { produce } from './produce.ts';
import { uniqueCondition } from './unique.ts';

type Leg = MultiwayJoin['legs'][number];

interface SortedLeg {
  readonly leg: Leg;
  readonly type: number;
  readonly arrays: Arrays;
}

/** Writes a join of several nodes' sorted neighbours. */
export function produceMultiwayJoin(
  cg: Codegen,
  join: MultiwayJoin,
  outer: Environment,
  needed: ReadonlySet<string>,
  consume: Consume,
): void {
  const legs = join.legs.map((leg) => sortedLeg(cg, leg));
  if (!legs.every((leg) => leg !== null)) {
    produce(cg, oneByOne(join), outer, needed, consume);
    return;
  }
  const read = withVariables(needed, ...join.legs.flatMap((leg) => [leg.from, ...leg.uniqueAgainst]));
  produce(cg, join.input, outer, read, (environment) => {
    const starts = legs.map(({ leg }) => nodeOf(cg, environment, leg.from));
    if (!starts.every((start) => start !== null)) return;
    const guarded = guard(
      cg,
      starts.map((start) => start.valid),
    );
    leapfrog(cg, join, environment, { legs, starts: starts.map((start) => start.code), consume });
    if (guarded) cg.f.close();
  });
}

/** Returns a leg with its arrays; null when its list is not one sorted slice of the CSR. */
function sortedLeg(cg: Codegen, leg: Leg): SortedLeg | null {
  if (cg.generic || leg.types === null || leg.types.length !== 1 || leg.direction === 'both') return null;
  const type = cg.shape.typeId(leg.types[0]!);
  if (type < 0 || cg.shape.hasLog(type, leg.direction) || cg.shape.hasEndedRelationships(type)) return null;
  return { leg, type, arrays: arraysOf(cg, type, leg.direction) };
}

function oneByOne({ input, to, legs, estimatedRows }: MultiwayJoin): Operator {
  return legs.reduce<Operator>((below, leg, at): Expand => {
    return { kind: 'expand', input: below, ...leg, to, into: at > 0, relationshipBound: false, estimatedRows };
  }, input);
}

interface Sides {
  readonly legs: readonly SortedLeg[];
  readonly starts: readonly string[];
  readonly consume: Consume;
}

function leapfrog(cg: Codegen, join: MultiwayJoin, environment: Environment, { legs, starts, consume }: Sides): void {
  const { f } = cg;
  const places = legs.map(({ arrays: { base, limit, offsets, neighbours } }, i) => {
    const [k, end] = [f.variable('k', '0'), f.variable('e', '0')];
    const at = `${starts[i]} - ${base}`;
    f.emit(`if (${starts[i]} >= ${base} && ${starts[i]} < ${limit}) { ${k} = ${offsets}[${at}]; ${end} = ${offsets}[${at} + 1]; }`);
    return { k, end, neighbours, run: f.fresh('run') };
  });
  const [first, ...others] = places;
  assert(first !== undefined && others.length > 0, 'a multiway join has two legs at least');
  cg.work(`Math.min(${places.map(({ k, end }) => `${end} - ${k}`).join(', ')}) + 1`);
  const neighbour = f.fresh('n');
  f.open(`while (${places.map(({ k, end }) => `${k} < ${end}`).join(' && ')}) {`);
  f.emit(`const ${neighbour} = ${first.neighbours}[${first.k}];`);
  for (const { k, end, neighbours } of others) {
    f.emit(
      `if (${neighbours}[${k}] < ${neighbour}) { ${k} = gallop(${neighbours}, ${k}, ${end}, ${neighbour}); if (${k} === ${end}) break; }`,
    );
    f.emit(
      `if (${neighbours}[${k}] > ${neighbour}) { ${first.k} = gallop(${first.neighbours}, ${first.k}, ${first.end}, ` +
        `${neighbours}[${k}]); continue; }`,
    );
  }
  for (const { k, end, neighbours, run } of places) {
    f.emit(`const ${run} = ${k}; do ${k}++; while (${k} < ${end} && ${neighbours}[${k}] === ${neighbour});`);
  }
  f.anchor(neighbour);
  const tables = neighbourTables(cg, legs[0]!.leg);
  let bound = bind(environment, [join.to, node(neighbour, false, { tables, row: null, table: null })]);
  let opened = 1;
  legs.forEach(({ leg, type, arrays }, i) => {
    const { k, run } = places[i]!;
    const position = f.fresh('at');
    f.open(`for (let ${position} = ${run}; ${position} < ${k}; ${position}++) {`);
    const rowCode = f.local('rr', rowAt(arrays, position));
    const [source, target] = leg.direction === 'out' ? [starts[i]!, neighbour] : [neighbour, starts[i]!];
    const typed = relationship({ typeCode: String(type), rowCode, type, source, target }, false);
    const unique = uniqueCondition(bound, typed, leg.uniqueAgainst);
    if (unique !== null) f.open(`if (${unique}) {`);
    opened += unique === null ? 1 : 2;
    bound = bind(bound, [leg.relationship, typed]);
  });
  consume(bound);
  for (; opened > 0; opened--) f.close();
}

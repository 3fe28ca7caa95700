/**
 * Writes expands along a node's relationships: loops over the CSR and, where there is one, the log of newer ones.
 *
 * One type and one direction in a specialised plan is the hot case: all arrays are bound in the prologue, and the loop
 * tests only what this view can have (ended rows, a log). Everything else goes over a list of adjacencies.
 */
import { assert } from '../../../base/index.ts';
import type { Expand } from '../../../plan/index.ts';
import { type Arrays, arraysOf, neighbourTables, rowAt } from '../adjacency-arrays.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { bind, nodeOf } from '../environment.ts';
import { prefetchProperties } from '../expressions/access.ts';
import { node, relationship, type Typed } from '../typed.ts';
import { closeEdge, MULTIPLICITY } from './close-edge.ts';
import { withNames, withVariables } from './needs.ts';
import { produce } from './produce.ts';
import { uniqueCondition } from './unique.ts';

type Found = (relationship: Typed, neighbour: string) => void;

/** Writes an expand from a node along its relationships. */
export function produceExpand(cg: Codegen, expand: Expand, outer: Environment, needed: ReadonlySet<string>, consume: Consume): void {
  produceExpandAfter(cg, expand, null, { outer, needed, consume });
}

interface Around {
  readonly outer: Environment;
  readonly needed: ReadonlySet<string>;
  readonly consume: Consume;
}

/** Writes an expand: with `after`, the name of a bound node, only to neighbours with greater ordinals than that node; null: to all. */
export function produceExpandAfter(cg: Codegen, expand: Expand, after: string | null, { outer, needed, consume }: Around): void {
  const inner = withVariables(
    withNames(withoutMultiplicity(needed), expand.uniqueAgainst),
    expand.from,
    ...(expand.into ? [expand.to] : []),
    ...(expand.relationshipBound ? [expand.relationship] : []),
    ...(after === null ? [] : [after]),
  );
  produce(cg, expand.input, outer, inner, (environment) => {
    const from = nodeOf(cg, environment, expand.from);
    if (from === null) return;
    const guarded = guard(cg, [from.valid]);
    prefetchProperties(cg, environment, needed);
    if (expand.relationshipBound) boundRelationship(cg, expand, environment, from, consume);
    else if (!closeEdge(cg, expand, environment, { needed, consume })) expandFrom(cg, expand, environment, { from, after, consume });
    if (guarded) cg.f.close();
  });
}

function withoutMultiplicity(needed: ReadonlySet<string>): ReadonlySet<string> {
  return needed.has(MULTIPLICITY) ? new Set([...needed].filter((name) => name !== MULTIPLICITY)) : needed;
}

/** Opens a block for rows in which all conditions hold; false, with no block opened, when there are no conditions. */
export function guard(cg: Codegen, conditions: readonly (string | null)[]): boolean {
  const tests = conditions.filter((condition) => condition !== null);
  if (tests.length > 0) cg.f.open(`if (${tests.join(' && ')}) {`);
  return tests.length > 0;
}

function expandFrom(
  cg: Codegen,
  expand: Expand,
  environment: Environment,
  { from, after, consume }: { readonly from: Typed; readonly after: string | null; readonly consume: Consume },
): void {
  const into = expand.into ? nodeOf(cg, environment, expand.to) : undefined;
  const least = after === null ? undefined : nodeOf(cg, environment, after);
  if (into === null || least === null) return;
  const guarded = into !== undefined && guard(cg, [into.valid]);
  overNeighbours(
    cg,
    { from: from.code, types: expand.types, direction: expand.direction, into: into?.code ?? null, after: least?.code ?? null },
    (typed, neighbour) => {
      const unique = uniqueCondition(environment, typed, expand.uniqueAgainst);
      if (unique !== null) cg.f.open(`if (${unique}) {`);
      const bound = bind(environment, [expand.relationship, typed]);
      consume(
        into === undefined
          ? bind(bound, [expand.to, node(neighbour, false, { tables: neighbourTables(cg, expand), row: null, table: null })])
          : bound,
      );
      if (unique !== null) cg.f.close();
    },
  );
  if (guarded) cg.f.close();
}

function boundRelationship(cg: Codegen, expand: Expand, environment: Environment, from: Typed, consume: Consume): void {
  const into = expand.into ? nodeOf(cg, environment, expand.to) : undefined;
  const bound = environment.get(expand.relationship);
  assert(bound !== undefined, `relationship ${expand.relationship} is not in scope`);
  if (into === null || bound.type === 'null') return;
  const value = cg.f.local(
    'r',
    bound.type === 'relationship' ? `reads.relationshipValue(${bound.relationship!.typeCode}, ${bound.relationship!.rowCode})` : bound.code,
  );
  const facts = { typeCode: `${value}.type`, rowCode: `${value}.row`, type: null, source: null, target: null };
  const unique = uniqueCondition(environment, relationship(facts, false), expand.uniqueAgainst);
  const neighbour = cg.f.fresh('n');
  const types = expand.types === null ? 'null' : cg.constant(expand.types);
  cg.f.open(
    `for (const ${neighbour} of reads.acrossRelationship(${value}, ${from.code}, ${into?.code ?? '-1'}, ${types}, ` +
      `${cg.constant(expand.direction)})) {`,
  );
  if (unique !== null) cg.f.open(`if (${unique}) {`);
  cg.work('1');
  consume(into === undefined ? bind(environment, [expand.to, node(neighbour, false)]) : environment);
  if (unique !== null) cg.f.close();
  cg.f.close();
}

/** The relationships that a loop visits. Nodes are JavaScript for their ordinals. */
export interface NeighbourLoop {
  readonly from: string;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  /** The node that relationships must lead to; null: to any node. */
  readonly into: string | null;
  /** Only neighbours with ordinals greater than that of this node are visited, where `into` is null; null: all neighbours are. */
  readonly after: string | null;
}

/** Writes a loop over the neighbours of a node. */
export function overNeighbours(cg: Codegen, loop: NeighbourLoop, found: Found): void {
  if (!cg.generic && loop.types !== null && loop.types.length === 1) {
    const type = cg.shape.typeId(loop.types[0]!);
    if (type < 0) return;
    if (loop.direction !== 'both') {
      oneAdjacency(cg, type, loop, found);
      return;
    }
    if (!cg.shape.hasLog(type, 'out') && !cg.shape.hasLog(type, 'in')) {
      bothAdjacencies(cg, type, loop, found);
      return;
    }
  }
  const types = loop.types === null ? 'null' : cg.constant(loop.types);
  const lookup = `reads.adjacencies(${types}, ${cg.constant(loop.direction)})`;
  const list = cg.generic && !cg.paged ? lookup : cg.f.hoist(lookup, 'adjs', lookup);
  const one = cg.f.fresh('adj');
  cg.f.open(`for (const ${one} of ${list}) {`);
  const adjacency = cg.f.local('a', `${one}.adjacency`);
  const table = cg.f.local('table', `${one}.table`);
  const skipLoops = loop.direction === 'both' ? cg.f.local('skip', `${one}.skipLoops`) : null;
  const arrays: Arrays = {
    base: cg.generic ? '' : cg.f.local('base', `${adjacency}.base`),
    limit: cg.generic ? '' : cg.f.local('limit', `${adjacency}.limit`),
    offsets: cg.generic ? '' : cg.f.local('off', `${adjacency}.offsets`),
    neighbours: cg.generic ? cg.f.variable('nbr', `${adjacency}.neighbours`) : cg.f.local('nbr', `${adjacency}.neighbours`),
    rows: cg.generic ? cg.f.variable('rows', `${adjacency}.rows`) : cg.f.local('rows', `${adjacency}.rows`),
    rowShift: cg.generic ? cg.f.variable('shift', '0') : null,
    rowsKnown: null,
    ended: cg.f.local('ended', `${table}.ended`),
    endedKnown: null,
    log: true,
    lists: true,
    hasShortRuns: () => false,
    each: false,
    adjacency,
    table,
    rowCount: cg.f.local('count', `${table}.rowCount`),
    logEnds: cg.f.local('ends', `${adjacency}.logEnds`),
  };
  const type = cg.f.local('rt', `${table}.type`);
  const known = !cg.generic && loop.types !== null && loop.types.length === 1 ? cg.shape.typeId(loop.types[0]!) : -1;
  overList(cg, arrays, loop, (row, neighbour) => {
    if (skipLoops !== null) cg.f.emit(`if (${skipLoops} && ${neighbour} === ${loop.from}) continue;`);
    const typed = relationship(
      { typeCode: known >= 0 ? String(known) : type, rowCode: row, type: known >= 0 ? known : null, source: null, target: null },
      false,
    );
    found(typed, neighbour);
  });
  cg.f.close();
}

function oneAdjacency(cg: Codegen, type: number, loop: NeighbourLoop, found: Found): void {
  const out = loop.direction === 'out';
  const loopFree = !cg.shape.mayHaveLoops(type, out ? 'out' : 'in');
  if (loopFree && loop.into === loop.from) return;
  overList(cg, arraysOf(cg, type, out ? 'out' : 'in'), loop, (row, neighbour, lateRow) => {
    const [source, target] = out ? [loop.from, neighbour] : [neighbour, loop.from];
    found(relationship({ typeCode: String(type), rowCode: row, lateRow, type, source, target, loopFree }, false), neighbour);
  });
}

/**
 * Writes the loop for one type in both directions, with nothing in the logs: first over one list, then over the other.
 * A self-loop is in both lists, and counts once.
 */
function bothAdjacencies(cg: Codegen, type: number, loop: NeighbourLoop, found: Found): void {
  const { from, into } = loop;
  const loopFree = !cg.shape.mayHaveLoops(type, 'out');
  if (loopFree && into === from) return;
  const sides = [arraysOf(cg, type, 'out'), arraysOf(cg, type, 'in')] as const;
  const side = cg.f.fresh('side');
  cg.f.open(`for (let ${side} = 0; ${side} < 2; ${side}++) {`);
  const k = cg.f.variable('k', '0');
  const end = cg.f.variable('e', '0');
  const neighbours = cg.f.local('nbr', `${side} === 0 ? ${sides[0].neighbours} : ${sides[1].neighbours}`);
  cg.f.open(`if (${side} === 0) {`);
  findBounds(cg, sides[0], loop, { k, end });
  cg.f.reopen('} else {');
  findBounds(cg, sides[1], loop, { k, end });
  cg.f.close();
  if (into === null) cg.work(`${end} - ${k} + 1`);
  const neighbour = cg.f.fresh('n');
  const at = openList(cg, loop, { k, end }, { neighbours, neighbour });
  cg.f.emit(`const ${neighbour} = ${into ?? `${neighbours}[${at}]`};`);
  if (!loopFree) cg.f.emit(`if (${neighbour} === ${from} && ${side} === 1) continue;`);
  const lateRow = `(${side} === 0 ? ${rowAt(sides[0], at)} : ${rowAt(sides[1], at)})`;
  const row = cg.f.later('rr', lateRow);
  skipEnded(cg, sides[0], row);
  cg.f.anchor(neighbour);
  found(
    relationship(
      { typeCode: String(type), rowCode: row, lateRow, type, source: null, target: null, loopFree, ends: [from, neighbour] },
      false,
    ),
    neighbour,
  );
  if (into === null) cg.f.closeLoop();
  else cg.f.close();
  cg.f.close();
}

function skipEnded(cg: Codegen, a: Arrays, row: string): void {
  if (a.endedKnown === false) return;
  const test = `(${a.ended}[${row} >> 3] >> (${row} & 7)) & 1 && !${a.table}.isVisible(${row})`;
  cg.f.emit(`if (${a.endedKnown === null ? `${a.ended} !== null && ` : ''}${test}) continue;`);
}

interface Bounds {
  readonly k: string;
  readonly end: string;
}

/**
 * Writes code that sets `k` and `end`, which are 0, to where the node's list begins and ends; with `into`, `k` to the
 * first position whose neighbour is not less than that node.
 */
function findBounds(cg: Codegen, a: Arrays, loop: NeighbourLoop, { k, end }: Bounds): void {
  const { from, into } = loop;
  if (cg.generic) {
    const bounds = `${k} = ${a.adjacency}.first; ${end} = ${a.adjacency}.end; ${a.neighbours} = ${a.adjacency}.neighbours;`;
    cg.f.emit(
      `if (${a.adjacency}.openList(${from})) { ${bounds} ${a.rows} = ${a.adjacency}.rows; ${a.rowShift} = ${a.adjacency}.rowShift; }`,
    );
  } else {
    const bounds = `${k} = ${a.offsets}[${from} - ${a.base}]; ${end} = ${a.offsets}[${from} - ${a.base} + 1];`;
    cg.f.emit(`if (${from} >= ${a.base} && ${from} < ${a.limit}) { ${bounds} }`);
  }
  if (into !== null) cg.f.emit(`${k} = lowerBound(${a.neighbours}, ${k}, ${end}, ${into});`);
}

/**
 * For nodes with one relationship at most: writes a test, before the loop over the rows of a morsel, whether each node
 * has exactly one, since its ordinals have no gap and there are as many relationships as rows. The position in the CSR
 * then is the row plus `shift`. Null when the node comes from another loop.
 */
function eachOfMorsel(cg: Codegen, a: Arrays, node: string): { isEach: string; shift: string; row: string } | null {
  const [isEach, shift] = [cg.f.fresh('each'), cg.f.fresh('shift')];
  let row = '';
  const isWritten = cg.f.beforeRowsOf(node, (rows) => {
    const { first, end, ordinalOf } = rows;
    row = rows.row;
    const low = cg.f.local('n', ordinalOf(first));
    const high = cg.f.local('n', ordinalOf(`${end} - 1`));
    const isInside = `${high} - ${low} === ${end} - 1 - ${first} && ${low} >= ${a.base} && ${high} < ${a.limit}`;
    cg.f.emit(
      `const ${isEach} = ${isInside} && ${a.offsets}[${high} - ${a.base} + 1] - ${a.offsets}[${low} - ${a.base}] === ${end} - ${first};`,
    );
    cg.f.emit(`const ${shift} = ${isEach} ? ${a.offsets}[${low} - ${a.base}] - ${first} : 0;`);
  });
  return isWritten ? { isEach, shift, row } : null;
}

/**
 * For nodes with one relationship at most: writes a visit, which is one step of the loop around it, counted there.
 * Without a `yield` in here, V8 keeps the locals of that loop in registers, and sums are settled after that loop. The
 * body may `continue`, which leads to the end of the visit.
 */
function oneAtMost(cg: Codegen, a: Arrays, loop: NeighbourLoop, body: (row: string, neighbour: string, lateRow: string) => void): void {
  const { from, after } = loop;
  let k: string;
  if (a.each) {
    cg.f.open(`if (${from} >= ${a.base} && ${from} < ${a.limit}) do {`);
    k = cg.f.local('k', `${from} - ${a.base}`);
  } else {
    k = cg.f.variable('k', '0');
    const end = cg.f.variable('e', '0');
    const morsel = eachOfMorsel(cg, a, from);
    if (morsel !== null) {
      cg.f.open(`if (${morsel.isEach}) {`);
      cg.f.emit(`${k} = ${morsel.row} + ${morsel.shift}; ${end} = ${k} + 1;`);
      cg.f.reopen('} else {');
    }
    findBounds(cg, a, loop, { k, end });
    if (morsel !== null) cg.f.close();
    cg.f.open(`if (${k} < ${end}) do {`);
  }
  const row = cg.f.later('rr', rowAt(a, k));
  skipEnded(cg, a, row);
  const neighbour = cg.f.local('n', `${a.neighbours}[${k}]`);
  if (after !== null) cg.f.emit(`if (${neighbour} <= ${after}) continue;`);
  cg.f.anchor(neighbour);
  body(row, neighbour, rowAt(a, k));
  cg.f.close('} while (false);');
}

/** Writes the loop over the list of a node; with `into`, the sorted CSR is searched. The body stands in a loop: it may `continue`. */
function overList(cg: Codegen, a: Arrays, loop: NeighbourLoop, body: (row: string, neighbour: string, lateRow?: string) => void): void {
  const { from, into } = loop;
  if (!a.lists && into === null) {
    oneAtMost(cg, a, loop, body);
    return;
  }
  const k = cg.f.variable('k', '0');
  const end = cg.f.variable('e', '0');
  findBounds(cg, a, loop, { k, end });
  if (into === null) cg.work(`${end} - ${k} + 1`);
  const neighbour = cg.f.fresh('n');
  if (!a.log) {
    const at = openList(cg, loop, { k, end }, { neighbours: a.neighbours, neighbour });
    const csrRow = rowAt(a, at);
    const row = cg.f.later('rr', csrRow);
    skipEnded(cg, a, row);
    cg.f.emit(`const ${neighbour} = ${into ?? `${a.neighbours}[${at}]`};`);
    cg.f.anchor(neighbour);
    if (into !== null) {
      // Few are visited: the loop around yields the thread, and keeps its locals in registers because nothing in here yields.
      if (a.hasShortRuns()) cg.workInRun('1');
      else cg.work('1');
    }
    body(row, neighbour, csrRow);
    if (into === null) cg.f.closeLoop();
    else cg.f.close();
    return;
  }
  const row = cg.f.fresh('rr');
  const next = cg.f.variable('log', `${a.adjacency}.hasLog ? ${a.adjacency}.logHead(${from}) : -1`);
  if (into !== null) cg.f.emit(`${end} = upperBound(${a.neighbours}, ${k}, ${end}, ${into});`);
  cg.f.open(`for (;;) {`);
  cg.f.emit(`let ${row}, ${neighbour};`);
  cg.f.open(`if (${k} < ${end}) {`);
  cg.f.emit(`${row} = ${rowAt(a, k)}; ${neighbour} = ${a.neighbours}[${k}]; ${k}++;`);
  cg.f.reopen(`} else if (${next} >= 0) {`);
  cg.f.emit(`${row} = ${next}; ${neighbour} = ${a.logEnds}[${row}]; ${next} = ${a.adjacency}.logNext[${row} - ${a.adjacency}.logBase];`);
  cg.work('1');
  cg.f.emit(`if (${row} >= ${a.rowCount}) continue;`);
  if (into !== null) cg.f.emit(`if (${neighbour} !== ${into}) continue;`);
  cg.f.reopen('} else {');
  cg.f.emit('break;');
  cg.f.close();
  if (loop.after !== null) cg.f.emit(`if (${neighbour} <= ${loop.after}) continue;`);
  skipEnded(cg, a, row);
  cg.f.anchor(neighbour);
  body(row, neighbour);
  cg.f.close();
}

/**
 * Opens the loop over a sorted list. Where only neighbours after a node are wanted, it runs from the end of the list
 * downwards until it meets one that is not: nothing is searched.
 * @returns the local with the position
 */
function openList(
  cg: Codegen,
  { into, after }: NeighbourLoop,
  { k, end }: Bounds,
  { neighbours, neighbour }: { readonly neighbours: string; readonly neighbour: string },
): string {
  if (into !== null) {
    cg.f.open(`for (; ${k} < ${end} && ${neighbours}[${k}] === ${into}; ${k}++) {`);
    return k;
  }
  const at = after === null ? k : cg.f.fresh('d');
  const header =
    after === null
      ? `for (; ${k} < ${end}; ${k}++) {`
      : `for (let ${at} = ${end} - 1; ${at} >= ${k} && ${neighbours}[${at}] > ${after}; ${at}--) {`;
  cg.f.openLoop(header, { binds: neighbour, array: neighbours, position: k, end });
  return at;
}

/** Makes what disagrees smaller, as long as it still does: the query, the graph, the steps. */
import { type Expression, formatStatement, parse, type Statement } from '../../src/cypher/index.ts';
import { noCounts } from './counts.ts';
import type { GraphSpec } from './generate/graph.ts';
import { checkThoroughly, type ReadFailure } from './reads.ts';
import type { Step } from './session.ts';
import { replay, type UpdateFailure } from './updates.ts';

/** Attempts, each of which runs the case once. */
const MOST_ATTEMPTS = 400;

interface Budget {
  attempts: number;
}

/** The smaller thing, as long as a candidate keeps failing. */
async function smallest<T>(
  start: T,
  candidates: (thing: T) => Iterable<T>,
  fails: (thing: T) => Promise<boolean>,
  budget: Budget,
): Promise<T> {
  let best = start;
  for (let improved = true; improved; ) {
    improved = false;
    for (const candidate of candidates(best)) {
      if (--budget.attempts < 0) return best;
      if (!(await fails(candidate))) continue;
      best = candidate;
      improved = true;
      break;
    }
  }
  return best;
}

export async function shrinkRead(failure: ReadFailure, seed: number): Promise<ReadFailure> {
  const budget = { attempts: MOST_ATTEMPTS };
  const wanted = kindOf(failure);
  let latest = failure;
  const fails = async (spec: GraphSpec, query: string): Promise<boolean> => {
    const again = await quietly(() => checkThoroughly(spec, [query], { seed, counts: noCounts() }));
    if (again === null || kindOf(again) !== wanted) return false;
    latest = again;
    return true;
  };
  const query = await smallest(failure.query, smallerQueries, (text) => fails(failure.spec, text), budget);
  await smallest(failure.spec, smallerGraphs, (spec) => fails(spec, query), budget);
  return latest;
}

/**
 * Returns the part of a failure that must stay the same: rows that differ, or one message, whatever names and numbers
 * stand in it. A part of a query that makes no sense fails too, in another way.
 */
function kindOf({ reason }: ReadFailure): string {
  return reason.startsWith('it failed') ? reason.split('\n', 1)[0]!.replaceAll(/\d+/g, '') : 'rows';
}

export async function shrinkUpdate(failure: UpdateFailure): Promise<UpdateFailure> {
  const budget = { attempts: MOST_ATTEMPTS };
  let latest = failure;
  const fails = async (spec: GraphSpec, steps: readonly Step[]): Promise<boolean> => {
    const reason = await quietly(() => replay(spec, steps));
    if (reason === null) return false;
    latest = { spec, steps, reason };
    return true;
  };
  const steps = await smallest(failure.steps, smallerSteps, (some) => fails(failure.spec, some), budget);
  await smallest(failure.spec, smallerGraphs, (spec) => fails(spec, steps), budget);
  return latest;
}

/** Runs a case that the oracle or the parser may refuse; such a case is no smaller one. */
async function quietly<T>(run: () => Promise<T | null>): Promise<T | null> {
  try {
    return await run();
  } catch {
    return null;
  }
}

function* smallerSteps(steps: readonly Step[]): Generator<readonly Step[]> {
  for (let i = 0; i < steps.length - 1; i++) yield steps.toSpliced(i, 1);
  for (const [i, step] of steps.entries()) {
    for (let j = 0; j < step.queries.length; j++) yield steps.with(i, { ...step, queries: step.queries.toSpliced(j, 1) });
  }
}

function* smallerGraphs(spec: GraphSpec): Generator<GraphSpec> {
  for (let i = spec.nodes.length - 1; i >= 0; i--) yield withoutNode(spec, i);
  for (let i = spec.relationships.length - 1; i >= 0; i--) yield { ...spec, relationships: spec.relationships.toSpliced(i, 1) };
  const keys = new Set([...spec.nodes, ...spec.relationships].flatMap(({ properties }) => [...properties.keys()]));
  keys.delete('k');
  for (const key of keys) yield withoutKey(spec, key);
}

function withoutNode({ nodes, relationships }: GraphSpec, at: number): GraphSpec {
  const moved = (place: number): number => (place > at ? place - 1 : place);
  return {
    nodes: nodes.toSpliced(at, 1).map((node, i) => ({ ...node, properties: new Map(node.properties).set('k', i) })),
    relationships: relationships
      .filter(({ source, target }) => source !== at && target !== at)
      .map((each) => ({ ...each, source: moved(each.source), target: moved(each.target) })),
  };
}

function withoutKey({ nodes, relationships }: GraphSpec, key: string): GraphSpec {
  const strip = <T extends { properties: ReadonlyMap<string, unknown> }>(each: T): T => ({
    ...each,
    properties: new Map([...each.properties].filter(([name]) => name !== key)),
  });
  return { nodes: nodes.map(strip), relationships: relationships.map(strip) };
}

function* smallerQueries(text: string): Generator<string> {
  yield* shorterChains(text);
  const statement = tryParse(text);
  if (statement === null) return;
  for (const smaller of variants(statement)) {
    const next = tryFormat(smaller as Statement);
    if (next !== null && next.length < text.length) yield next;
  }
}

/** null: it is among what fails that the parser does not read it. */
function tryParse(text: string): Statement | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/** Longer ones are made shorter by halves before anything is left out one by one. */
const LONG_CHAIN = 16;

/** Without a quarter or less of the longest chain of one operator, or of the longest list: as text, which need not be read for that. */
function* shorterChains(text: string): Generator<string> {
  for (const joint of [' + ', ' - ', ' AND ', ' OR ', ' XOR ', ', ']) {
    const parts = text.split(joint);
    for (let count = parts.length >> 2; parts.length > LONG_CHAIN && count >= 1; count >>= 1) {
      for (const from of [1, parts.length >> 1, parts.length - 1 - count]) yield parts.toSpliced(from, count).join(joint);
    }
  }
}

function tryFormat(statement: Statement): string | null {
  try {
    const text = formatStatement(statement).replaceAll(/\s+/g, ' ');
    parse(text);
    return text;
  } catch {
    return null;
  }
}

type Tree = Record<string, unknown>;

/** All trees with one part left out or replaced by a part of itself. */
function* variants(tree: unknown): Generator<unknown> {
  if (Array.isArray(tree)) {
    for (let i = 0; i < tree.length; i++) yield tree.toSpliced(i, 1);
    for (let i = 0; i < tree.length - 1; i++) yield tree.toSpliced(i, 2);
    for (const [i, item] of tree.entries()) for (const next of variants(item)) yield tree.with(i, next);
    return;
  }
  if (typeof tree !== 'object' || tree === null || Object.getPrototypeOf(tree) !== Object.prototype) return;
  for (const [key, member] of Object.entries(tree as Tree)) {
    if (key === 'span' || key === 'kind') continue;
    if (member === true) yield { ...tree, [key]: false };
    if (isTree(member)) yield { ...tree, [key]: null };
    if (isExpression(member)) for (const part of parts(member)) yield { ...tree, [key]: part };
    for (const next of variants(member)) yield { ...tree, [key]: next };
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

function isExpression(value: unknown): value is Expression {
  return isTree(value) && !String(value['kind']).endsWith('Pattern');
}

/** The expressions directly inside of one. */
function* parts(expression: Expression): Generator<unknown> {
  for (const member of Object.values(expression)) {
    for (const each of Array.isArray(member) ? member : [member]) if (isTree(each)) yield each;
  }
}

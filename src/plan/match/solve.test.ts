/**
 * Rule zero of the planner: whatever the order, every predicate is applied to every row, once, and any two
 * relationships of one MATCH that could be the same are told apart exactly once. Random patterns over random
 * statistics; a failure names the seed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPlan } from '../explain/format-plan.ts';
import { expressionsOf, inputsOf } from '../operators/references.ts';
import type { Operator, PlanExpression } from '../plan.ts';
import { conjunctsOf } from '../rewrites/counted-expand.ts';
import { planOf } from '../testing/plan-of.ts';
import { randomStatistics, seededRandom } from '../testing/random.ts';

interface Pattern {
  readonly query: string;
  /** Each stands in one predicate of the query and nowhere else. */
  readonly literals: readonly string[];
  /** Pairs of relationship variables of the same type. */
  readonly pairs: readonly (readonly [string, string])[];
}

function randomPattern(random: () => number): Pattern {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const literals: string[] = [];
  const literal = (): string => {
    literals.push(`<${literals.length}>`);
    return `'${literals.at(-1)}'`;
  };
  const nodes = ['a', 'b', 'c', 'd', 'e'].slice(0, 2 + Math.floor(random() * 4));
  const seen = new Set<string>();
  const node = (): string => {
    const name = pick(nodes);
    const label = random() < 0.4 ? `:${pick(['A', 'B', 'C'])}` : '';
    const properties = random() < 0.4 ? ` {${pick(['x', 'y'])}: ${literal()}}` : '';
    seen.add(name);
    return `(${name}${label}${properties})`;
  };
  const types = new Map<string, string>();
  const relationship = (): string => {
    const name = `r${types.size}`;
    const type = pick(['R', 'S']);
    types.set(name, type);
    const length = random() < 0.2 ? '*1..2' : '';
    const properties = random() < 0.3 ? ` {w: ${literal()}}` : '';
    const inner = `[${name}:${type}${length}${properties}]`;
    return pick([`-${inner}->`, `<-${inner}-`, `-${inner}-`]);
  };
  const paths = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const steps = Array.from({ length: Math.floor(random() * 3) }, () => `${relationship()}${node()}`);
    return `${node()}${steps.join('')}`;
  });
  const names = [...seen];
  const conditions = Array.from({ length: Math.floor(random() * 4) }, () =>
    pick([
      () => `${pick(names)}.x = ${literal()}`,
      () => `${pick(names)}.x + ${pick(names)}.y <> ${literal()}`,
      () => `${pick(names)}.x = ${pick(names)}.y + ${literal()}`,
      () => `EXISTS { (${pick(names)})-->({z: ${literal()}}) }`,
    ])(),
  );
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const relationships = [...types];
  const pairs = relationships.flatMap(([left, type], at) =>
    relationships.slice(at + 1).flatMap(([right, other]) => (type === other ? [[left, right] as const] : [])),
  );
  return { query: `MATCH ${paths.join(', ')}${where} RETURN ${[...names, ...types.keys()].join(', ')}`, literals, pairs };
}

/** How often the plan tells two relationships apart. */
function tellsApart(plan: Operator, [left, right]: readonly [string, string]): number {
  const isPair = (one: string | undefined, others: readonly string[]): boolean =>
    (one === left && others.includes(right)) || (one === right && others.includes(left));
  const own =
    plan.kind === 'expand' || plan.kind === 'relationshipScan'
      ? Number(isPair(plan.relationship, plan.uniqueAgainst))
      : plan.kind === 'variableExpand'
        ? Number(isPair(plan.relationships, plan.uniqueAgainst))
        : expressionsOf(plan)
            .flatMap(conjunctsOf)
            .filter((part) => comparesPair(part, left, right)).length;
  return inputsOf(plan).reduce((sum, input) => sum + tellsApart(input, [left, right]), own);
}

/** `r <> s`, `NOT r IN s`, `none(each IN r WHERE each IN s)` */
function comparesPair(part: PlanExpression, left: string, right: string): boolean {
  const names = new Set(
    JSON.stringify(part)
      .match(/"name":"r\d"/g)
      ?.map((match) => match.slice(8, -1)),
  );
  return names.size === 2 && names.has(left) && names.has(right) && !JSON.stringify(part).includes('"property"');
}

test('no order drops or doubles a predicate or a comparison of relationships', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = seededRandom(seed);
    const { query, literals, pairs } = randomPattern(random);
    const plan = planOf(query, randomStatistics(random));
    const text = formatPlan(plan);
    const fault = (what: string): string => `seed ${seed}: ${what}\n${query}\n${text}`;
    for (const literal of literals) {
      const count = text.split(literal).length - 1;
      // Two parts that meet in a node have each tested that node.
      assert(count === 1 || (count > 1 && text.includes('ValueHashJoin')), fault(`the predicate with ${literal} stands ${count} times`));
    }
    for (const pair of pairs) assert.equal(tellsApart(plan.root, pair), 1, fault(`the pair ${pair.join(', ')}`));
  }
});

test('other figures give other orders', () => {
  const query = 'MATCH (a:A)-[:R]->(b:B)-[:S]->(c:C {x: 1}) RETURN a, b, c';
  const texts = new Set<string>();
  for (let seed = 1; seed <= 40; seed++) texts.add(formatPlan(planOf(query, randomStatistics(seededRandom(seed)))).replaceAll(/~\S+/g, ''));
  assert(texts.size > 4, `${texts.size} orders`);
});

test('a pattern of more relationships than dynamic programming takes is planned all the same, and soon', () => {
  const chain = Array.from({ length: 40 }, (_, at) => `(n${at} {x: '<${at}>'})-[:R]->`).join('');
  const text = formatPlan(planOf(`MATCH ${chain}(last) RETURN last`));
  for (let at = 0; at < 40; at++) assert.equal(text.split(`'<${at}>'`).length, 2);
});

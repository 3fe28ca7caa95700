/** The search for the order of large patterns: good enough, and little work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GraphStatistics } from '../../graph/index.ts';
import { inputsOf } from '../operators/references.ts';
import type { Operator } from '../plan.ts';
import { fakeStatistics } from '../testing/fake-statistics.ts';
import { planOf } from '../testing/plan-of.ts';

/** Statistics that count what they are asked. */
function counting(statistics: GraphStatistics): { statistics: GraphStatistics; questions: () => number } {
  let questions = 0;
  const counted = new Proxy(statistics, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        questions++;
        return member.apply(target, args);
      };
    },
  });
  return { statistics: counted, questions: () => questions };
}

function leafOf(operator: Operator): Operator {
  const [input] = inputsOf(operator);
  return input === undefined || input.kind === 'argument' ? operator : leafOf(input);
}

const LENGTH = 60;

function chain(selectiveAt: number): string {
  const node = (at: number): string => (at === selectiveAt ? `(n${at}:Person {id: 7})` : `(n${at}:Person {age: ${at}})`);
  const steps = Array.from({ length: LENGTH }, (_, at) => `-[:KNOWS {since: ${at}}]->${node(at + 1)}`);
  return `MATCH ${node(0)}${steps.join('')} RETURN n0, n${LENGTH}`;
}

test('a chain of 60 relationships begins at its selective node, wherever it stands', () => {
  for (const at of [0, 31, LENGTH]) {
    const leaf = leafOf(planOf(chain(at)).root);
    assert.ok('variable' in leaf && leaf.variable === `n${at}`, `${leaf.kind} at ${at}`);
  }
});

test('the search asks the statistics little for a chain of 60, and for a star of 12', () => {
  const star = Array.from({ length: 12 }, (_, at) => `(a)-[:KNOWS]->(b${at}:Person {age: ${at}})`).join(', ');
  for (const [query, most] of [
    [chain(31), 3_000],
    [`MATCH ${star} RETURN a`, 3_000],
  ] as const) {
    const { statistics, questions } = counting(fakeStatistics());
    planOf(query, statistics);
    assert.ok(questions() <= most, `${questions()} questions`);
  }
});

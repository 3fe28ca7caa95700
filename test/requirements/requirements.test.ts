/**
 * Nothing is read that no requirement names, and each requirement is there for something: every fact that states one,
 * and every part of what a statement requires, is removed once, and some statement must fail with INTERNAL, answer
 * otherwise or read more.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Requirements } from '../../src/graph/index.ts';
import { READS, WRITES } from './corpus.ts';
import { stated, watchFacts, withoutFact } from './facts.ts';
import { type Outcome, outcomeOf } from './run.ts';

/**
 * Parts that some rule names and the statement does without: what it may read is known by labels, keys and ends of
 * relationships, not for each row. Rewrite it with UPDATE_GOLDEN=1 and review the difference: a line that comes is more
 * to load.
 */
const NEEDLESS = new URL('./needless.golden.txt', import.meta.url);

const FACTS = watchFacts();
/**
 * Ranges of an index have a filter above them that reads the same property; what MERGE would create with an identifier
 * it has looked up by that before.
 */
const STATED_TWICE = [
  'operator nodeIndexRange: keys',
  'operator relationshipIndexRange: keys',
  'operator merge: identifiers',
  // Lists of nodes are read with their properties.
  'function apoc.coll.sortNodes',
  'function apoc.map.groupBy',
  'function apoc.map.groupByMulti',
];

const asStated = (requirements: Requirements): Requirements => requirements;

interface Case {
  readonly statement: string;
  readonly writes: boolean;
  readonly right: Outcome;
  readonly facts: ReadonlySet<string>;
}

const cases: Case[] = [];

before(async () => {
  for (const [statements, writes] of [
    [READS, false],
    [WRITES, true],
  ] as const) {
    for (const statement of statements) {
      stated.clear();
      const right = await outcomeOf(statement, writes, asStated);
      cases.push({ statement, writes, right, facts: new Set(stated) });
    }
  }
});

test('every statement finds in memory what it reads', () => {
  for (const { statement, right } of cases)
    assert.ok(!right.isInternal && !/SYNTAX|SEMANTIC/.test(right.text), `${statement}\n${right.text}`);
});

test('a fact that states a requirement and says nothing is found', async () => {
  const missed: string[] = [];
  for (const name of FACTS) if (!(await isFound(name))) missed.push(name);
  assert.deepEqual(missed, STATED_TWICE);
});

async function isFound(name: string): Promise<boolean> {
  for (const { statement, writes, right, facts } of cases) {
    if (!facts.has(name)) continue;
    const wrong = await withoutFact(name, () => outcomeOf(statement, writes, asStated));
    if (wrong.text !== right.text || wrong.requests > right.requests) return true;
  }
  return false;
}

test('each part of what a statement requires is needed, but for those that are listed', async () => {
  const needless: string[] = [];
  for (const { statement, writes, right } of cases) {
    if (right.requirements === null) continue;
    for (const [name, smaller] of parts(right.requirements)) {
      const wrong = await outcomeOf(statement, writes, () => smaller);
      if (wrong.text === right.text) needless.push(`${statement}\n  ${name}\n`);
    }
  }
  const text = needless.join('');
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(NEEDLESS, text);
  assert.equal(text, readFileSync(NEEDLESS, 'utf8'));
});

/** Returns the requirements without each of their parts, by the name of the part. */
function parts(requirements: Requirements): [string, Requirements][] {
  const found: [string, Requirements][] = [];
  for (const [field, value] of Object.entries(requirements)) {
    if (value === true) found.push([field, { ...requirements, [field]: false }]);
    else if (value === 'all') found.push([`all ${field}`, { ...requirements, [field]: [] }]);
    else if (Array.isArray(value)) {
      for (const one of value)
        found.push([
          `${field} ${JSON.stringify(one)}`,
          { ...requirements, [field]: value.filter((other) => JSON.stringify(other) !== JSON.stringify(one)) },
        ]);
    }
  }
  return found;
}

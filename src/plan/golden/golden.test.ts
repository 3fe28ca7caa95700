/**
 * Queries and their plans, in the `.txt` files beside this one: a query is the lines that begin with `? `, its plan
 * what follows. `UPDATE_GOLDEN=1 node --test src/plan/golden` writes the plans anew; what changed is read as a diff.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatPlan } from '../explain/format-plan.ts';
import { planOf } from '../testing/plan-of.ts';

const folder = new URL('.', import.meta.url);
const isUpdating = process.env['UPDATE_GOLDEN'] === '1';

interface Case {
  readonly query: string;
  readonly plan: string;
}

function readCases(text: string): readonly Case[] {
  return text
    .split(/^(?=\? )(?<!^\? .*\n)/m)
    .filter((block) => block.startsWith('? '))
    .map((block) => {
      const lines = block.split('\n');
      const plan = lines.findIndex((line) => !line.startsWith('? '));
      return {
        query: lines
          .slice(0, plan)
          .map((line) => line.slice(2))
          .join('\n'),
        plan: lines.slice(plan).join('\n').trim(),
      };
    });
}

const planText = (query: string): string => {
  const plan = planOf(query);
  const text = formatPlan(plan);
  return plan.rewrites?.length ? `${text}\nrewrites: ${plan.rewrites.join(', ')}` : text;
};

const caseText = ({ query, plan }: Case): string =>
  `${query
    .split('\n')
    .map((line) => `? ${line}`)
    .join('\n')}\n${plan}\n`;

for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
  const file = new URL(name, folder);
  const cases = readCases(readFileSync(file, 'utf8'));
  if (isUpdating) writeFileSync(file, cases.map(({ query }) => caseText({ query, plan: planText(query) })).join('\n'));
  else {
    assert(cases.length > 0, `${name} has cases`);
    for (const { query, plan } of cases) test(`${name}: ${query}`, () => assert.equal(planText(query), plan));
  }
}

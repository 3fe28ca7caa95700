/** docs/functions.md is what the facts of the functions say. `UPDATE_GOLDEN=1` writes the page anew. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type AggregateFacts,
  type Cost,
  type Determinism,
  describedAggregates,
  describedFunctions,
  type EntityRead,
  type FunctionFacts,
  syntaxFacts,
} from '../src/functions/index.ts';

const PAGE = join(import.meta.dirname, '../docs/functions.md');

const HEAD = `# Functions

Every function and aggregate, as \`SHOW FUNCTIONS\` lists them too. Names are matched in any case. A function gives null for any null argument, and costs the same for all arguments,
unless it says otherwise; aggregates ignore nulls. \`?\` marks a parameter that may be left out, \`…\` one that stands for any number of arguments.
`;

const DETERMINISM: Readonly<Record<Determinism, string | null>> = {
  pure: null,
  statement: 'the same throughout a statement',
  row: 'of one row of LOAD CSV',
  clock: 'another value at each call',
  random: 'random',
};

const READS: Readonly<Record<EntityRead, string | null>> = {
  nothing: null,
  catalog: 'reads the catalog of projected graphs',
  identifier: 'reads identifiers',
  labels: 'reads labels',
  type: 'reads the type',
  properties: 'reads all properties',
};

const KEEPS: Readonly<Record<AggregateFacts['keeps'], string>> = {
  numbers: 'keeps some numbers for a group',
  value: 'keeps one value for a group',
  values: 'keeps all values of a group',
};

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ');

function costText(cost: Cost): string | null {
  if (cost === 'constant') return null;
  if (cost === 'answer') return 'linear in the answer';
  if ('linearIn' in cost) return `linear in ${quoted(cost.linearIn)}`;
  if ('textOf' in cost) return `linear in ${quoted(cost.textOf)} if it is text`;
  if ('deepIn' in cost) return `linear in ${quoted(cost.deepIn)} and all that is in it`;
  return `in the product of ${cost.productOf.map((name) => `\`${name}\``).join(', ')}`;
}

const notesOf = ({ nulls, determinism, reads, cost }: FunctionFacts): readonly (string | null)[] => [
  nulls === 'own' ? 'takes nulls' : null,
  DETERMINISM[determinism],
  READS[reads],
  costText(cost),
];

function line(signature: string, description: string, notes: readonly (string | null)[]): string {
  const known = notes.filter((note) => note !== null);
  return `- \`${signature}\`\\\n  ${description}${known.length === 0 ? '' : ` *${known.join('; ')}*`}`;
}

function page(): string {
  const sections = new Map<string, { readonly name: string; readonly text: string }[]>();
  const add = (category: string, name: string, text: string): void => {
    sections.set(category, [...(sections.get(category) ?? []), { name, text }]);
  };
  for (const { name, signature, facts } of describedFunctions)
    add(facts.category, name, line(signature, facts.description, notesOf(facts)));
  for (const [name, { category, signature, description }] of Object.entries(syntaxFacts))
    add(category, name, line(signature, description, []));
  for (const { name, signature, facts } of describedAggregates)
    add('Aggregating', name, line(signature, facts.description, [KEEPS[facts.keeps]]));
  const texts = [...sections]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, rows]) => {
      const sorted = rows.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
      return `## ${category}\n\n${sorted.map(({ text }) => text).join('\n')}\n`;
    });
  return `${HEAD}\n${texts.join('\n')}`;
}

test('docs/functions.md is what the facts say', () => {
  const expected = page();
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, expected);
  assert.equal(readFileSync(PAGE, 'utf8'), expected);
});

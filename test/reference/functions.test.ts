/**
 * docs/functions.md is what the facts of the functions say, with an example of each that is run. `UPDATE_GOLDEN=1`
 * writes the page anew.
 */
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
} from '../../src/functions/index.ts';
import { readExamples, runExample } from './examples.ts';

const PAGE = join(import.meta.dirname, '../../docs/functions.md');

const HEAD = `# Functions

Every function and aggregate, as \`SHOW FUNCTIONS\` lists them too. Names are matched in any case. A function gives null for any null
argument, and costs the same for all arguments, unless it says otherwise; aggregates ignore nulls. \`?\` marks a parameter that may
be left out, \`…\` one that stands for any number of arguments.

Each has an example with its answer, over a graph of two persons: Ada, born in 1815, KNOWS Charles, born in 1791, since 1833.
The graph is projected as \`people\`. Answers of several rows have semicolons between them.
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

interface Entry {
  readonly name: string;
  readonly signature: string;
  readonly description: string;
  readonly notes: readonly (string | null)[];
}

function entryText({ signature, description, notes }: Entry, example: string): string {
  const known = notes.filter((note) => note !== null);
  return `- \`${signature}\`\\\n  ${description}${known.length === 0 ? '' : ` *${known.join('; ')}*`}\\\n  ${example}`;
}

/** Runs all examples, one after the other. */
async function exampleTexts(): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, text] of readExamples('function-examples.txt')) texts.set(name, `\`${text}\` → \`${await runExample(text)}\``);
  return texts;
}

function page(examples: ReadonlyMap<string, string>): string {
  const sections = new Map<string, Entry[]>();
  const add = (category: string, entry: Entry): void => {
    sections.set(category, [...(sections.get(category) ?? []), entry]);
  };
  for (const { name, signature, facts } of describedFunctions)
    add(facts.category, { name, signature, description: facts.description, notes: notesOf(facts) });
  for (const [name, { category, signature, description }] of Object.entries(syntaxFacts))
    add(category, { name, signature, description, notes: [] });
  for (const { name, signature, facts } of describedAggregates)
    add('Aggregating', { name, signature, description: facts.description, notes: [KEEPS[facts.keeps]] });
  const names = [...sections.values()].flat().map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !examples.has(name)),
    [],
    'functions without an example in function-examples.txt',
  );
  assert.equal(examples.size, new Set(names).size, 'function-examples.txt has examples of functions that do not exist');
  const texts = [...sections]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, entries]) => {
      const sorted = entries.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
      return `## ${category}\n\n${sorted.map((entry) => entryText(entry, examples.get(entry.name)!)).join('\n')}\n`;
    });
  return `${HEAD}\n${texts.join('\n')}`;
}

test('docs/functions.md is what the facts say, and its examples give the answers that it shows', async () => {
  const expected = page(await exampleTexts());
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, expected);
  assert.equal(readFileSync(PAGE, 'utf8'), expected);
});

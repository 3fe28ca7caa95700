/** docs/procedures.md is what SHOW PROCEDURES lists, with an example of each that is run. `UPDATE_GOLDEN=1` writes the page anew. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEngine } from '../../src/engine/index.ts';
import { readExamples, runExample } from './examples.ts';

const PAGE = join(import.meta.dirname, '../../docs/procedures.md');

const HEAD = `# Procedures

Every procedure, as \`SHOW PROCEDURES\` lists them too: what it is called with, the columns that it yields, and an example
with its answer. The examples run over the graph of [functions](functions.md). Graph algorithms have up to four modes, each
with \`.estimate\`, of which the signature of one is shown; [graph algorithms](algorithms/graphs.md) have pages of their own.
`;

/** The last words of an algorithm's name, by its mode. */
const MODES = /\.(stream|stats|mutate|write)(\.estimate)?$/;
/** Former names of the same procedure. */
const FORMER = /^gds\.(?:alpha|beta)\./;

interface Row {
  readonly name: string;
  readonly signature: string;
  readonly description: string;
}

/** A procedure, or all modes of an algorithm. */
interface Entry {
  readonly name: string;
  readonly rows: Row[];
  readonly formerNames: Set<string>;
}

async function procedures(): Promise<readonly Row[]> {
  const engine = await openEngine('memory://procedures?ns=main');
  try {
    const { rows } = await engine.execute('SHOW PROCEDURES YIELD name, signature, description', new Map());
    return rows.map(([name, signature, description]) => ({
      name: String(name),
      signature: String(signature),
      description: String(description),
    }));
  } finally {
    await engine.close();
  }
}

/**
 * Modes of one algorithm are one entry where there is an example of the algorithm; procedures of the catalog have
 * several words that look like modes.
 */
function entriesOf(rows: readonly Row[], examples: ReadonlyMap<string, string>): readonly Entry[] {
  const entries = new Map<string, Entry>();
  const nameOf = (name: string): string => (examples.has(name) ? name : name.replace(MODES, ''));
  for (const row of rows.filter(({ name }) => !FORMER.test(name))) {
    const name = nameOf(row.name);
    const entry = entries.get(name) ?? { name, rows: [], formerNames: new Set<string>() };
    entries.set(name, entry);
    entry.rows.push(row);
  }
  for (const { name } of rows.filter((row) => FORMER.test(row.name))) {
    const entry = entries.get(nameOf(name.replace(FORMER, 'gds.')));
    entry?.formerNames.add(name.replace(MODES, ''));
  }
  return [...entries.values()];
}

function entryText({ name, rows, formerNames }: Entry, example: string): string {
  const [first] = rows.toSorted((a, b) => a.name.length - b.name.length);
  const modes = rows.length === 1 ? '' : `\\\n  Modes: ${rows.map((row) => `\`${row.name.slice(name.length + 1)}\``).join(', ')}.`;
  const former = formerNames.size === 0 ? '' : `\\\n  Also as ${[...formerNames].map((each) => `\`${each}\``).join(', ')}.`;
  return `- \`${first!.signature}\`\\\n  ${first!.description}${modes}${former}\\\n  ${example}`;
}

test('docs/procedures.md is what SHOW PROCEDURES lists, and its examples give the answers that it shows', async () => {
  const examples = readExamples('procedure-examples.txt');
  const entries = entriesOf(await procedures(), examples);
  assert.deepEqual(
    entries.map(({ name }) => name).filter((name) => !examples.has(name)),
    [],
    'procedures without an example in procedure-examples.txt',
  );
  assert.equal(examples.size, entries.length, 'procedure-examples.txt has examples of procedures that do not exist');
  const texts: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const text = examples.get(entry.name)!;
    texts.push(entryText(entry, `\`${text}\` → \`${await runExample(text)}\``));
  }
  const expected = `${HEAD}\n${texts.join('\n')}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(PAGE, expected);
  assert.equal(readFileSync(PAGE, 'utf8'), expected);
});

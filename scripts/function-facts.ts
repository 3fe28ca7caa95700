/**
 * Deletes each row of the function facts, each implementation, and in a row what it says to read and to depend on, in
 * turn: the compiler must refuse every one of these trees.
 *
 * A deletion is a copy of two files, the table of facts and the implementations that are keyed by it, one of them
 * without the entry, in a folder of its own; whatever else they import is that of the tree. One run of the compiler
 * judges all folders at once, so that some 300 deletions cost a few seconds.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DOOR = join(ROOT, 'src/functions/index.ts');

/** A table of facts, and the file with the implementations of its rows. */
interface Pair {
  readonly facts: string;
  readonly table: string;
  readonly implementations: string;
  readonly implemented: string;
}

function pair(group: string): Pair {
  return {
    facts: `src/functions/${group}.ts`,
    table: `${group}Facts`,
    implementations: `src/exec/functions/${group}.ts`,
    implemented: `${group}Functions`,
  };
}

/** A family of the functions of APOC, in a file of its own on both sides. */
function apocPair(file: string, family: string): Pair {
  const [facts, implementations] = [`src/functions/apoc/${file}.ts`, `src/exec/functions/libraries/apoc/${file}.ts`];
  return { facts, table: `${family}Facts`, implementations, implemented: `${family}Functions` };
}

export const PAIRS: readonly Pair[] = [
  ...['graph', 'list', 'numeric', 'scalar', 'spatial', 'string', 'temporal', 'vector'].map(pair),
  { ...pair('gds'), implementations: 'src/exec/functions/libraries/gds.ts' },
  apocPair('collections', 'collection'),
  apocPair('conversions', 'conversions'),
  apocPair('dates', 'date'),
  apocPair('entities', 'entity'),
  apocPair('maps', 'map'),
  apocPair('texts', 'text'),
  { ...pair('conversion'), implemented: 'implementations' },
  { ...pair('measures'), table: 'measureFacts', implementations: 'src/exec/functions/measures.ts', implemented: 'MEASURES' },
  { ...pair('aggregates'), table: 'aggregateFacts', implemented: 'MAKERS' },
];

/**
 * An entry of a table as the formatter writes it: it begins with two spaces and a name, and ends before the next or the
 * end of the table.
 */
interface Entry {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The entries of the object literal that a constant of the file is. */
export function entriesOf(text: string, constant: string): readonly Entry[] {
  const declaration = new RegExp(`const ${constant}\\b[^{]*\\{\\n`).exec(text);
  assert(declaration !== null, `no table ${constant}`);
  const start = declaration.index + declaration[0].length;
  const end = text.indexOf('\n}', start) + 1;
  const beginnings = [...text.slice(start, end).matchAll(/^ {2}(?:'([^']+)'|(\w+))(?=[:,(])/gm)];
  return beginnings.map((match, i) => ({
    name: match[1] ?? match[2]!,
    start: start + match.index,
    end: i + 1 < beginnings.length ? start + beginnings[i + 1]!.index : end,
  }));
}

/**
 * Where a row says that its function reads entities, or depends on more than its arguments. Without it the row is that
 * of a pure function.
 */
function claimsOf(text: string): readonly Entry[] {
  return [...text.matchAll(/^ {4}((?:reads|determinism): '\w+'),\n/gm)].map((match) => ({
    name: `${match[1]} of line ${text.slice(0, match.index).split('\n').length}`,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const without = (text: string, { start, end }: Entry): string => text.slice(0, start) + text.slice(end);

/** Relative imports as absolute ones, so that the copy can lie anywhere. */
function moved(text: string, file: string, replaced: ReadonlyMap<string, string>): string {
  return text.replaceAll(/(from ')(\.[^']+)(')/g, (_, before: string, specifier: string, after: string) => {
    const target = resolve(dirname(join(ROOT, file)), specifier);
    return `${before}${replaced.get(target) ?? target}${after}`;
  });
}

export interface Deletion {
  /** Entry that is left out, and its file; null: none, for comparison. */
  readonly what: string | null;
  readonly facts: string;
  readonly implementations: string;
  readonly pair: Pair;
}

/** The two files of each pair as they are, and once for each entry without it. */
export function deletionsOf(one: Pair): readonly Deletion[] {
  const facts = readFileSync(join(ROOT, one.facts), 'utf8');
  const implementations = readFileSync(join(ROOT, one.implementations), 'utf8');
  const rows = entriesOf(facts, one.table);
  const implemented = entriesOf(implementations, one.implemented);
  const names = (entries: readonly Entry[]): string[] => entries.map(({ name }) => name).sort();
  assert.deepEqual(names(implemented), names(rows), `${one.implementations} and ${one.facts} name the same functions`);
  return [
    { what: null, facts, implementations, pair: one },
    ...[...rows, ...claimsOf(facts)].map((entry) => ({
      what: `${one.facts}: ${entry.name}`,
      facts: without(facts, entry),
      implementations,
      pair: one,
    })),
    ...implemented.map((entry) => ({
      what: `${one.implementations}: ${entry.name}`,
      facts,
      implementations: without(implementations, entry),
      pair: one,
    })),
  ];
}

/** Which of them the compiler refuses, by position. Throws if it finds fault with anything else. */
export function refused(deletions: readonly Deletion[]): ReadonlySet<number> {
  const folder = mkdtempSync(join(tmpdir(), 'function-facts-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    deletions.forEach((deletion, i) => writeDeletion(join(folder, String(i)), deletion));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    // What a deletion leaves unused is no proof that it is noticed.
    const compilerOptions = {
      typeRoots: [join(ROOT, 'node_modules/@types')],
      rewriteRelativeImportExtensions: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
    };
    const options = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*/*.ts', join(ROOT, 'src/**/*.d.ts')] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const { stdout, status } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['--pretty', 'false', '-p', 'tsconfig.json'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    assert(status !== null, 'the compiler runs');
    const faults = stdout.split('\n').filter((line) => /\berror TS\d+/.test(line));
    return new Set(faults.map(placeOf));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function placeOf(fault: string): number {
  const place = /^(\d+)\/(?:facts|door|implementations)\.ts\(/.exec(fault);
  assert(place !== null, `a fault beside the deletions: ${fault}`);
  return Number(place[1]);
}

/** The copy of the implementations sees the copy of the facts behind the door, and everything else as it is. */
function writeDeletion(folder: string, { facts, implementations, pair: one }: Deletion): void {
  mkdirSync(folder);
  const door = join(folder, 'door.ts');
  writeFileSync(join(folder, 'facts.ts'), moved(facts, one.facts, new Map()));
  writeFileSync(door, `export * from '${DOOR}';\nexport { ${one.table} } from './facts.ts';\n`);
  writeFileSync(join(folder, 'implementations.ts'), moved(implementations, one.implementations, new Map([[DOOR, door]])));
}

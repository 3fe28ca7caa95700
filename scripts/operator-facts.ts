/**
 * Finds facts about operators that could be forgotten: every entry of every table is deleted, in a copy of its module,
 * and the type checker must report it as missing in each copy. All copies are checked in one run, beside copies without
 * a deletion, which must have no fault.
 *
 * A table is an object literal at the top of a module, of a type whose members are all required:
 *
 *     export const filter: OperatorFacts<Filter> = {
 *       inputs: ONE_INPUT,
 *       …
 *     };
 *
 * Its entries are the lines indented by two spaces, with what is indented below them: the formatter sees to that.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');

/** A module with tables. */
export interface TableModule {
  /** Absolute; its imports are resolved from there. */
  readonly path: string;
  readonly text: string;
  /** Does a line begin a table? */
  readonly isTable: (line: string) => boolean;
}

/** A module without one entry of one of its tables. */
export interface Deletion {
  /** `filter.inputs` */
  readonly name: string;
  readonly entry: string;
  readonly text: string;
}

export interface Findings {
  /** How many entries were deleted. */
  readonly entries: number;
  /** Module and entry of each deletion that passes the type check. */
  readonly forgettable: readonly string[];
  /** Modules whose copies have faults without any deletion, so that nothing is proved. */
  readonly faulty: readonly string[];
}

/** Runs the type checker over a temporary folder in `.cache/`, which it removes. */
export function findForgettable(modules: readonly TableModule[]): Findings {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/operator-facts-'));
  try {
    const deletions = modules.flatMap((module) => deletionsOf(module).map((deletion) => ({ module, ...deletion })));
    modules.forEach((module, at) => {
      writeCopy(join(folder, `whole-${at}.ts`), module.path, module.text);
    });
    deletions.forEach(({ module, text }, at) => {
      writeCopy(join(folder, `without-${at}.ts`), module.path, text);
    });
    const report = typeCheck(folder);
    const unseen = deletions.filter(({ entry }, at) => !reportsMissing(report, `without-${at}.ts`, entry));
    return {
      entries: deletions.length,
      forgettable: unseen.map(({ module, name }) => `${relative(root, module.path)} ${name}`),
      faulty: modules.filter((_, at) => report.includes(`whole-${at}.ts(`)).map(({ path }) => relative(root, path)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const TABLE_NAME = /^(?:export )?const (\w+): .*\{$/;
const ENTRY_START = /^ {2}(\w+)(?:: |,$|\()/;

/** One deletion for each entry of the tables of a module. */
export function deletionsOf({ text, isTable }: Pick<TableModule, 'text' | 'isTable'>): readonly Deletion[] {
  const lines = text.split('\n');
  const deletions: Deletion[] = [];
  let table: string | null = null;
  lines.forEach((line, at) => {
    if (isTable(line)) table = TABLE_NAME.exec(line)?.[1] ?? null;
    else if (line === '};') table = null;
    const entry = table === null ? undefined : ENTRY_START.exec(line)?.[1];
    if (table === null || entry === undefined) return;
    const rest = lines.slice(endOfEntry(lines, at));
    deletions.push({ name: `${table}.${entry}`, entry, text: [...lines.slice(0, at), ...rest].join('\n') });
  });
  return deletions;
}

/** The first line after an entry: what is indented deeper, or closes its brackets, belongs to it. */
function endOfEntry(lines: readonly string[], start: number): number {
  let end = start + 1;
  while (end < lines.length && (lines[end]!.startsWith('   ') || /^ {2}[\])}]/.test(lines[end]!))) end++;
  return end;
}

/** A copy imports the modules that its original imports, and adds to those that it adds to. */
function writeCopy(copy: string, original: string, text: string): void {
  const imported = (specifier: string): string => relative(dirname(copy), resolve(dirname(original), specifier));
  writeFileSync(
    copy,
    text.replace(/(from|declare module) '(\.[^']*)'/g, (_, word: string, specifier: string) => `${word} '${imported(specifier)}'`),
  );
}

function typeCheck(folder: string): string {
  const configuration = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, typeRoots: [join(root, 'node_modules/@types')] },
    include: ['*.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  try {
    return execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], options);
  } catch (error) {
    // The type checker ends with a status other than 0 when it has something to report.
    assert(error instanceof Error && 'stdout' in error && typeof error.stdout === 'string');
    return error.stdout;
  }
}

/** Does the report say that the entry is missing in the file? Other consequences of a deletion do not count. */
function reportsMissing(report: string, file: string, entry: string): boolean {
  const fault = `Property '${entry}' is missing in type`;
  return report.split('\n').some((line) => line.includes(`${file}(`) && line.includes('error TS2741: ') && line.includes(fault));
}

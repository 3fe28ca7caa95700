/**
 * Mistakes planted in the sources by a change of text, to see whether what looks for mistakes finds them. The text changes
 * as Node loads the file (planted-at-load.ts); the file itself stays as it is.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Mistake {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly right: string;
  readonly wrong: string;
}

export interface Run {
  readonly output: string;
  readonly failed: boolean;
}

/** A test with a mistake has failed that takes longer. */
const LONGEST_TEST_MS = 60_000;
const ROOT = join(import.meta.dirname, '../..');
const PRELOAD = pathToFileURL(join(import.meta.dirname, 'planted-at-load.ts')).href;

/** The text of a file with the mistake in it; throws when the right text does not stand there once. */
export function withMistake(text: string, { name, file, right, wrong }: Mistake): string {
  const parts = text.split(right);
  if (parts.length !== 2) throw new Error(`"${name}" does not fit ${file} any more: the right text stands there ${parts.length - 1} times`);
  return parts.join(wrong);
}

/** Throws for the first mistake that does not fit its file. */
export async function assertPlantable(mistakes: readonly Mistake[]): Promise<void> {
  for (const mistake of mistakes) withMistake(await readFile(join(ROOT, mistake.file), 'utf8'), mistake);
}

/** Runs a script of the tests (`test/<folder>/run.ts`) over sources with the mistake. */
export function runWithMistake(mistake: Mistake, folder: string, argv: readonly string[]): Promise<Run> {
  return run(mistake, [join('test', folder, 'run.ts'), ...argv]);
}

/** A file of tests, and a part of the names of those that are run; absent: all are. */
export interface ChosenTests {
  readonly test: string;
  readonly only?: string;
}

/** Runs tests over sources with the mistake; throws when none of them ran. */
export async function runTestWithMistake(mistake: Mistake, { test, only }: ChosenTests): Promise<Run> {
  const pattern = only?.replaceAll(/[^\w ]/g, (character) => `\\${character}`);
  const chosen = pattern === undefined ? [] : [`--test-name-pattern=${pattern}`];
  const ran = await run(mistake, ['--test', '--test-reporter=spec', `--test-timeout=${LONGEST_TEST_MS}`, ...chosen, test]);
  if (!/^ℹ (?:pass|fail|cancelled) [1-9]/m.test(ran.output)) throw new Error(`"${mistake.name}": no test of ${test} ran:\n${ran.output}`);
  return ran;
}

/** Node, all of its threads and all programs that it starts load the sources with the mistake. */
function run(mistake: Mistake, argv: readonly string[]): Promise<Run> {
  return new Promise((resolve, reject) => {
    // A test that runs tests must not be taken for their parent; programs that were bundled hold no mistake.
    const { NODE_TEST_CONTEXT: _, GRAPHDB_TEST_PROGRAMS: __, NODE_OPTIONS: options = '', ...env } = process.env;
    const child = spawn(process.execPath, argv, {
      cwd: ROOT,
      env: { ...env, NODE_OPTIONS: `${options} --import=${PRELOAD}`, PLANTED_MISTAKE: JSON.stringify(mistake) },
    });
    let output = '';
    const take = (piece: Buffer): void => {
      output += piece.toString();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', reject);
    child.on('close', (code) => resolve({ output, failed: code !== 0 }));
  });
}

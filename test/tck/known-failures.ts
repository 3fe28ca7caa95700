/**
 * The list of scenarios that are known to fail: one id per line, `#` opens a comment. It is strict both ways: a scenario that fails and is
 * not listed is a surprise, and so is one that is listed and passes, or one that is listed and does not exist.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './scenario.ts';

const HEADING = `# Scenarios of the openCypher TCK that do not pass yet. Strict both ways: \`npm run tck\` fails when one of these passes.
# Rewritten by \`npm run tck -- --update\`.
`;

export interface Verdict {
  readonly unexpectedFailures: readonly Outcome[];
  readonly unexpectedPasses: readonly string[];
  readonly unknown: readonly string[];
}

export function readKnownFailures(file: string | URL): Set<string> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}

export function writeKnownFailures(file: string | URL, outcomes: readonly Outcome[]): void {
  const ids = outcomes.filter((outcome) => !outcome.passed).map((outcome) => outcome.id);
  writeFileSync(
    file,
    HEADING +
      ids
        .sort()
        .map((id) => `${id}\n`)
        .join(''),
  );
}

/** `complete`: whether `outcomes` are those of all scenarios, so that a listed one that is not among them does not exist. */
export function judge(outcomes: readonly Outcome[], known: ReadonlySet<string>, complete: boolean): Verdict {
  const run = new Set(outcomes.map((outcome) => outcome.id));
  return {
    unexpectedFailures: outcomes.filter((outcome) => !outcome.passed && !known.has(outcome.id)),
    unexpectedPasses: outcomes.filter((outcome) => outcome.passed && known.has(outcome.id)).map((outcome) => outcome.id),
    unknown: complete ? [...known].filter((id) => !run.has(id)) : [],
  };
}

export function isClean(verdict: Verdict): boolean {
  return verdict.unexpectedFailures.length + verdict.unexpectedPasses.length + verdict.unknown.length === 0;
}

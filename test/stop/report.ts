/** The outcomes of a trial, as lines, as a table and as JSON. */
import { FAULTS, type Fault, type Run } from './limits.ts';

export interface Outcome {
  readonly name: string;
  readonly workers: number;
  readonly faults: readonly Fault[];
  /** The one with the fewest faults comes last: nothing is repeated behind a run without. */
  readonly runs: readonly Run[];
}

export const HEADER =
  `${'answer'.padEnd(22)}${'ms'.padStart(7)} ${'health p99'.padStart(10)} ${'worst'.padStart(7)} ` +
  `${'busy'.padStart(6)} ${'MiB'.padStart(6)} ${'kept'.padStart(6)}  shape`;

export function lineOf({ name, faults, runs }: Outcome): string {
  const run = runs.at(-1)!;
  const figures = [
    run.outcome.padEnd(22),
    run.answerMs.toFixed(0).padStart(7),
    run.healthP99Ms.toFixed(0).padStart(11),
    run.healthWorstMs.toFixed(0).padStart(8),
    run.machineFactor.toFixed(1).padStart(7),
    run.grownMiB.toFixed(0).padStart(7),
    (run.keptMiB?.toFixed(0) ?? '-').padStart(7),
  ];
  const verdict = faults.length === 0 ? '' : `  FAILS: ${faults.join(', ')}${run.end === '' ? '' : ` (${run.end})`}`;
  return `${figures.join('')}  ${name}${verdict}`;
}

export function summaryOf(outcomes: readonly Outcome[]): string {
  const lines: string[] = [
    '',
    `${'workers'.padEnd(10)}${'shapes'.padStart(8)}${'fail'.padStart(8)}${FAULTS.map((fault) => fault.padStart(12)).join('')}`,
  ];
  for (const [workers, some] of Map.groupBy(outcomes, (outcome) => outcome.workers)) {
    const failing = some.filter(({ faults }) => faults.length > 0);
    const counts = FAULTS.map((fault) => String(some.filter(({ faults }) => faults.includes(fault)).length).padStart(12));
    lines.push(`${String(workers).padEnd(10)}${String(some.length).padStart(8)}${String(failing.length).padStart(8)}${counts.join('')}`);
    lines.push(...failing.map((outcome) => `  ${lineOf(outcome)}`));
  }
  return lines.join('\n');
}

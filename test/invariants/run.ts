/**
 * `npm run invariants`: for each invariant of ARCHITECTURE.md a mistake that breaks it, planted in the sources
 * as they are loaded, and whether its test finds it there. A test that ends by its time counts as failed: some mistakes let a
 * statement go on for ever.
 *
 *   --only <text>   the invariants, or names of mistakes, that contain it
 *
 * Exit status 1 when a mistake is not found.
 */
import { parseArgs } from 'node:util';
import { runTestWithMistake } from '../support/planted.ts';
import { type InvariantMistake, MISTAKES } from './mistakes.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const chosen = MISTAKES.filter(({ invariant, name }) => `${invariant}: ${name}`.includes(values.only));
let missed = 0;
for (const mistake of chosen) {
  const { failed, output } = await runTestWithMistake(mistake, mistake);
  if (!failed) missed++;
  console.log(lineOf(mistake, failed, output));
}
console.log(`${chosen.length - missed} of ${chosen.length} planted mistakes were found`);
process.exitCode = missed === 0 ? 0 : 1;

/** Tells whether the mistake was found, and the first test that failed. */
function lineOf({ invariant, name, test }: InvariantMistake, failed: boolean, output: string): string {
  const failing = /^✖ (.*?)(?: \([\d.]+ms\))?$/m.exec(output)?.[1] ?? 'no test began';
  return `${failed ? 'found ' : 'MISSED'} ${invariant.padEnd(3)} ${name}\n       ${test}${failed ? `: ${failing}` : ''}`;
}

/**
 * `npm run differential`: random graphs, queries and updates, each run in all ways and against the oracle. Each case is one that reads, one that writes, one of pairs of queries that must agree, and one of readers that
 * go on while others write.
 *
 *   --seed <n>   the first case (any)
 *   --cases <n>  how many (200)
 *   --only <k>   reads, updates, pairs or isolation
 *   --first      ends at the first disagreement, which is not made smaller
 *   --planted    breaks copies of the sources, each in its own way, and shows that the cases find it (see planted.ts)
 *
 * A disagreement is made smaller and printed with the command that shows it again.
 */
import { parseArgs } from 'node:util';
import { isolationCase } from './isolation.ts';
import { pairCase } from './pairs.ts';
import { findPlanted } from './planted.ts';
import { noCounts } from './questions.ts';
import { readCase } from './reads.ts';
import { readReport, updateReport } from './report.ts';
import { shrinkRead, shrinkUpdate } from './shrink.ts';
import { updateCase } from './updates.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    cases: { type: 'string', default: '200' },
    only: { type: 'string' },
    first: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
  },
});
if (values.planted) process.exit((await findPlanted()) ? 0 : 1);
const first = Number(values.seed);
const counts = noCounts();
let failures = 0;
console.log(`seed ${first}`);
for (let seed = first; seed < first + Number(values.cases); seed++) {
  if (chosen('reads')) await reads(seed);
  if (chosen('updates')) await updates(seed);
  if (chosen('pairs')) await pairs(seed);
  if (chosen('isolation')) await isolation(seed);
  if (values.first && failures > 0) break;
}
console.log(`${JSON.stringify(counts)}, ${failures} disagreements`);
process.exitCode = failures === 0 ? 0 : 1;

function chosen(kind: string): boolean {
  return values.only === undefined || values.only === kind;
}

async function reads(seed: number): Promise<void> {
  const failure = await readCase(seed, counts);
  if (failure !== null) report(seed, 'reads', readReport(values.first ? failure : await shrinkRead(failure, seed)));
}

async function updates(seed: number): Promise<void> {
  const failure = await updateCase(seed, counts);
  if (failure !== null) report(seed, 'updates', updateReport(values.first ? failure : await shrinkUpdate(failure)));
}

async function pairs(seed: number): Promise<void> {
  const broken = await pairCase(seed, counts);
  if (broken !== null) report(seed, 'pairs', broken);
}

async function isolation(seed: number): Promise<void> {
  const broken = await isolationCase(seed, counts);
  if (broken !== null) report(seed, 'isolation', broken);
}

function report(seed: number, only: string, text: string): void {
  failures++;
  console.log(`\n${text}\nagain with: npm run differential -- --seed ${seed} --cases 1 --only ${only}\n`);
}

/**
 * `npm run differential`: random graphs, queries and updates, each answered in several ways and held against the
 * oracle. What a case is: see counts.ts. A seed gives a round: about forty queries over one graph, twenty updates of
 * another, all laws of pairs over a third, and readers that go on while others write over a fourth.
 *
 *   --seed <n>   the first round (any)
 *   --cases <n>  rounds are played until there were so many cases (5,000)
 *   --seconds <n> ends behind the round in which so many seconds have passed
 *   --only <k>   reads, updates, pairs or isolation
 *   --features <list> the parts of the language beside its core, separated by commas (see generate/features.ts)
 *   --spilled <n> operators write what they hold to temporary files after so many rows
 *   --first      ends at the first disagreement, which is not made smaller
 *   --planted    breaks the sources as they are loaded, each in its own way, and shows that the cases find it (see planted.ts)
 *
 * A disagreement is made smaller and printed with the command that shows it again.
 */
import { parseArgs } from 'node:util';
import { CASE, casesOf, KINDS, type Kind, noCounts } from './counts.ts';
import { DRAWN, parseFeatures } from './generate/features.ts';
import { isolationCase } from './isolation.ts';
import { pairCase } from './pairs.ts';
import { findPlanted } from './planted.ts';
import { readCase } from './reads.ts';
import { readReport, updateReport } from './report.ts';
import { shrinkRead, shrinkUpdate } from './shrink.ts';
import { SPILLED } from './stores.ts';
import { updateCase } from './updates.ts';
import { readsByPage, tightReads } from './ways.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    cases: { type: 'string', default: '5000' },
    seconds: { type: 'string' },
    only: { type: 'string' },
    features: { type: 'string' },
    spilled: { type: 'string' },
    first: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
  },
});
if (values.planted) process.exit((await findPlanted()) ? 0 : 1);
if (values.spilled !== undefined) SPILLED.spillAfterRows = Number(values.spilled);
const features = values.features === undefined ? DRAWN : parseFeatures(values.features);
const first = Number(values.seed);
const counts = noCounts();
const checks: Record<Kind, (seed: number) => Promise<void>> = { reads, updates, pairs, isolation };
const kinds = KINDS.filter((kind) => values.only === undefined || values.only === kind);
if (kinds.length === 0) throw new Error(`--only takes ${KINDS.join(', ')}`);
let failures = 0;
let seed = first;
const end = values.seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + 1000 * Number(values.seconds);
const isOver = (): boolean => values.first && failures > 0;
while (casesOf(counts) < Number(values.cases) && Date.now() < end && !isOver()) {
  for (const kind of kinds) if (!isOver()) await checks[kind](seed);
  seed++;
}
for (const kind of kinds) console.log(`${counts.cases[kind]} ${kind}: ${CASE[kind]}`);
const { graphs, runs, skipped, refused, rows, answered } = counts;
console.log(JSON.stringify({ graphs, runs, skipped, refused, rows, answered, readsByPage, tightReads }));
console.log(`seeds ${first} to ${seed - 1}: ${casesOf(counts)} cases, ${failures} disagreements`);
process.exitCode = failures === 0 ? 0 : 1;

async function reads(seed: number): Promise<void> {
  const failure = await readCase(seed, counts, features);
  if (failure !== null) report(seed, 'reads', readReport(values.first ? failure : await shrinkRead(failure, seed)));
}

async function updates(seed: number): Promise<void> {
  const failure = await updateCase(seed, counts, features);
  if (failure !== null) report(seed, 'updates', updateReport(values.first ? failure : await shrinkUpdate(failure)));
}

async function pairs(seed: number): Promise<void> {
  const broken = await pairCase(seed, counts, features);
  if (broken !== null) report(seed, 'pairs', broken);
}

async function isolation(seed: number): Promise<void> {
  const broken = await isolationCase(seed, counts, features);
  if (broken !== null) report(seed, 'isolation', broken);
}

function report(seed: number, only: string, text: string): void {
  failures++;
  const features = values.features === undefined ? '' : ` --features '${values.features}'`;
  const options = features + (values.spilled === undefined ? '' : ` --spilled ${values.spilled}`);
  console.log(`\n${text}\nagain with: npm run differential -- --seed ${seed} --cases 1 --only ${only}${options}\n`);
}

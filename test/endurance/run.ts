/**
 * `npm run endurance`: a day's worth of small commits in simulated time (100,000 in 24 hours), and how many objects
 * they leave in the bucket. `--commits <n>`.
 */
import { parseArgs } from 'node:util';
import { type Look, simulateDay } from './day.ts';

const { values } = parseArgs({ options: { commits: { type: 'string', default: '100000' } } });
const commits = Number(values.commits);
const COLUMNS = ['when', 'commits', 'manifests', 'walObjects', 'files', 'bytes', 'requests'] as const;

console.log(COLUMNS.map((name) => name.padStart(10)).join(' '));
const log = (look: Look): void => console.log(COLUMNS.map((name) => String(look[name]).padStart(10)).join(' '));
const { mostObjects, answer, expected } = await simulateDay({ commits, intervalMs: 864, looks: 24, log });
console.log(`most objects at once: ${mostObjects}`);
const isRight = JSON.stringify(answer) === JSON.stringify(expected);
if (!isRight) console.log(`the graph holds ${JSON.stringify(answer)}, not ${JSON.stringify(expected)}`);
process.exitCode = isRight ? 0 : 1;

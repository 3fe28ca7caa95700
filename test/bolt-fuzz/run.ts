/**
 * `npm run fuzz:bolt -- [--streams 1000000] [--seed <n>]`: the Bolt listener under random byte streams; exits with 1
 * when one did what none may do.
 */
import { parseArgs } from 'node:util';
import { fuzzBolt } from './fuzz.ts';

const MAX_GROWTH_BYTES = 64 * 2 ** 20;

const { values } = parseArgs({ options: { streams: { type: 'string', default: '1000000' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const started = performance.now();
const { streams, bytesSent, bytesReceived, faults, memoryBytes } = await fuzzBolt({ seed, streams: Number(values.streams) });
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
const { before, after } = memoryBytes;
console.log(`${streams} streams in ${Math.round((performance.now() - started) / 1_000)} s, --seed ${seed}`);
console.log(
  `  ${mebibytes(bytesSent)} MiB sent, ${mebibytes(bytesReceived)} MiB received; memory ${mebibytes(before)} MiB, then ` +
    `${mebibytes(after)} MiB`,
);
for (const fault of faults.slice(0, 20)) console.log(fault);
if (after - before > MAX_GROWTH_BYTES) console.log(`memory grew by ${mebibytes(after - before)} MiB`);
if (faults.length > 0 || after - before > MAX_GROWTH_BYTES) process.exitCode = 1;

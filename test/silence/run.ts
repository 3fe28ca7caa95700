/**
 * `npm run silence`: a writer with clients and a follower over an S3 server on this machine, behind a proxy that is as
 * slow as a distant store and leaves requests unanswered (silence.ts). `--seconds <n>` (30) of faults, `--rate <n>`
 * (0.03) of requests, `--latency <ms>` (30), `--clients <n>` (8), `--seed <n>`. It fails when something is wrong, when
 * the 99th percentile of commits is above 3 s, or the follower needs more than 3 s after the faults have ended.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withDistantS3 } from '../support/distant-s3.ts';
import { seededRandom } from '../support/random.ts';
import { runSilence } from './silence.ts';

const LIMIT_MS = 3_000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '0.03' },
    latency: { type: 'string', default: '30' },
    clients: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
console.log(`seed ${values.seed}`);
const folder = mkdtempSync(join(tmpdir(), 'graphdb-silence-'));
try {
  const place = { data: folder, latencyMs: Number(values.latency), random: seededRandom(Number(values.seed)) };
  await withDistantS3(place, async (uri, proxy) => {
    const { times, followerMs, faults, ...counts } = await runSilence({
      uri,
      proxy,
      clients: Number(values.clients),
      silentRate: Number(values.rate),
      durationMs: Number(values.seconds) * 1_000,
    });
    const at = (share: number): number => Math.round(times[Math.min(Math.floor(times.length * share), times.length - 1)] ?? Number.NaN);
    console.log(`requests ${proxy.requests}, never made ${proxy.neverMade}, answers lost ${proxy.answersLost}`);
    console.log(`commits ${JSON.stringify(counts)}`);
    console.log(`while requests were left unanswered: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
    console.log(`the follower had everything ${Math.round(followerMs)} ms after the last fault; ${faults.length} faults`);
    for (const fault of faults.slice(0, 50)) console.log(`  ${fault}`);
    const isGood = faults.length === 0 && at(0.99) <= LIMIT_MS && followerMs <= LIMIT_MS;
    process.exitCode = isGood ? 0 : 1;
  });
} finally {
  rmSync(folder, { recursive: true });
}

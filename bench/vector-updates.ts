/**
 * `npm run bench:vector-updates`: clients that search a vector index while its vectors are changed, flushed and merged;
 * each row that they get is checked. Prints times of searches and of writes.
 *
 *   --vectors <n> (50000)   --dimensions <n> (128)   --updates <n> (100000)   --together <n> (100)   --clients <n> (4)
 */
import { parseArgs } from 'node:util';
import { searchWhileUpdating } from '../test/support/vector-updates.ts';

const { values } = parseArgs({
  options: {
    vectors: { type: 'string', default: '50000' },
    dimensions: { type: 'string', default: '128' },
    updates: { type: 'string', default: '100000' },
    together: { type: 'string', default: '100' },
    clients: { type: 'string', default: '4' },
  },
});
const { searchesMs, writesMs } = await searchWhileUpdating({
  uri: 'memory://bench-vector-updates',
  vectors: Number(values.vectors),
  dimensions: Number(values.dimensions),
  updates: Number(values.updates),
  updatesTogether: Number(values.together),
  clients: Number(values.clients),
  parts: {},
});
console.log('| | number | p50, ms | p99, ms | longest, ms |\n|---|---|---|---|---|');
for (const [name, times] of Object.entries({ searches: searchesMs, writes: writesMs })) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(2);
  console.log(`| ${name} | ${sorted.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`);
}

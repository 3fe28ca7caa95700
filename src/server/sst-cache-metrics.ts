/** The cache of this process for data read from SSTs, for Prometheus. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { sharedSstCache } from '../engine/index.ts';
import type { SstCache } from '../storage/index.ts';

export function addSstCache(registry: Registry): void {
  const registers = [registry];
  const cache = sharedSstCache();
  const counter = (name: string, help: string, read: (cache: SstCache) => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(cache === null ? 0 : read(cache));
      },
    });
  };
  const gauge = (name: string, help: string, read: (cache: SstCache) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(cache === null ? 0 : read(cache));
      },
    });
  };
  counter('graphdb_sst_cache_hits_total', 'Reads from SSTs that the cache answered', ({ hits }) => hits);
  counter('graphdb_sst_cache_misses_total', 'Reads from SSTs that it did not', ({ misses }) => misses);
  gauge('graphdb_sst_cache_bytes', 'Bytes in the cache of SSTs', ({ bytes }) => bytes);
  gauge('graphdb_sst_cache_budget_bytes', 'Most bytes that it holds', ({ budgetBytes }) => budgetBytes);
}
